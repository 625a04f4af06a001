import { expect, test } from 'vitest';
import { forEachLimited } from './batch.ts';

const nextTask = () => new Promise((resolve) => setTimeout(resolve, 0));

test('every item is sent, and never more than the limit are in flight', async () => {
  let [underWay, most] = [0, 0];
  const seen: number[] = [];
  const action = async (item: number) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await nextTask();
    seen.push(item);
    underWay -= 1;
  };
  await forEachLimited([1, 2, 3, 4, 5, 6, 7], 4, action, () => false);
  expect(seen.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(4);
});

test('stopping lets items in flight finish and sends nothing more', async () => {
  const seen: number[] = [];
  let stopped = false;
  const action = async (item: number) => {
    await nextTask();
    seen.push(item);
    stopped = true;
  };
  await forEachLimited([1, 2, 3, 4, 5], 2, action, () => stopped);
  expect(seen.toSorted((a, b) => a - b)).toEqual([1, 2]);
});
