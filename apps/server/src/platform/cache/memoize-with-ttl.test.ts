import { expect, test } from 'vitest';
import { createManualClock } from '../clock/index.ts';
import { memoizeWithTtl } from './memoize-with-ttl.ts';

test('concurrent calls share one computation, and its result is cached for its lifetime', async () => {
  const clock = createManualClock(1_000_000);
  let computed = 0;
  const ask = memoizeWithTtl(clock, async () => {
    computed += 1;
    return { answer: computed, ttlMs: 100 };
  });
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  clock.advance(99);
  expect(await ask()).toBe(1);
  clock.advance(1);
  expect(await ask()).toBe(2);
});

test('a clock that is set back does not make an answer last', async () => {
  const clock = createManualClock(1_000_000);
  let computed = 0;
  const ask = memoizeWithTtl(clock, async () => ({ answer: ++computed, ttlMs: 100 }));
  await ask();
  clock.set(0);
  expect(await ask()).toBe(2);
});

test('a failure rejects the waiting calls, and the next call computes again', async () => {
  let computed = 0;
  const ask = memoizeWithTtl(createManualClock(0), async () => {
    computed += 1;
    if (computed === 1) throw new Error('away');
    return { answer: 'there', ttlMs: 100 };
  });
  const [first, second] = await Promise.allSettled([ask(), ask()]);
  expect([first?.status, second?.status]).toEqual(['rejected', 'rejected']);
  expect(await ask()).toBe('there');
});
