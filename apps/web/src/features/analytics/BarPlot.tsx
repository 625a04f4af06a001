/**
 * Results as bars from a zero line: gains up, losses down, each read by the pointer or the arrow keys. Colour is not
 * the only sign: the side of the line shows the same, and so does the table behind it.
 */
import { useState } from 'react';
import { formatCompact, formatFigure, formatPnl, Pnl } from '../../shared/numbers/index.ts';
import { readoutHandlers } from '../../shared/plot/index.ts';
import { useWidth } from '../../shared/ui/index.ts';

export interface Bar {
  /** Such as `Mon 16 Nov`. */
  readonly name: string;
  /** The label beneath it where it fits, such as `16 Nov`. */
  readonly tick: string;
  readonly trades: number;
  readonly net: number;
}

export const barsHeight = 132;
const timesHeight = 20;
const axisWidth = 60;
/** Narrower bars would not be distinguishable. */
const leastPitch = 3;
const labelWidth = 52;
/** The maximum width of a label. */
const tickWidth = 38;
/** Closer to the zero label, another label would overlap it. */
const labelHeight = 14;

const formatTradeCount = (trades: number): string =>
  `${formatFigure(trades, 0)} ${trades === 1 ? 'trade' : 'trades'}`;

/** The bound is a result, so a small one is not rounded to zero. */
function axisText(value: number): string {
  const size = Math.abs(value);
  if (size >= 1000) return formatCompact(value);
  return formatFigure(value, size < 10 ? 2 : 0);
}

interface BarPlotProps {
  readonly title: string;
  /** The row header of the table, such as `Day`. */
  readonly unit: string;
  readonly bars: readonly Bar[];
  /** Which bar always has its label: for days the last (today), for hours the first (midnight). */
  readonly named: 'first' | 'last';
  /** Shown when there are no bars. */
  readonly empty: string;
}

interface PlotProps extends Pick<BarPlotProps, 'title' | 'named'> {
  readonly bars: readonly Bar[];
  readonly width: number;
  readonly active: number | null;
  readonly onRead: (index: number | null) => void;
}

function Plot({ title, named, bars, width, active, onRead }: PlotProps) {
  const right = width - axisWidth;
  const bottom = barsHeight - timesHeight;
  const [low, high] = [
    Math.min(0, ...bars.map(({ net }) => net)),
    Math.max(0, ...bars.map(({ net }) => net)),
  ];
  const span = high - low || 1;
  const y = (value: number) => 6 + ((high - value) / span) * (bottom - 12);
  const zero = high === low ? bottom / 2 : y(0);
  const pitch = right / bars.length;
  const bar = Math.max(1, Math.min(pitch - 1, pitch * 0.72, 28));
  const labelEvery = Math.max(1, Math.ceil(labelWidth / pitch));
  const end = bars.length - 1;
  const hasName = (index: number) => (named === 'first' ? index : end - index) % labelEvery === 0;
  const from = active ?? end;
  const read = bars[from];
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={title}
      aria-valuemin={0}
      aria-valuemax={end}
      aria-valuenow={from}
      aria-valuetext={
        read ? `${read.name}: ${formatTradeCount(read.trades)}, ${formatPnl(read.net)} USDT` : ''
      }
      {...readoutHandlers({
        active: from,
        end,
        onRead,
        indexAt: (offset) => Math.min(end, Math.max(0, Math.floor(offset / pitch))),
      })}
      className="touch-pan-y rounded-[4px]"
    >
      <svg
        width={width}
        height={barsHeight}
        aria-hidden="true"
        className="figures block overflow-visible text-11"
      >
        {active === null ? null : (
          <rect x={active * pitch} width={pitch} height={bottom} fill="var(--accent-weak)" rx="2" />
        )}
        {bars.map(({ name, net }, index) =>
          net === 0 ? null : (
            <rect
              key={name}
              x={index * pitch + (pitch - bar) / 2}
              width={bar}
              y={Math.min(y(net), zero)}
              height={Math.max(1, Math.abs(y(net) - zero))}
              fill={net > 0 ? 'var(--up)' : 'var(--down)'}
              rx={Math.min(2, bar / 3)}
            />
          ),
        )}
        <line x2={right} y1={zero} y2={zero} stroke="var(--line-strong)" />
        {[high, low]
          .filter((value) => Math.abs(y(value) - zero) >= labelHeight)
          .map((value) => (
            <text key={value} x={width} y={y(value) + 4} textAnchor="end" fill="var(--text-3)">
              {axisText(value)}
            </text>
          ))}
        <text x={width} y={zero + 4} textAnchor="end" fill="var(--text-3)">
          0
        </text>
        {bars.map(({ name, tick }, index) =>
          hasName(index) && (named === 'first' || (index + 0.5) * pitch >= tickWidth / 2) ? (
            <text
              key={name}
              x={(index + 0.5) * pitch}
              y={barsHeight - 4}
              textAnchor="middle"
              fill="var(--text-3)"
            >
              {tick}
            </text>
          ) : null,
        )}
      </svg>
    </div>
  );
}

export function BarPlot({ title, unit, bars, named, empty }: BarPlotProps) {
  const [ref, width] = useWidth();
  const [active, setActive] = useState<number | null>(null);
  const fitting = Math.max(1, Math.floor((width - axisWidth) / leastPitch));
  const shown = bars.slice(-fitting);
  const index = active === null ? null : Math.min(active, shown.length - 1);
  const read = index === null ? undefined : shown[index];
  const trades = shown.reduce((sum, bar) => sum + bar.trades, 0);
  const plot = () => {
    if (bars.length === 0 || trades === 0) {
      return <p className="grid h-full place-items-center text-13 text-text-2">{empty}</p>;
    }
    if (width <= axisWidth) return null;
    return <Plot title={title} named={named} bars={shown} width={width} active={index} onRead={setActive} />;
  };
  return (
    <div className="relative min-w-0 p-4">
      <div className="flex h-7 items-center justify-between gap-4">
        <h3 className="text-13 font-semibold">{title}</h3>
        <p className="figures truncate text-12 text-text-3">
          {read ? (
            <>
              {`${read.name} · ${formatTradeCount(read.trades)} `}
              <Pnl value={read.net} />
            </>
          ) : (
            'USDT, after fees'
          )}
        </p>
      </div>
      <div ref={ref} className="mt-2" style={{ height: barsHeight }}>
        {plot()}
      </div>
      <table className="sr-only">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{unit}</th>
            <th scope="col">Trades</th>
            <th scope="col">Net result, USDT</th>
          </tr>
        </thead>
        <tbody>
          {bars
            .filter((bar) => bar.trades > 0)
            .map((bar) => (
              <tr key={bar.name}>
                <th scope="row">{bar.name}</th>
                <td>{bar.trades}</td>
                <td>{formatPnl(bar.net)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
