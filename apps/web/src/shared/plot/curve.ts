/** The geometry of a curve and what it says in words; pure. Times are ms since epoch, values USDT. */
import { formatAmount } from '../numbers/index.ts';

/** A value that was reached at `at` (ms since epoch). */
export interface CurvePoint {
  readonly at: number;
  readonly value: number;
}

/** `steps` holds a value until the next point, `line` moves from one to the other. */
export type CurveKind = 'steps' | 'line';

/** The index of the point that stands for an instant: the one that holds, or the nearest one. */
export function pointAt(points: readonly CurvePoint[], at: number, kind: CurveKind): number {
  const after = points.findIndex((point) => point.at > at);
  const before = (after < 0 ? points.length : after) - 1;
  if (before < 0) return 0;
  const [left, right] = [points[before], after < 0 ? undefined : points[after]];
  if (kind === 'steps' || !left || !right) return before;
  return at - left.at <= right.at - at ? before : after;
}

interface Scale {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
}

/** An SVG path through the points. */
export const pathOf = (points: readonly CurvePoint[], { x, y }: Scale, kind: CurveKind): string =>
  points
    .map(({ at, value }, index) => {
      if (index === 0) return `M${x(at)} ${y(value)}`;
      return kind === 'steps' ? `H${x(at)}V${y(value)}` : `L${x(at)} ${y(value)}`;
    })
    .join('');

const dateAndClock = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
/** `12 Nov, 14:00`. */
export const instantOf = (at: number): string => dateAndClock.format(at);

/** The curve in a sentence, for whoever does not see it. */
export function summaryOf(what: string, points: readonly CurvePoint[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return '';
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => formatAmount(value));
  const [from, to] = [first.value, last.value].map((value) => formatAmount(value));
  return `${what} was ${from} USDT on ${instantOf(first.at)} and is ${to} USDT on ${instantOf(last.at)}; lowest ${low}, highest ${high}.`;
}

const labelsOfAxis = 4;
const dayMs = 86_400_000;
/** A younger account is shown by the hour. */
const hourlyBelowMs = 3 * dayMs;
export const dayLabel = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
const hourLabel = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hour12: false });

/** A few instants along a time axis with their words; none twice. */
export function timesOf(
  first: number,
  last: number,
): readonly { readonly at: number; readonly label: string }[] {
  const labelOf = last - first < hourlyBelowMs ? hourLabel : dayLabel;
  return Array.from({ length: labelsOfAxis }, (_, index) => first + ((last - first) * index) / labelsOfAxis)
    .map((at) => ({ at, label: labelOf.format(at) }))
    .filter(({ label }, index, all) => label !== all[index - 1]?.label);
}
