/**
 * A curve with its axis and a readout: the pointer or the arrow keys choose a point, whose time and value the caller shows.
 * Plain SVG: two paths and a few gridlines. What it shows is also told as one sentence.
 */
import { type KeyboardEvent, type PointerEvent, useId } from 'react';
import { formatAmount, formatFigure } from '../../shared/numbers/index.ts';
import { balanceAxis } from './axis.ts';
import { type CurveKind, instantOf, pathOf, pointAt, summaryOf } from './curve.ts';
import type { CurvePoint } from './equity.ts';

export const plotHeight = 128;
export const timesHeight = 22;
export const axisWidth = 56;
const lines = 4;
const labels = 4;
const dayMs = 86_400_000;
/** A younger account is shown by the hour. */
const hourlyBelowMs = 3 * dayMs;
export const dayLabel = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
const hourLabel = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hour12: false });

function timesOf(first: number, last: number): readonly { readonly at: number; readonly label: string }[] {
  const labelOf = last - first < hourlyBelowMs ? hourLabel : dayLabel;
  return Array.from({ length: labels }, (_, index) => first + ((last - first) * index) / labels)
    .map((at) => ({ at, label: labelOf.format(at) }))
    .filter(({ label }, index, all) => label !== all[index - 1]?.label);
}

interface CurvePlotProps {
  /** `Balance`. */
  readonly what: string;
  readonly kind: CurveKind;
  /** At least two, oldest first. */
  readonly points: readonly CurvePoint[];
  readonly width: number;
  /** The index of the point that is read, or null. */
  readonly active: number | null;
  readonly onRead: (index: number | null) => void;
}

export function CurvePlot({ what, kind, points, width, active, onRead }: CurvePlotProps) {
  const summaryId = useId();
  const values = points.map(({ value }) => value);
  const range = balanceAxis(Math.min(...values), Math.max(...values), lines);
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 1];
  const span = Math.max(1, last - first);
  const [right, bottom] = [width - axisWidth, plotHeight - timesHeight];
  const top = range.from + range.step * (lines - 1) * 1.08;
  const x = (at: number) => ((at - first) / span) * right;
  const y = (value: number) => ((top - value) / (top - range.from)) * (bottom - 6) + 3;
  const path = pathOf(points, { x, y }, kind);
  const decimals = range.step < 1 ? 2 : 0;
  const end = points.length - 1;
  const read = active === null ? undefined : points[active];
  const spoken = read ?? points[end];

  const point = (event: PointerEvent<HTMLElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const at = first + (Math.min(Math.max(event.clientX - left, 0), right) / right) * span;
    onRead(pointAt(points, at, kind));
  };
  const from = active ?? end;
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
    <div
      role="slider"
      tabIndex={0}
      aria-label={`${what} over time`}
      aria-describedby={summaryId}
      aria-valuemin={0}
      aria-valuemax={end}
      aria-valuenow={from}
      aria-valuetext={spoken ? `${instantOf(spoken.at)}: ${formatAmount(spoken.value)} USDT` : ''}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => onRead(null)}
      onKeyDown={key}
      onBlur={() => onRead(null)}
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
        {timesOf(first, last).map(({ at, label }) => (
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
        {summaryOf(what, points)}
      </span>
    </div>
  );
}
