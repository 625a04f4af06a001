/** Points of a curve: SVG paths, search, and the text description; pure. Times are ms since the epoch. */
import { formatAmount } from '../numbers/index.ts';
import { formatDayAndClock } from '../time/dates.ts';

/** A value (USDT) at time `at`. */
export interface CurvePoint {
  readonly at: number;
  readonly value: number;
}

/**
 * `steps` keeps a value until the next point, `line` is straight. `smooth` is flat at an extreme and exceeds no point (Fritsch
 * and Carlson, 1980), so the curve shows no extreme that was not measured.
 */
export type CurveKind = 'steps' | 'line' | 'smooth';

/** A point on the screen, px, y down. */
export interface Position {
  readonly x: number;
  readonly y: number;
}

/** Runs of existing neighbours, in order; a lone point is its own run. */
export function splitRuns(points: readonly (Position | null)[]): readonly (readonly Position[])[] {
  const runs: Position[][] = [];
  let isBroken = true;
  for (const point of points) {
    if (point !== null && isBroken) runs.push([]);
    if (point !== null) runs.at(-1)?.push(point);
    isBroken = point === null;
  }
  return runs;
}

/** A tenth of a px is precise enough. */
const round = (length: number): number => Math.round(length * 10) / 10;
const pair = ({ x, y }: Position): string => `${round(x)} ${round(y)}`;
const getSlope = (from: Position, to: Position): number => (to.y - from.y) / (to.x - from.x);

/** At an inner point: flat at an extreme, else the harmonic mean of both sides. */
function slopeAt(points: readonly Position[], index: number): number {
  const [before, here, after] = [points[index - 1], points[index], points[index + 1]];
  if (here === undefined) return 0;
  if (before === undefined) return after === undefined ? 0 : getSlope(here, after);
  if (after === undefined) return getSlope(before, here);
  const [left, right] = [getSlope(before, here), getSlope(here, after)];
  return left * right <= 0 ? 0 : (2 * left * right) / (left + right);
}

/** The path of a run; for `smooth`, `x` must increase from point to point. */
export function toLinePath(points: readonly Position[], kind: CurveKind): string {
  const piece = (to: Position, index: number): string => {
    const from = points[index - 1];
    if (from === undefined) return `M${pair(to)}`;
    if (kind === 'steps') return `H${round(to.x)}V${round(to.y)}`;
    if (kind === 'line') return `L${pair(to)}`;
    const third = (to.x - from.x) / 3;
    const leaves = { x: from.x + third, y: from.y + slopeAt(points, index - 1) * third };
    const arrives = { x: to.x - third, y: to.y - slopeAt(points, index) * third };
    return `C${pair(leaves)} ${pair(arrives)} ${pair(to)}`;
  };
  return points.map(piece).join('');
}

/** From the line to the height `base`. */
export function toAreaPath(points: readonly Position[], kind: CurveKind, base: number): string {
  const first = points[0];
  return first === undefined ? '' : `${toLinePath(points, kind)}V${round(base)}H${round(first.x)}Z`;
}

/** The index of the point for a time: the one in effect, or the nearest. */
export function findPoint(times: readonly number[], at: number, kind: CurveKind): number {
  const after = times.findIndex((time) => time > at);
  const before = (after < 0 ? times.length : after) - 1;
  if (before < 0) return 0;
  const [left, right] = [times[before], times[before + 1]];
  if (kind === 'steps' || left === undefined || right === undefined) return before;
  return at - left <= right - at ? before : after;
}

/** The curve in a sentence, for screen readers. */
export function describeCurve(what: string, points: readonly CurvePoint[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return '';
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => formatAmount(value));
  const [from, to] = [first.value, last.value].map((value) => formatAmount(value));
  return `${what} was ${from} USDT on ${formatDayAndClock(first.at)} and is ${to} USDT on ${formatDayAndClock(last.at)}; lowest ${low}, highest ${high}.`;
}
