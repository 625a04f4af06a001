import { expect, test } from 'vitest';
import { arcs, getPointAt } from './gauge.ts';

test('the scale runs over half a circle from left to right', () => {
  expect([0, 50, 100].map(getPointAt)).toEqual([
    { x: 16, y: 100 },
    { x: 100, y: 16 },
    { x: 184, y: 100 },
  ]);
});

test('five arcs follow each other from fear to greed', () => {
  expect(arcs.map(({ label }) => label)).toEqual([
    'Extreme Fear',
    'Fear',
    'Neutral',
    'Greed',
    'Extreme Greed',
  ]);
  expect(arcs[0]?.path.startsWith('M16 100A84 84 0 0 1 ')).toBe(true);
  expect(arcs.at(-1)?.path.endsWith(' 184 100')).toBe(true);
});
