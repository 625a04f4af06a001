import { minuteMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { createRetriedRows, failuresMax, rowsAtOnce } from './retried-rows.ts';

/** Rows by number, of which those of `failing` fail. */
function setUp(count: number, failing: Set<number>) {
  let now = 0;
  let tried: number[] = [];
  const logged: number[] = [];
  const run = createRetriedRows<number>({
    now: () => now,
    read: async (last = -1) =>
      Array.from({ length: Math.min(rowsAtOnce, count - last - 1) }, (_, n) => last + 1 + n),
    handle: async (row) => {
      tried.push(row);
      if (failing.has(row)) throw new Error('stuck');
    },
    keyOf: String,
    logFailure: (_, row) => logged.push(row),
  });
  return {
    logged,
    pass: (ms: number) => {
      now += ms;
    },
    /** What a run tries, and the first row that fails. */
    async triedBy(isStopping = () => false) {
      tried = [];
      const outcome = await run(isStopping);
      return [tried, outcome?.firstFailing];
    },
  };
}

test('a row that fails is tried once a minute and logged once, until it succeeds', async () => {
  const failing = new Set([1]);
  const { triedBy, pass, logged } = setUp(3, failing);
  expect(await triedBy()).toEqual([[0, 1, 2], 1]);
  pass(minuteMs - 1);
  expect(await triedBy()).toEqual([[0, 2], 1]);
  pass(1);
  expect(await triedBy()).toEqual([[0, 1, 2], 1]);
  expect(await triedBy()).toEqual([[0, 2], 1]);
  expect(logged).toEqual([1]);
  failing.clear();
  pass(minuteMs);
  expect(await triedBy()).toEqual([[0, 1, 2], undefined]);
  // One that fails anew is new.
  failing.add(1);
  expect(await triedBy()).toEqual([[0, 1, 2], 1]);
  expect(logged).toEqual([1, 1]);
});

test('a run that is stopped leaves what is known as it was', async () => {
  const { triedBy } = setUp(3, new Set([1]));
  await triedBy();
  expect(await triedBy(() => true)).toEqual([[], undefined]);
  expect(await triedBy()).toEqual([[0, 2], 1]);
});

test('a run ends where as many rows fail as are remembered', async () => {
  const count = failuresMax + 1;
  const { triedBy, logged } = setUp(count, new Set(Array.from({ length: count }, (_, n) => n)));
  await triedBy();
  expect(logged).toHaveLength(failuresMax);
  expect(await triedBy()).toEqual([[], 0]);
});
