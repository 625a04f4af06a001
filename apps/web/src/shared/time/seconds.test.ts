import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { log } from '../log/log.ts';
import { onEverySecond } from './seconds.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('one timer calls all listeners and stops with the last of them', async () => {
  const [first, second] = [vi.fn(), vi.fn()];
  const stopFirst = onEverySecond(first);
  const stopSecond = onEverySecond(second);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  stopFirst();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([2, 3]);
  stopSecond();
  expect(vi.getTimerCount()).toBe(0);
  const stopAgain = onEverySecond(first);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(first).toHaveBeenCalledTimes(3);
  stopAgain();
});

test('a listener that throws is logged and the others are called', () => {
  const logged = vi.spyOn(log, 'error').mockReturnValue();
  const stopBroken = onEverySecond(() => {
    throw new Error('broken');
  });
  const listener = vi.fn();
  const stop = onEverySecond(listener);
  vi.advanceTimersByTime(1_000);
  expect(listener).toHaveBeenCalledTimes(1);
  expect(logged).toHaveBeenCalledTimes(1);
  stopBroken();
  stop();
});
