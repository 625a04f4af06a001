import { expect, test } from 'vitest';
import type { CurvePoint } from '../../shared/plot/index.ts';
import { equityPoints, thinPoints } from './equity.ts';

test('points are oldest first, and the present is last and never before its predecessor', () => {
  const at = (minute: number) => `2026-11-19T10:0${minute}:00Z`;
  const snapshots = [
    { at: at(2), equity: 12 },
    { at: at(1), equity: 11 },
  ];
  expect(equityPoints(snapshots, 13, Date.parse(at(3))).map(({ value }) => value)).toEqual([11, 12, 13]);
  expect(equityPoints(snapshots, 13, Date.parse(at(0))).at(-1)?.at).toBe(Date.parse(at(2)));
  expect(equityPoints(snapshots, null, 0)).toHaveLength(2);
});

test('a thinned curve retains its ends, its order and its spikes', () => {
  const points = Array.from(
    { length: 1_000 },
    (_, at): CurvePoint => ({ at, value: at === 500 ? 99 : at % 7 }),
  );
  const thinned = thinPoints(points, 120);
  expect(thinned.length).toBeLessThanOrEqual(122);
  expect([thinned[0], thinned.at(-1)]).toEqual([points[0], points.at(-1)]);
  expect(thinned.some(({ value }) => value === 99)).toBe(true);
  expect(thinned.every(({ at }, index) => index === 0 || at > (thinned[index - 1]?.at ?? 0))).toBe(true);
  expect(thinPoints(points.slice(0, 5), 120)).toHaveLength(5);
});
