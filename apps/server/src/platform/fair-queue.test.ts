import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

const tick = () => new Promise((resolve) => setImmediate(resolve));

test('runs at most the allowed number at once, past failures, and alternates between callers', async () => {
  const enqueue = createFairQueue({ runningMax: 2, waitingMax: 100, waitingOfOneMax: 100 });
  const began: string[] = [];
  let running = 0;
  let most = 0;
  const ask = (asker: string) =>
    enqueue(asker, async () => {
      began.push(asker);
      running += 1;
      most = Math.max(most, running);
      await tick();
      running -= 1;
      if (asker === 'ada') throw new Error('lost');
    });
  const callers = ['crowd', 'crowd', 'crowd', 'crowd', 'crowd', 'ada', 'bob'];
  const done = await Promise.allSettled(callers.map(ask));
  expect(most).toBe(2);
  expect(began).toEqual(['crowd', 'crowd', 'crowd', 'ada', 'bob', 'crowd', 'crowd']);
  expect(done.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(1);
  await enqueue('late', tick);
});

test('refuses a caller with too many waiting jobs at once', async () => {
  const enqueue = createFairQueue({ runningMax: 1, waitingMax: 3, waitingOfOneMax: 2 });
  const ask = (asker: string) => enqueue(asker, tick);
  const under = [ask('a'), ask('a'), ask('a')];
  await expect(ask('a')).rejects.toMatchObject({ code: 'busy' });
  await Promise.all(under);
  await ask('a');
});

test('a full queue evicts from the caller with most waiting jobs, and refuses the newest where all have equally many', async () => {
  const enqueue = createFairQueue({ runningMax: 1, waitingMax: 3, waitingOfOneMax: 3 });
  const began: string[] = [];
  const ask = (name: string) => enqueue(name[0]!, async () => void began.push(name));
  const jobs = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'd1'].map(ask);
  const accepted = (await Promise.allSettled(jobs)).map(({ status }) => status === 'fulfilled');
  expect(accepted).toEqual([true, true, false, false, true, true, false]);
  expect(began).toEqual(['a1', 'a2', 'b1', 'c1']);
  // The evicted jobs leave nothing behind.
  expect(await Promise.all(['a', 'b', 'c', 'd'].map((name) => enqueue(name, async () => name)))).toHaveLength(
    4,
  );
});

test('a caller whose jobs never end leaves a slot for the others', async () => {
  const enqueue = createFairQueue({ runningMax: 2, runningOfOneMax: 1, waitingMax: 9, waitingOfOneMax: 9 });
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const began: string[] = [];
  const hogged = [1, 2, 3].map((index) =>
    enqueue('hog', async () => {
      began.push(`hog ${index}`);
      await held;
    }),
  );
  await Promise.all(['a', 'b', 'a'].map((asker) => enqueue(asker, async () => void began.push(asker))));
  expect(began).toEqual(['hog 1', 'a', 'b', 'a']);
  letGo();
  await Promise.all(hogged);
  expect(began.slice(4)).toEqual(['hog 2', 'hog 3']);
});

test('a running job can see whether another caller waits that could run instead', async () => {
  const enqueue = createFairQueue({ runningMax: 1, runningOfOneMax: 1, waitingMax: 9, waitingOfOneMax: 9 });
  const ended = Promise.withResolvers<void>();
  let isWaitedFor = () => false;
  const running = enqueue('ada', (isWaiting) => {
    isWaitedFor = isWaiting;
    return ended.promise;
  });
  await tick();
  expect(isWaitedFor()).toBe(false);
  const own = enqueue('ada', tick);
  expect(isWaitedFor()).toBe(false);
  const other = enqueue('bob', tick);
  expect(isWaitedFor()).toBe(true);
  ended.resolve();
  await Promise.all([running, own, other]);
  expect(isWaitedFor()).toBe(false);
});
