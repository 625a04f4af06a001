/**
 * A curve with its axis and a readout: the pointer or the arrow keys choose a point, whose time and value the caller
 * shows. Plain SVG: two paths and a few gridlines. A sentence describes it for screen readers.
 */
import { useId } from 'react';
import { formatAmount, formatFigure } from '../../shared/numbers/index.ts';
import {
  type CurveKind,
  type CurvePoint,
  createBalanceAxis,
  describeCurve,
  findPoint,
  getAxisTimes,
  readoutHandlers,
  toCurvePath,
} from '../../shared/plot/index.ts';
import { formatDayAndClock } from '../../shared/time/dates.ts';

export const plotHeight = 128;
export const timesHeight = 22;
export const axisWidth = 56;
const lines = 4;

interface CurvePlotProps {
  /** Such as `Balance`. */
  readonly what: string;
  readonly kind: CurveKind;
  /** At least two, oldest first. */
  readonly points: readonly CurvePoint[];
  readonly width: number;
  /** The index of the chosen point, or null. */
  readonly active: number | null;
  readonly onRead: (index: number | null) => void;
}

export function CurvePlot({ what, kind, points, width, active, onRead }: CurvePlotProps) {
  const summaryId = useId();
  const values = points.map(({ value }) => value);
  const range = createBalanceAxis(Math.min(...values), Math.max(...values), lines);
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 1];
  const span = Math.max(1, last - first);
  const [right, bottom] = [width - axisWidth, plotHeight - timesHeight];
  const top = range.from + range.step * (lines - 1) * 1.08;
  const x = (at: number) => ((at - first) / span) * right;
  const y = (value: number) => ((top - value) / (top - range.from)) * (bottom - 6) + 3;
  const path = toCurvePath(points, { x, y }, kind);
  const decimals = range.step < 1 ? 2 : 0;
  const end = points.length - 1;
  const read = active === null ? undefined : points[active];
  const spoken = read ?? points[end];

  const from = active ?? end;
  const events = readoutHandlers({
    active: from,
    end,
    onRead,
    indexAt: (offset) =>
      findPoint(points, first + (Math.min(Math.max(offset, 0), right) / right) * span, kind),
  });

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`${what} over time`}
      aria-describedby={summaryId}
      aria-valuemin={0}
      aria-valuemax={end}
      aria-valuenow={from}
      aria-valuetext={spoken ? `${formatDayAndClock(spoken.at)}: ${formatAmount(spoken.value)} USDT` : ''}
      {...events}
      className="touch-pan-y rounded-[4px]"
    >
      <svg width={width} height={plotHeight} aria-hidden="true" className="figures block text-11">
        {Array.from({ length: lines }, (_, index) => range.from + index * range.step).map((value) => (
          <g key={value}>
            <line x2={right} y1={y(value)} y2={y(value)} stroke="var(--grid)" />
            <text x={width} y={y(value) + 4} textAnchor="end" fill="var(--text-3)">
              {formatFigure(value, decimals)}
            </text>
          </g>
        ))}
        {getAxisTimes(first, last).map(({ at, label }) => (
          <text key={at} x={x(at)} y={plotHeight - 4} fill="var(--text-3)">
            {label}
          </text>
        ))}
        <path d={`${path}V${bottom}H0Z`} fill="var(--accent-weak)" />
        <path d={path} fill="none" stroke="var(--accent)" strokeWidth="1.5" strokeLinejoin="round" />
        {read ? (
          <g>
            <line x1={x(read.at)} x2={x(read.at)} y2={bottom} stroke="var(--text-3)" strokeDasharray="2 3" />
            <circle
              cx={x(read.at)}
              cy={y(read.value)}
              r="4"
              fill="var(--accent)"
              stroke="var(--surface)"
              strokeWidth="2"
            />
          </g>
        ) : null}
      </svg>
      <span id={summaryId} className="sr-only">
        {describeCurve(what, points)}
      </span>
    </div>
  );
}
