/**
 * The shape of the banner's curve and its text alternative; pure. It shows the trading result: equity less deposits
 * and withdrawals since the first point, so a deposit is no jump. Times are ms since the epoch, values USDT.
 */
import { dayMs } from '@fulcrum/domain';
import { formatAmount } from '../../../shared/numbers/index.ts';
import { formatDayAndMonth } from '../../../shared/time/dates.ts';

export interface CurvePoint {
  readonly at: number;
  readonly result: number;
}

export interface Sparkline {
  /** In a box of 100 × 100, y down. */
  readonly line: string;
  readonly area: string;
  /** The heights of the start's value and the last point, in per cent. */
  readonly startY: number;
  readonly endY: number;
}

/** Keeps the line's width and the end's dot inside the box. */
const margin = 6;
const round = (value: number): number => Math.round(value * 100) / 100;

/** Needs at least two points, oldest first; null for fewer. */
export function toSparkline(points: readonly CurvePoint[]): Sparkline | null {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return null;
  const results = points.map(({ result }) => result);
  const [low, high] = [Math.min(...results), Math.max(...results)];
  const spread = high - low;
  const span = Math.max(1, last.at - first.at);
  const x = (at: number) => round(((at - first.at) / span) * 100);
  // A constant result is a line in the middle.
  const y = (result: number) =>
    round(spread === 0 ? 50 : margin + ((high - result) / spread) * (100 - 2 * margin));
  const line = points
    .map(({ at, result }, index) => `${index === 0 ? 'M' : 'L'}${x(at)} ${y(result)}`)
    .join('');
  return {
    line,
    area: `${line}V100H0Z`,
    startY: y(first.result),
    endY: y(last.result),
  };
}

export const curveDays = 28;

/** Such as `Equity, 28 days`, or since when there is one. */
export function formatCurveTitle(points: readonly CurvePoint[], now: number): string {
  const first = points[0]?.at;
  if (first === undefined || first <= now - (curveDays - 1) * dayMs) return `Equity, ${curveDays} days`;
  return `Equity since ${formatDayAndMonth(first)}`;
}

/** The curve as a sentence for screen readers. */
export function describeCurve(points: readonly CurvePoint[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return '';
  const results = points.map(({ result }) => result - first.result);
  const [low, high] = [Math.min(...results), Math.max(...results)].map((value) =>
    formatAmount(value, 'always'),
  );
  const gain = formatAmount(last.result - first.result, 'always');
  return `Equity net of deposits from ${formatDayAndMonth(first.at)} to ${formatDayAndMonth(last.at)}: ${gain} USDT, at the lowest ${low}, at the highest ${high}.`;
}
