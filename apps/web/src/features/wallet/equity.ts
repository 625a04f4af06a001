/**
 * Equity over time (A108); shared/account defines equity at an instant. The past comes from the server's snapshots,
 * hourly and at each close; the last point is the present.
 */
import type { CurvePoint } from '../../shared/plot/index.ts';

export interface Snapshot {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly equity: number;
}

/** Snapshots (in any order) and the present as points, oldest first. */
export function equityPoints(
  snapshots: readonly Snapshot[],
  present: number | null,
  now: number,
): readonly CurvePoint[] {
  const past = snapshots
    .map(({ at, equity }): CurvePoint => ({ at: Date.parse(at), value: equity }))
    .sort((a, b) => a.at - b.at);
  if (present === null) return past;
  // This clock may be behind the server's.
  return [...past, { at: Math.max(now, past.at(-1)?.at ?? now), value: present }];
}

/**
 * At most about `most` points with the curve's shape: the first and the last, and the lowest and highest of each
 * stretch between, so that no spike is lost.
 */
export function thinPoints(points: readonly CurvePoint[], most: number): readonly CurvePoint[] {
  const [first, last] = [points[0], points.at(-1)];
  if (points.length <= most || !first || !last) return points;
  const inner = points.slice(1, -1);
  const perStretch = Math.ceil((inner.length * 2) / (most - 2));
  const thinnedPoints: CurvePoint[] = [first];
  for (let from = 0; from < inner.length; from += perStretch) {
    const stretch = inner.slice(from, from + perStretch);
    const low = stretch.reduce((least, point) => (point.value < least.value ? point : least));
    const high = stretch.reduce((top, point) => (point.value > top.value ? point : top));
    thinnedPoints.push(...(low.at < high.at ? [low, high] : low === high ? [low] : [high, low]));
  }
  return [...thinnedPoints, last];
}
