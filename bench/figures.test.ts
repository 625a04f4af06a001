import { expect, test } from 'vitest';
import { best, heading, row, runOf } from './figures.ts';

test('a run is its rate over the window and its percentiles, whatever the order of arrival', () => {
  const latencies = Array.from({ length: 200 }, (_, i) => 200 - i);
  expect(runOf('x', 8, latencies, 4)).toEqual({
    name: 'x',
    concurrency: 8,
    perSecond: 50,
    p50Ms: 101,
    p99Ms: 199,
  });
});

test('the best of several runs is the fastest, and nothing measured is an error', () => {
  const [slow, fast] = [runOf('slow', 1, [5], 1), runOf('fast', 8, [5, 6], 1)];
  expect(best([slow, fast])).toBe(fast);
  expect(() => best([])).toThrow('nothing was measured');
});

test('aligns rows with their headings', () => {
  expect(row(runOf('one plpgsql call per order', 16, [1, 2, 3], 1))).toHaveLength(heading().length);
});
