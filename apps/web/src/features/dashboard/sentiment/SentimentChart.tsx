/**
 * Twelve hourly points on a fixed axis of -50 to 50 (DASH-12, DASH-14), in the gain colour above zero and the loss
 * colour below, the last one ringed. The pointer or the arrow keys choose a point, which the caller shows. A table
 * has the same figures for screen readers. Plain SVG.
 */
import type { MarketSentiment } from '@fulcrum/contract';
import { SENTIMENT_BOUND } from '@fulcrum/domain';
import { type KeyboardEvent, type PointerEvent, useId } from 'react';
import { type Direction, directionOf, formatFigure } from '../../../shared/numbers/index.ts';
import { formatClock } from '../../../shared/time/dates.ts';
import { type Point, splitRuns, toAreaPath, toLinePath } from './line-path.ts';

export const chartHeight = 224;
const axisWidth = 36;
/** Half of the last label, which is centred under the last point. */
const rightWidth = 16;
const top = 10;
const hoursHeight = 30;
const axis = [50, 25, 0, -25, -50] as const;
/** Minimum spacing for '05:00' under each point. */
const wholeLabelStep = 38;

const colours: Record<Direction, string> = { up: 'var(--up)', down: 'var(--down)', none: 'var(--text-2)' };
type HourlyPoint = MarketSentiment['points'][number];

const pointsText = (value: number | null): string => formatFigure(value, 0, 'always');

/** Full hours are labelled by the hour alone; otherwise every second point has a full label. */
function getLabels(points: readonly HourlyPoint[], step: number): readonly string[] {
  const clocks = points.map(({ hour }) => formatClock(hour));
  if (step >= wholeLabelStep) return clocks;
  if (clocks.every((clock) => clock.endsWith(':00'))) return clocks.map((clock) => clock.slice(0, 2));
  return clocks.map((clock, index) => ((clocks.length - 1 - index) % 2 === 0 ? clock : ''));
}

function describePoints(points: readonly HourlyPoint[]): string {
  const known = points.flatMap(({ value }) => value ?? []);
  const last = points.at(-1)?.value ?? null;
  if (known.length === 0) return 'Not known for any of the last 12 hours.';
  const now = last === null ? 'not known for the running hour' : `${pointsText(last)} now`;
  const [least, most] = [pointsText(Math.min(...known)), pointsText(Math.max(...known))];
  return `Market sentiment: ${now}, between ${least} and ${most} in the last 12 hours, on a scale of \u221250 to +50.`;
}

interface SentimentChartProps {
  readonly points: readonly HourlyPoint[];
  readonly width: number;
  /** The index of the chosen point, or null. */
  readonly active: number | null;
  readonly onRead: (index: number | null) => void;
}

