import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createGate } from './throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first call passes at once, a burst passes once more at its end', () => {
  const call = vi.fn();
  const gate = createGate(call, 250, false);
  gate.pass();
  gate.pass();
  gate.pass();
  expect(call).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(250);
  expect(call).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1000);
  expect(call).toHaveBeenCalledTimes(2);
});

test('a hidden page is owed one call and gets it when it is seen again', () => {
  const call = vi.fn();
  const gate = createGate(call, 250, true);
  gate.pass();
  gate.pass();
  expect(call).not.toHaveBeenCalled();
  gate.shut(false);
  expect(call).toHaveBeenCalledTimes(1);
});

test('a closed gate stays closed', () => {
  const call = vi.fn();
  const gate = createGate(call, 250, false);
  gate.pass();
  gate.pass();
  gate.close();
  vi.advanceTimersByTime(1000);
  expect(call).toHaveBeenCalledTimes(1);
});
