import { expect, test } from 'vitest';
import { createManualClock } from '../../platform/clock/index.ts';
import { createKeptAnswer } from './kept-answer.ts';

test('all who ask together share one computation, and its answer lasts as long as it says', async () => {
  const clock = createManualClock(1_000_000);
  let computed = 0;
  const ask = createKeptAnswer(clock, async () => {
    computed += 1;
    return { answer: computed, keptMs: 100 };
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
  const ask = createKeptAnswer(clock, async () => ({ answer: ++computed, keptMs: 100 }));
  await ask();
  clock.set(0);
  expect(await ask()).toBe(2);
});

test('a failure is told to who waited for it, and the next one asks anew', async () => {
  let computed = 0;
  const ask = createKeptAnswer(createManualClock(0), async () => {
    computed += 1;
    if (computed === 1) throw new Error('away');
    return { answer: 'there', keptMs: 100 };
  });
  const [first, second] = await Promise.allSettled([ask(), ask()]);
  expect([first?.status, second?.status]).toEqual(['rejected', 'rejected']);
  expect(await ask()).toBe('there');
});
