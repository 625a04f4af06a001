import type { SignedIn } from '@fulcrum/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createManualClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { createWalletLists } from './index.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));
const patienceMs = 10_000;

/** Over books that are read through when the test says so; `runs` has one for each reading that began, and the answer has its number. */
function wallets() {
  const runs: { end: () => void; fail: () => void }[] = [];
  const db = {
    transaction: () =>
      new Promise((resolve, reject) => {
        const run = {
          wallets: runs.length + 1,
          entries: 0,
          balance: 0n,
          ledger: 0n,
          drifting: [],
          driftingTotal: 0,
        };
        runs.push({ end: () => resolve(run), fail: () => reject(new Error('lost')) });
      }),
  } as unknown as Database;
  const clock = createManualClock(0);
  const { reconcile_wallets } = createWalletLists({ db, clock }, { patienceMs });
  return { runs, clock, ask: () => reconcile_wallets({} as SignedIn, {}) };
}
/** Somebody who waits until patience is over. */
async function toldToAskAgain(ask: () => Promise<unknown>): Promise<void> {
  const asked = expect(ask()).rejects.toMatchObject({ code: 'busy' });
  await vi.advanceTimersByTimeAsync(patienceMs);
  await asked;
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('who was told to ask again is told what was found meanwhile, once', async () => {
  const { runs, ask } = wallets();
  await toldToAskAgain(ask);
  runs[0]!.end();
  await settle();
  expect(await ask()).toMatchObject({ wallets: 1 });
  expect(runs).toHaveLength(1);
  const next = ask();
  expect(runs).toHaveLength(2);
  runs[1]!.end();
  expect(await next).toMatchObject({ wallets: 2 });
});

test('who asks again while it is still read waits for the same reading, and leaves nothing old for the next one', async () => {
  const { runs, ask } = wallets();
  await toldToAskAgain(ask);
  const again = ask();
  expect(runs).toHaveLength(1);
  runs[0]!.end();
  expect(await again).toMatchObject({ wallets: 1 });
  const later = ask();
  expect(runs).toHaveLength(2);
  runs[1]!.end();
  expect(await later).toMatchObject({ wallets: 2 });
});

test('what nobody came back for is not told after a minute, and a reading that failed is told as nothing', async () => {
  const { runs, clock, ask } = wallets();
  await toldToAskAgain(ask);
  runs[0]!.end();
  await settle();
  clock.advance(60_000);
  await toldToAskAgain(ask);
  expect(runs).toHaveLength(2);
  runs[1]!.fail();
  await settle();
  const next = ask();
  expect(runs).toHaveLength(3);
  runs[2]!.end();
  expect(await next).toMatchObject({ wallets: 3 });
});
