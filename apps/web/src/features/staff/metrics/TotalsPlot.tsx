/**
 * Bars from a zero line, readable one by one with the pointer or the arrow keys. The tooltip is beside the bar, never over it.
 * The sign is visible without colour: by the side of the line and in the table.
 */
import { formatCompact } from '../../../shared/numbers/index.ts';
import { readoutHandlers } from '../../../shared/plot/index.ts';
import type { Bucket } from './buckets.ts';
import { formatTotal, type Series, type Tone, type TotalsChart } from './charts.ts';

export const plotHeight = 124;
const labelsHeight = 20;
const axisWidth = 48;
const labelWidth = 52;
/** The minimum distance of two labels, px; closer labels would overlap. */
const labelHeight = 14;
const tipWidth = 184;

const fillByTone: Record<Tone, string> = { up: 'var(--up)', down: 'var(--down)', plain: 'var(--accent)' };
const dotClassByTone: Record<Tone, string> = { up: 'bg-up', down: 'bg-down', plain: 'bg-accent' };
export const getDotClass = (tone: Tone): string => dotClassByTone[tone];

function getTone({ tone }: Series, value: number): Tone {
  if (tone !== 'sign') return tone;
  return value < 0 ? 'down' : 'up';
}

interface TotalsPlotProps {
  readonly chart: TotalsChart;
  readonly bars: readonly Bucket[];
  readonly width: number;
  readonly active: number | null;
  readonly onRead: (index: number | null) => void;
}

/** Below the line are losses, which have a sign, or payouts, which have none. */
const formatAxis = ({ series }: TotalsChart, value: number): string =>
  formatTotal(series.some(({ tone }) => tone === 'sign') ? value : Math.abs(value), false);

const describeBucket = ({ series, format }: TotalsChart, bucket: Bucket): string =>
  `${bucket.name}: ${series.map(({ name, getValue }) => `${name} ${format(getValue(bucket))}`).join(', ')}`;

function Tip({
  chart,
  bucket,
  left,
}: {
  readonly chart: TotalsChart;
  readonly bucket: Bucket;
  readonly left: number;
}) {
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-1 z-10 rounded-control border border-line-strong bg-raised px-3 py-2 text-12 shadow-raised"
      style={{ left, width: tipWidth }}
    >
      <p className="font-semibold">{bucket.name}</p>
      {chart.series.map((series) => (
        <p key={series.name} className="mt-0.5 flex items-center gap-2">
          <span
            className={`size-2 shrink-0 rounded-[2px] ${getDotClass(getTone(series, series.getValue(bucket)))}`}
          />
          <span className="truncate text-text-2">{series.name}</span>
          <span className="figures ml-auto font-medium">{chart.format(series.getValue(bucket))}</span>
        </p>
      ))}
    </div>
  );
}

export function TotalsPlot({ chart, bars, width, active, onRead }: TotalsPlotProps) {
  const right = width - axisWidth;
  const bottom = plotHeight - labelsHeight;
  const values = bars.flatMap((bucket) => chart.series.map(({ getValue }) => getValue(bucket)));
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const span = high - low || 1;
  const y = (value: number) => 6 + ((high - value) / span) * (bottom - 12);
  const zero = high === low ? bottom - 6 : y(0);
  const pitch = right / bars.length;
  const bar = Math.max(1, Math.min(pitch - 1, pitch * 0.6, 14));
  const labelEvery = Math.max(1, Math.ceil(labelWidth / pitch));
  const end = bars.length - 1;
  const from = active ?? end;
  const read = bars[from];
  const opacityOf = (index: number): number => (active === null || index === active ? 1 : 0.8);
  /** The tooltip's position: right of the bar, left of it where there is no space. */
  const tipAt = (index: number): number => {
    const middle = (index + 0.5) * pitch;
    const beside = middle + bar / 2 + 6;
    return beside + tipWidth <= width ? beside : Math.max(0, middle - bar / 2 - 6 - tipWidth);
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={chart.title}
      aria-valuemin={0}
      aria-valuemax={end}
      aria-valuenow={from}
      aria-valuetext={read ? describeBucket(chart, read) : ''}
      {...readoutHandlers({
        active: from,
        end,
        onRead,
        indexAt: (offset) => Math.min(end, Math.max(0, Math.floor(offset / pitch))),
      })}
      className="relative touch-pan-y rounded-[4px]"
    >
      <svg width={width} height={plotHeight} aria-hidden="true" className="figures block text-11">
        {[high, low]
          .filter((value) => value !== 0)
          .map((value) => (
            <line
              key={value}
              x2={right}
              y1={y(value)}
              y2={y(value)}
              stroke="var(--line)"
              strokeDasharray="2 3"
            />
          ))}
        {bars.map((bucket, index) =>
          chart.series.map((series) => {
            const value = series.getValue(bucket);
            if (value === 0) return null;
            return (
              <rect
                key={`${bucket.name} ${series.name}`}
                x={index * pitch + (pitch - bar) / 2}
                width={bar}
                y={Math.min(y(value), zero)}
                height={Math.max(1, Math.abs(y(value) - zero))}
                fill={fillByTone[getTone(series, value)]}
                opacity={opacityOf(index)}
                rx={Math.min(2, bar / 3)}
              />
            );
          }),
        )}
        <line x2={right} y1={zero} y2={zero} stroke="var(--line-strong)" />
        {[high, low]
          .filter(
            (value) => formatCompact(Math.abs(value)) !== '0' && Math.abs(y(value) - zero) >= labelHeight,
          )
          .map((value) => (
            <text key={value} x={width} y={y(value) + 4} textAnchor="end" fill="var(--text-3)">
              {formatAxis(chart, value)}
            </text>
          ))}
        <text x={width} y={zero + 4} textAnchor="end" fill="var(--text-3)">
          0
        </text>
        {bars.map(({ name }, index) =>
          index % labelEvery === 0 && index * pitch + labelWidth <= right + axisWidth / 2 ? (
            <text
              key={name}
              x={pitch < labelWidth ? index * pitch : (index + 0.5) * pitch}
              y={plotHeight - 4}
              textAnchor={pitch < labelWidth ? 'start' : 'middle'}
              fill="var(--text-3)"
            >
              {name}
            </text>
          ) : null,
        )}
      </svg>
      {active !== null && read ? <Tip chart={chart} bucket={read} left={tipAt(active)} /> : null}
    </div>
  );
}
