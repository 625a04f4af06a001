import { hourMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../../../platform/clock/index.ts';
import { type Budget, createBudget } from './budget.ts';
import type { ChartFailure } from './chart-error.ts';

const start = Date.UTC(2026, 10, 20, 15, 0);

function setUp(perS = 1): {
  clock: ManualClock;
  budget: Budget;
  ask(outcome?: 'answered' | ChartFailure): void;
} {
  const clock = createManualClock(start);
  const budget = createBudget({ perS, clock });
  return { clock, budget, ask: (outcome = 'answered') => budget.take().end(outcome) };
}

/** Requests that the budget grants while the time passes, each ending at once. */
function requestCount(
  { clock, budget }: { clock: ManualClock; budget: Budget },
  ms: number,
  outcome: 'answered' | ChartFailure = 'answered',
): number {
  const end = clock.now() + ms;
  let count = 0;
  for (;;) {
    const waitMs = budget.waitMs();
    if (waitMs === null) throw new Error('nothing is under way');
    if (clock.now() + waitMs > end) break;
    clock.advance(waitMs);
    if (waitMs > 0) continue;
    budget.take().end(outcome);
    count += 1;
  }
  clock.set(end);
  return count;
}

test.for([0.1, 1, 5, 100])('grants %d requests a second, and a few at once after a pause', (perS) => {
  const set = setUp(perS);
  const burst = Math.max(4, perS);
  expect(requestCount(set, 0)).toBe(burst);
  expect(requestCount(set, 100_000)).toBeCloseTo(perS * 100, -1);
  set.clock.advance(hourMs);
  expect(requestCount(set, 0)).toBe(burst);
});

test('a refusal stops everything for a minute, doubled up to a quarter of an hour, and one request ends it', () => {
  const { clock, budget, ask } = setUp();
  const waits: (number | null)[] = [];
  for (let round = 0; round < 7; round += 1) {
    ask('refused');
    const waitMs = budget.waitMs();
    waits.push(waitMs);
    clock.advance(waitMs ?? 0);
  }
  expect(waits).toEqual([60, 120, 240, 480, 900, 900, 900].map((s) => s * 1000));
  const probe = budget.take();
  expect(budget.waitMs()).toBeNull();
  expect(budget.refusedUntil()).not.toBeNull();
  probe.end('not-found');
  expect(budget.waitMs()).toBe(0);
  expect(budget.refusedUntil()).toBeNull();
  ask('refused');
  expect(budget.waitMs()).toBe(60_000);
});

test('answers to what was sent before a refusal neither end nor lengthen it', () => {
  const { budget } = setUp();
  const [first, second, third] = [budget.take(), budget.take(), budget.take()];
  first.end('refused');
  second.end('answered');
  third.end('refused');
  expect(budget.waitMs()).toBe(60_000);
});

test('a provider that does not answer gets one request in ten seconds, until it answers', () => {
  const set = setUp(5);
  expect(requestCount(set, 60_000, 'unreachable')).toBeLessThan(20);
  expect(set.budget.isUnreachable()).toBe(true);
  expect(requestCount(set, hourMs, 'unreachable')).toBe(360);
  set.clock.advance(10_000);
  set.budget.take().end('answered');
  expect(set.budget.isUnreachable()).toBe(false);
  expect(requestCount(set, 60_000)).toBeGreaterThan(250);
});

test('a slow provider collects at most 32 requests', () => {
  const { clock, budget } = setUp(100);
  const permits = [];
  while (budget.waitMs() !== null) {
    clock.advance(budget.waitMs() ?? 0);
    permits.push(budget.take());
  }
  expect(permits).toHaveLength(32);
  permits[0]?.end('answered');
  expect(budget.waitMs()).toBe(0);
});