export function SentimentChart({ points, width, active, onRead }: SentimentChartProps) {
  const id = useId();
  const end = points.length - 1;
  const bottom = chartHeight - hoursHeight;
  const step = Math.max(1, (width - axisWidth - rightWidth) / Math.max(1, end));
  const x = (index: number) => axisWidth + index * step;
  const y = (value: number) => top + ((SENTIMENT_BOUND - value) / (2 * SENTIMENT_BOUND)) * (bottom - top);
  const placed = points.map(({ value }, index): Point | null =>
    value === null ? null : { x: x(index), y: y(value) },
  );
  const runs = splitRuns(placed);
  const labels = getLabels(points, step);
  const from = active ?? end;
  const read = points[from];

  const point = (event: PointerEvent<HTMLElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const index = Math.round((event.clientX - left - axisWidth) / step);
    onRead(Math.min(end, Math.max(0, index)));
  };
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: Math.max(0, from - 1),
    ArrowRight: Math.min(end, from + 1),
    Home: 0,
    End: end,
  };
  const key = (event: KeyboardEvent) => {
    const to = moves[event.key];
    if (event.key === 'Escape') onRead(null);
    if (to === undefined) return;
    event.preventDefault();
    onRead(to);
  };

  return (
    <>
      <div
        role="slider"
        tabIndex={0}
        aria-label="Market sentiment by hour"
        aria-describedby={`${id}summary`}
        aria-valuemin={0}
        aria-valuemax={end}
        aria-valuenow={from}
        aria-valuetext={read ? `${formatClock(read.hour)}: ${describePoint(read.value)}` : ''}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => onRead(null)}
        onKeyDown={key}
        onBlur={() => onRead(null)}
        className="touch-pan-y rounded-[4px]"
      >
        <svg width={width} height={chartHeight} aria-hidden="true" className="figures block text-11">
          <clipPath id={`${id}up`}>
            <rect width={width} height={y(0)} />
          </clipPath>
          <clipPath id={`${id}down`}>
            <rect y={y(0)} width={width} height={chartHeight} />
          </clipPath>
          {axis.map((value) => (
            <g key={value}>
              <line
                x1={axisWidth}
                x2={x(end)}
                y1={y(value)}
                y2={y(value)}
                stroke={value === 0 ? 'var(--line-strong)' : 'var(--grid)'}
              />
              <text x={axisWidth - 10} y={y(value) + 4} textAnchor="end" fill="var(--text-3)">
                {pointsText(value)}
              </text>
            </g>
          ))}
          {points.map(({ hour }, index) => (
            <text key={hour} x={x(index)} y={chartHeight - 8} textAnchor="middle" fill="var(--text-3)">
              {labels[index]}
            </text>
          ))}
          {(['up', 'down'] as const).map((side) => (
            <g key={side} clipPath={`url(#${id}${side})`}>
              <path d={runs.map((run) => toAreaPath(run, y(0))).join('')} fill={`var(--${side}-weak)`} />
              <path
                d={runs.map(toLinePath).join('')}
                fill="none"
                stroke={`var(--${side})`}
                strokeWidth="1.75"
                strokeLinejoin="round"
              />
            </g>
          ))}
          {active === null ? null : (
            <line
              x1={x(active)}
              x2={x(active)}
              y1={top}
              y2={bottom}
              stroke="var(--text-3)"
              strokeDasharray="2 3"
            />
          )}
          {placed.map((dot, index) =>
            dot === null ? null : (
              <Dot
                // biome-ignore lint/suspicious/noArrayIndexKey: a point is identified by its index on the axis
                key={index}
                at={dot}
                colour={colours[directionOf(points[index]?.value, 0)]}
                isRinged={index === from}
              />
            ),
          )}
          {runs.length > 0 ? null : (
            <text
              x={(axisWidth + x(end)) / 2}
              y={y(0) - 12}
              textAnchor="middle"
              fill="var(--text-2)"
              fontSize="13"
            >
              Not enough hourly bars yet
            </text>
          )}
        </svg>
        <span id={`${id}summary`} className="sr-only">
          {describePoints(points)}
        </span>
      </div>
      <table className="sr-only">
        <caption>Market sentiment of the last 12 hours</caption>
        <thead>
          <tr>
            <th scope="col">Hour</th>
            <th scope="col">Sentiment</th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ hour, value }) => (
            <tr key={hour}>
              <th scope="row">{formatClock(hour)}</th>
              <td>{describePoint(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const describePoint = (value: number | null): string =>
  value === null ? 'not available' : pointsText(value);

interface DotProps {
  readonly at: Point;
  readonly colour: string;
  readonly isRinged: boolean;
}

function Dot({ at, colour, isRinged }: DotProps) {
  if (!isRinged) return <circle cx={at.x} cy={at.y} r="2.5" fill={colour} />;
  return (
    <>
      <circle cx={at.x} cy={at.y} r="8" fill={colour} opacity="0.2" />
      <circle cx={at.x} cy={at.y} r="4.5" fill={colour} stroke="var(--surface)" strokeWidth="2" />
    </>
  );
}
