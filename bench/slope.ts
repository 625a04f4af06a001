/** A straight line through points, by least squares. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How much y rises with each x; NaN for fewer than two points that lie apart. */
export function slopeOf(points: readonly Point[]): number {
  const mean = (of: (point: Point) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x0, y0] = [mean(({ x }) => x), mean(({ y }) => y)];
  const rise = points.reduce((sum, { x, y }) => sum + (x - x0) * (y - y0), 0);
  const run = points.reduce((sum, { x }) => sum + (x - x0) ** 2, 0);
  return run === 0 ? Number.NaN : rise / run;
}
