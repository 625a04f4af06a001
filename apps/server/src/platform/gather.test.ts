import { expect, test, vi } from 'vitest';
import { createGather } from './gather.ts';

const settle = () => new Promise(setImmediate);

test('one turn goes together; what comes meanwhile goes with the next; each caller gets its own result', async () => {
  const runs: number[][] = [];
  let finish = () => {};
  const double = createGather<number, number>(
    async (items) => {
      runs.push([...items]);
      await new Promise<void>((done) => {
        finish = done;
      });
      return items.map((item) => item * 2);
    },
    { itemsMax: 3 },
  );
  const first = [double(1), double(2)];
  await settle();
  const later = [3, 4, 5, 6].map(double);
  await settle();
  expect(runs).toEqual([[1, 2]]);
  finish();
  expect(await Promise.all(first)).toEqual([2, 4]);
  await settle();
  finish();
  await settle();
  finish();
  expect(await Promise.all(later)).toEqual([6, 8, 10, 12]);
  expect(runs).toEqual([[1, 2], [3, 4, 5], [6]]);
});

test('a failure rejects those who took part in it, and the next call runs again', async () => {
  const run = vi.fn(async (items: readonly string[]) => items).mockRejectedValueOnce(new Error('gone'));
  const gather = createGather(run, { itemsMax: 10 });
  const requested = [gather('a'), gather('b')];
  for (const one of requested) await expect(one).rejects.toThrow('gone');
  expect(await gather('c')).toBe('c');
});
