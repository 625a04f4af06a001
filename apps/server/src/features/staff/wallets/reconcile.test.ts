import type { SignedIn } from '@fulcrum/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createManualClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { createWalletLists } from './index.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));
const patienceMs = 10_000;

/**
 * Over a ledger whose reconciliation ends when the test decides; `runs` has one entry per started run, whose number is in
 * the result.
 */
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
  const { reconcile_wallets } = createWalletLists({ db, reader: db, clock }, { timeoutMs: patienceMs });
  return { runs, clock, ask: () => reconcile_wallets({} as SignedIn, {}) };
}
/** A caller that waits until the timeout. */
async function expectRetryLater(ask: () => Promise<unknown>): Promise<void> {
  const call = expect(ask()).rejects.toMatchObject({ code: 'busy' });
  await vi.advanceTimersByTimeAsync(patienceMs);
  await call;
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('a retry after busy gets the result found meanwhile, once', async () => {
  const { runs, ask } = wallets();
  await expectRetryLater(ask);
  runs[0]!.end();
  await settle();
  expect(await ask()).toMatchObject({ wallets: 1 });
  expect(runs).toHaveLength(1);
  const next = ask();
  expect(runs).toHaveLength(2);
  runs[1]!.end();
  expect(await next).toMatchObject({ wallets: 2 });
});

test('a retry during the run waits for the same run, and leaves no old result for the next caller', async () => {
  const { runs, ask } = wallets();
  await expectRetryLater(ask);
  const again = ask();
  expect(runs).toHaveLength(1);
  runs[0]!.end();
  expect(await again).toMatchObject({ wallets: 1 });
  const later = ask();
  expect(runs).toHaveLength(2);
  runs[1]!.end();
  expect(await later).toMatchObject({ wallets: 2 });
});

test('an unclaimed result expires after a minute, and a failed run leaves no result', async () => {
  const { runs, clock, ask } = wallets();
  await expectRetryLater(ask);
  runs[0]!.end();
  await settle();
  clock.advance(60_000);
  await expectRetryLater(ask);
  expect(runs).toHaveLength(2);
  runs[1]!.fail();
  await settle();
  const next = ask();
  expect(runs).toHaveLength(3);
  runs[2]!.end();
  expect(await next).toMatchObject({ wallets: 3 });
});
