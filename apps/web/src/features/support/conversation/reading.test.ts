import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Reading } from './reading.ts';
import { forgottenAfterMs, Heard, isSayDue } from './typing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function readingOf(fails: () => boolean = () => false) {
  const marked: number[] = [];
  const page = { isLookedAt: true };
  const reading = new Reading({
    isLookedAt: () => page.isLookedAt,
    mark: async (seq) => {
      marked.push(seq);
      if (fails()) throw new Error('away');
    },
  });
  return { reading, marked, page };
}

test('CHAT-11: nothing is marked while nobody looks, and then the last at once', async () => {
  const { reading, marked, page } = readingOf();
  page.isLookedAt = false;
  reading.see(3);
  reading.see(7);
  expect(marked).toEqual([]);
  page.isLookedAt = true;
  reading.look();
  expect(marked).toEqual([7]);
  reading.see(5);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(marked).toEqual([7]);
});

test('many messages in a second are marked twice at most, the last of them too', async () => {
  const { reading, marked } = readingOf();
  for (let seq = 1; seq <= 20; seq += 1) reading.see(seq);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(marked).toEqual([1, 20]);
});

test('a mark that failed is made again', async () => {
  let isAway = true;
  const { reading, marked } = readingOf(() => isAway);
  reading.see(4);
  await vi.advanceTimersByTimeAsync(500);
  isAway = false;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(marked).toEqual([4, 4]);
  reading.leave();
});

test('a server that refuses every mark is asked ever less often', async () => {
  const { reading, marked } = readingOf(() => true);
  reading.see(4);
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(marked.length).toBeLessThan(16);
  reading.leave();
});

test('typing is said every three seconds and forgotten after six', () => {
  expect([isSayDue(null, 0), isSayDue(0, 2_999), isSayDue(0, 3_000)]).toEqual([true, false, true]);
  let changes = 0;
  const heard = new Heard(() => {
    changes += 1;
  });
  heard.hear();
  vi.advanceTimersByTime(forgottenAfterMs - 1);
  heard.hear();
  vi.advanceTimersByTime(forgottenAfterMs - 1);
  expect([heard.isTyping, changes]).toEqual([true, 1]);
  vi.advanceTimersByTime(1);
  expect([heard.isTyping, changes]).toEqual([false, 2]);
  heard.hear();
  heard.forget();
  expect(heard.isTyping).toBe(false);
});
