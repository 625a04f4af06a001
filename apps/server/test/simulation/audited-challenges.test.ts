/** Tests the auditor of challenges: after a failure it takes an engine's state, and still finds one that is of another day. */
import { asMoney, type ChallengeStep, dayMs, type JudgeCommand } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { AuditedChallenges } from './audited-challenges.ts';
import { accountOf } from './ledger-book.ts';

const initial = 100_000_000_000n;
const step = {
  ...{
    targetPct: 100_000_000n,
    dailyLoss: null,
    maxLoss: { pct: 1_000_000_000n, mode: 'static', lockPct: null },
  },
  ...{ consistencyPct: null, daysMin: 0 },
};
const limits = {
  ...{ setBy: 'challenge', symbols: null, positionsMax: null, opensFrom: null, opensUntil: null },
  ...{ deadline: null, step },
} as never;

/** An account that holds nothing, and has earned 20 USDT by the end of each of three days. */
function threeDays() {
  const account = accountOf({
    ...{ accountId: 'account', ownerId: 'trader', deposit: initial },
    terms: { rules: 'standard', feeRate: 0n, leverageMax: 10, limits } as never,
  });
  const challenges = new AuditedChallenges([account]);
  challenges.begin('account', dayMs + 1);
  for (let day = 1; day <= 3; day += 1) {
    account.balance += 2_000_000_000n;
    challenges.onSweep({ at: (day + 1) * dayMs, quote: () => undefined });
  }
  challenges.isExact = false;
  /** A judgement at `at`, by a day that began then. */
  const judge = (at: number, begins: number, balance: bigint, endsDay = false) => {
    const day = { begins, balance: asMoney(balance), equity: asMoney(balance) };
    const state = { ...{ initial: asMoney(initial), deadline: null, peak: asMoney(balance), day } };
    const command = { kind: 'judge', at, endsDay, marks: {}, step: {} as ChallengeStep, state };
    return challenges.judge(account, command as unknown as JudgeCommand);
  };
  return { judge };
}

test('A112: after a failure the auditor finds an engine that has begun no day since', () => {
  const { judge } = threeDays();
  const first = { begins: dayMs + 1, balance: initial };
  const another = { faults: ['another day'] };
  expect(judge(4 * dayMs + 5, first.begins, first.balance)).toEqual(another);
  expect(judge(4 * dayMs, first.begins, first.balance, true)).toEqual(another);
  expect(judge(4 * dayMs + 5, 3 * dayMs, initial + 4_000_000_000n)).toEqual(another);
});

test('A112: after a failure no later day counts in a judgement, however many have begun since', () => {
  const { judge } = threeDays();
  const bestDay = (of: bigint) => ({ verdict: { figures: { bestDay: of } } });
  expect(judge(4 * dayMs + 5, 4 * dayMs, initial + 6_000_000_000n)).toMatchObject(bestDay(2_000_000_000n));
  expect(judge(2 * dayMs + 5, 2 * dayMs, initial + 2_000_000_000n)).toMatchObject(bestDay(4_000_000_000n));
  expect(judge(2 * dayMs, dayMs + 1, initial, true)).toMatchObject(bestDay(6_000_000_000n));
});
