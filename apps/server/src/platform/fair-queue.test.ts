import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

const tick = () => new Promise((resolve) => setImmediate(resolve));

test('no more than allowed run at once, past failures, and askers take turns', async () => {
  const inTurn = createFairQueue({ runningMax: 2, waitingMax: 100, waitingOfOneMax: 100 });
  const began: string[] = [];
  let running = 0;
  let most = 0;
  const ask = (asker: string) =>
    inTurn(asker, async () => {
      began.push(asker);
      running += 1;
      most = Math.max(most, running);
      await tick();
      running -= 1;
      if (asker === 'ada') throw new Error('lost');
    });
  const asked = ['crowd', 'crowd', 'crowd', 'crowd', 'crowd', 'ada', 'bob'];
  const done = await Promise.allSettled(asked.map(ask));
  expect(most).toBe(2);
  expect(began).toEqual(['crowd', 'crowd', 'crowd', 'ada', 'bob', 'crowd', 'crowd']);
  expect(done.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(1);
  await inTurn('late', tick);
});

test('who wants too much is told so at once', async () => {
  const inTurn = createFairQueue({ runningMax: 1, waitingMax: 3, waitingOfOneMax: 2 });
  const ask = (asker: string) => inTurn(asker, tick);
  const under = [ask('a'), ask('a'), ask('a')];
  await expect(ask('a')).rejects.toMatchObject({ code: 'busy' });
  await Promise.all(under);
  await ask('a');
});

test('of a full queue whoever wants most gives way to who wants less, and where all want alike the last one', async () => {
  const inTurn = createFairQueue({ runningMax: 1, waitingMax: 3, waitingOfOneMax: 3 });
  const began: string[] = [];
  const ask = (name: string) => inTurn(name[0]!, async () => void began.push(name));
  const asked = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'd1'].map(ask);
  const told = (await Promise.allSettled(asked)).map(({ status }) => status === 'fulfilled');
  expect(told).toEqual([true, true, false, false, true, true, false]);
  expect(began).toEqual(['a1', 'a2', 'b1', 'c1']);
  // Nothing is left behind of those who gave way.
  expect(await Promise.all(['a', 'b', 'c', 'd'].map((name) => inTurn(name, async () => name)))).toHaveLength(
    4,
  );
});

test('one asker who never ends keeps a place free for the others', async () => {
  const inTurn = createFairQueue({ runningMax: 2, runningOfOneMax: 1, waitingMax: 9, waitingOfOneMax: 9 });
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const began: string[] = [];
  const hogged = [1, 2, 3].map((turn) =>
    inTurn('hog', async () => {
      began.push(`hog ${turn}`);
      await held;
    }),
  );
  await Promise.all(['a', 'b', 'a'].map((asker) => inTurn(asker, async () => void began.push(asker))));
  expect(began).toEqual(['hog 1', 'a', 'b', 'a']);
  letGo();
  await Promise.all(hogged);
  expect(began.slice(4)).toEqual(['hog 2', 'hog 3']);
});

test('who runs is told whether another asker waits who could run instead', async () => {
  const inTurn = createFairQueue({ runningMax: 1, runningOfOneMax: 1, waitingMax: 9, waitingOfOneMax: 9 });
  const ended = Promise.withResolvers<void>();
  let isWaitedFor = () => false;
  const running = inTurn('ada', (asked) => {
    isWaitedFor = asked;
    return ended.promise;
  });
  await tick();
  expect(isWaitedFor()).toBe(false);
  const own = inTurn('ada', tick);
  expect(isWaitedFor()).toBe(false);
  const other = inTurn('bob', tick);
  expect(isWaitedFor()).toBe(true);
  ended.resolve();
  await Promise.all([running, own, other]);
  expect(isWaitedFor()).toBe(false);
});
