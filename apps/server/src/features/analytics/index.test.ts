import type { SignedIn } from '@fulcrum/contract';
import { expect, test } from 'vitest';
import { createManualClock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { createAnalytics } from './index.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Analytics over a database that answers when the test decides; `answers` has one entry per started read. */
function analytics() {
  const answers: (() => void)[] = [];
  const db = {
    transaction: () =>
      new Promise((resolve) => {
        const number = answers.push(() => resolve({ number }));
      }),
  } as unknown as Database;
  const { get_equity_overview } = createAnalytics({
    reader: db,
    market: { price: () => undefined },
    timers: createManualClock(0),
  }).procedures;
  const ask = (userId: string, accountId = userId) => get_equity_overview({ userId, accountId } as SignedIn);
  return { answers, ask };
}

test('a request during a computation gets a newer result, which contains later bookings', async () => {
  const { answers, ask } = analytics();
  const before = ask('ada');
  await settle();
  const after = ask('ada');
  await settle();
  expect(answers).toHaveLength(2);
  for (const answer of answers) answer();
  expect(await after).not.toBe(await before);
});

test('equal requests in the queue share one result, also right after an earlier one was answered', async () => {
  const { answers, ask } = analytics();
  // Two run at a time; Cem and Ada's second question wait.
  const first = ask('ada');
  const others = [ask('bob'), ask('cem')];
  const second = ask('ada');
  await settle();
  answers[0]?.();
  await first;
  await settle();
  const third = ask('ada');
  await settle();
  expect(answers).toHaveLength(3);
  for (let next = 1; next < answers.length; next += 1) {
    answers[next]?.();
    await settle();
  }
  expect(await third).toBe(await second);
  await Promise.all(others);
  expect(answers).toHaveLength(4);
});

test('a refused request leaves nothing behind: the next one runs again', async () => {
  const { answers, ask } = analytics();
  const running = [ask('x'), ask('y')];
  // As many different askers as may wait.
  const queued = Array.from({ length: 200 }, (_, number) => ask(`asker-${number}`));
  await expect(ask('late')).rejects.toMatchObject({ code: 'busy' });
  for (let next = 0; next < 202; next += 1) {
    answers[next]?.();
    await settle();
  }
  await Promise.all([...running, ...queued]);
  const again = ask('late');
  await settle();
  answers[202]?.();
  expect(await again).toEqual({ number: 203 });
});

test('A112: the accounts of one user share one place in the queue, and no other user waits for them', async () => {
  const { answers, ask } = analytics();
  // Two run at a time, four of a user may wait.
  const running = [ask('bob'), ask('cem')];
  const queued = [1, 2, 3, 4].map((account) => ask('ada', `account-${account}`));
  await expect(ask('ada', 'account-5')).rejects.toMatchObject({ code: 'busy' });
  const other = ask('eve');
  let isOtherAnswered = false;
  void other.then(() => {
    isOtherAnswered = true;
  });
  for (let next = 0; next < 4; next += 1) {
    await settle();
    answers[next]?.();
  }
  await settle();
  // One of Ada's before it, not all four.
  expect(isOtherAnswered).toBe(true);
  for (let next = 4; next < 7; next += 1) {
    answers[next]?.();
    await settle();
  }
  await Promise.all([...running, ...queued, other]);
});
