/** Geometry and text description of a curve; pure. Times are ms since epoch, values USDT. */
import { dayMs } from '@fulcrum/domain';
import { formatAmount } from '../numbers/index.ts';
import { formatClock, formatDayAndClock, formatShortDay } from '../time/dates.ts';

/** A value at time `at` (ms since epoch). */
export interface CurvePoint {
  readonly at: number;
  readonly value: number;
}

/** `steps` keeps a value until the next point, `line` interpolates. */
export type CurveKind = 'steps' | 'line';

/** The index of the point for a time: the one in effect, or the nearest. */
export function findPoint(points: readonly CurvePoint[], at: number, kind: CurveKind): number {
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
export const toCurvePath = (points: readonly CurvePoint[], { x, y }: Scale, kind: CurveKind): string =>
  points
    .map(({ at, value }, index) => {
      if (index === 0) return `M${x(at)} ${y(value)}`;
      return kind === 'steps' ? `H${x(at)}V${y(value)}` : `L${x(at)} ${y(value)}`;
    })
    .join('');

/** The curve in a sentence, for screen readers. */
export function describeCurve(what: string, points: readonly CurvePoint[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return '';
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => formatAmount(value));
  const [from, to] = [first.value, last.value].map((value) => formatAmount(value));
  return `${what} was ${from} USDT on ${formatDayAndClock(first.at)} and is ${to} USDT on ${formatDayAndClock(last.at)}; lowest ${low}, highest ${high}.`;
}

const axisLabelCount = 4;
/** A shorter range is labelled by the hour. */
const hourlyBelowMs = 3 * dayMs;

/** A few labelled times along a time axis; no label occurs twice. */
export function getAxisTimes(
  first: number,
  last: number,
): readonly { readonly at: number; readonly label: string }[] {
  const formatLabel = last - first < hourlyBelowMs ? formatClock : formatShortDay;
  return Array.from(
    { length: axisLabelCount },
    (_, index) => first + ((last - first) * index) / axisLabelCount,
  )
    .map((at) => ({ at, label: formatLabel(at) }))
    .filter(({ label }, index, all) => label !== all[index - 1]?.label);
}
