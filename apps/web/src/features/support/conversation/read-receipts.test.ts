import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ReadReceipts } from './read-receipts.ts';
import { isTypingDue, TypingIndicator, typingExpiryMs } from './typing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function readingOf(fails: () => boolean = () => false) {
  const marked: number[] = [];
  const page = { isActive: true };
  const reading = new ReadReceipts({
    isPageActive: () => page.isActive,
    mark: async (seq) => {
      marked.push(seq);
      if (fails()) throw new Error('away');
    },
  });
  return { reading, marked, page };
}

test('CHAT-11: an inactive page marks nothing, and on return the last message at once', async () => {
  const { reading, marked, page } = readingOf();
  page.isActive = false;
  reading.markInView(3);
  reading.markInView(7);
  expect(marked).toEqual([]);
  page.isActive = true;
  reading.flush();
  expect(marked).toEqual([7]);
  reading.markInView(5);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(marked).toEqual([7]);
});

test('many messages in a second cause two marks at most, including the last', async () => {
  const { reading, marked } = readingOf();
  for (let seq = 1; seq <= 20; seq += 1) reading.markInView(seq);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(marked).toEqual([1, 20]);
});

test('a failed mark is repeated', async () => {
  let isAway = true;
  const { reading, marked } = readingOf(() => isAway);
  reading.markInView(4);
  await vi.advanceTimersByTimeAsync(500);
  isAway = false;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(marked).toEqual([4, 4]);
  reading.stop();
});

test('a server that refuses every mark gets fewer and fewer requests', async () => {
  const { reading, marked } = readingOf(() => true);
  reading.markInView(4);
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(marked.length).toBeLessThan(16);
  reading.stop();
});

test('typing is sent every three seconds and expires after six', () => {
  expect([isTypingDue(null, 0), isTypingDue(0, 2_999), isTypingDue(0, 3_000)]).toEqual([true, false, true]);
  let changes = 0;
  const indicator = new TypingIndicator(() => {
    changes += 1;
  });
  indicator.onTyping();
  vi.advanceTimersByTime(typingExpiryMs - 1);
  indicator.onTyping();
  vi.advanceTimersByTime(typingExpiryMs - 1);
  expect([indicator.isTyping, changes]).toEqual([true, 1]);
  vi.advanceTimersByTime(1);
  expect([indicator.isTyping, changes]).toEqual([false, 2]);
  indicator.onTyping();
  indicator.clear();
  expect(indicator.isTyping).toBe(false);
});
