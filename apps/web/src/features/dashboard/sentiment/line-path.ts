/**
 * The line of the sentiment chart as SVG paths. Between two points it is smooth and never exceeds either of them
 * (Fritsch and Carlson, 1980), so the curve shows no extreme that was not measured. A missing point breaks the line.
 */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Runs of existing neighbours, in order; a lone point is its own run. */
export function splitRuns(points: readonly (Point | null)[]): readonly (readonly Point[])[] {
  const runs: Point[][] = [];
  let isBroken = true;
  for (const point of points) {
    if (point !== null && isBroken) runs.push([]);
    if (point !== null) runs.at(-1)?.push(point);
    isBroken = point === null;
  }
  return runs;
}

const getSlope = (from: Point, to: Point): number => (to.y - from.y) / (to.x - from.x);

/** At an inner point: flat at an extreme, else the harmonic mean of both sides. */
function slopeAt(points: readonly Point[], index: number): number {
  const [before, here, after] = [points[index - 1], points[index], points[index + 1]];
  if (here === undefined) return 0;
  if (before === undefined) return after === undefined ? 0 : getSlope(here, after);
  if (after === undefined) return getSlope(before, here);
  const [left, right] = [getSlope(before, here), getSlope(here, after)];
  return left * right <= 0 ? 0 : (2 * left * right) / (left + right);
}

/** `x` must increase from point to point. */
export function toLinePath(points: readonly Point[]): string {
  const [first] = points;
  if (first === undefined) return '';
  const pieces = points.slice(1).map((to, index) => {
    const from = points[index] ?? to;
    const third = (to.x - from.x) / 3;
    const leaves = from.y + slopeAt(points, index) * third;
    const arrives = to.y - slopeAt(points, index + 1) * third;
    return `C${pair(from.x + third, leaves)} ${pair(to.x - third, arrives)} ${pair(to.x, to.y)}`;
  });
  return `M${pair(first.x, first.y)}${pieces.join('')}`;
}

/** From the line to the height `base`. */
export function toAreaPath(points: readonly Point[], base: number): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return '';
  return `${toLinePath(points)}L${pair(last.x, base)}L${pair(first.x, base)}Z`;
}

/** A tenth of a px is precise enough. */
const pair = (x: number, y: number): string => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
