import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createThrottle } from './throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first call passes at once, a burst passes once more at its end', () => {
  const call = vi.fn();
  const gate = createThrottle(call, 250, false);
  gate.trigger();
  gate.trigger();
  gate.trigger();
  expect(call).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(250);
  expect(call).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1000);
  expect(call).toHaveBeenCalledTimes(2);
});

test('throttles of one rate fire together, whenever they started', () => {
  const passed: [string, number][] = [];
  const gate = (name: string) => createThrottle(() => passed.push([name, performance.now()]), 250, false);
  const first = gate('first');
  first.trigger();
  vi.advanceTimersByTime(100);
  const second = gate('second');
  for (let frame = 0; frame < 20; frame += 1) {
    first.trigger();
    second.trigger();
    vi.advanceTimersByTime(130);
  }
  const timesOf = (name: string) => passed.filter(([by]) => by === name).map(([, at]) => at);
  expect(timesOf('second').slice(1)).toEqual(timesOf('first').slice(1));
  expect(timesOf('second').length).toBeGreaterThan(5);
});

test('a hidden page remembers one call and makes it when it is visible again', () => {
  const call = vi.fn();
  const gate = createThrottle(call, 250, true);
  gate.trigger();
  gate.trigger();
  expect(call).not.toHaveBeenCalled();
  gate.setPaused(false);
  expect(call).toHaveBeenCalledTimes(1);
});

test('a closed throttle stays closed', () => {
  const call = vi.fn();
  const gate = createThrottle(call, 250, false);
  gate.trigger();
  gate.trigger();
  gate.dispose();
  vi.advanceTimersByTime(1000);
  expect(call).toHaveBeenCalledTimes(1);
});
