import { expect, test } from 'vitest';
import { eachOf } from './batch.ts';

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

test('every item has its turn, and never more than the limit are under way', async () => {
  let [underWay, most] = [0, 0];
  const seen: number[] = [];
  const act = async (item: number) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await turn();
    seen.push(item);
    underWay -= 1;
  };
  await eachOf([1, 2, 3, 4, 5, 6, 7], 4, act, () => false);
  expect(seen.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(4);
});

test('stopping lets what is under way finish and sends nothing more', async () => {
  const seen: number[] = [];
  let stopped = false;
  const act = async (item: number) => {
    await turn();
    seen.push(item);
    stopped = true;
  };
  await eachOf([1, 2, 3, 4, 5], 2, act, () => stopped);
  expect(seen.toSorted((a, b) => a - b)).toEqual([1, 2]);
});
