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

test('gates of one rate pass together, however far apart they began', () => {
  const passed: [string, number][] = [];
  const gate = (name: string) => createGate(() => passed.push([name, performance.now()]), 250, false);
  const first = gate('first');
  first.pass();
  vi.advanceTimersByTime(100);
  const second = gate('second');
  for (let frame = 0; frame < 20; frame += 1) {
    first.pass();
    second.pass();
    vi.advanceTimersByTime(130);
  }
  const timesOf = (name: string) => passed.filter(([by]) => by === name).map(([, at]) => at);
  expect(timesOf('second').slice(1)).toEqual(timesOf('first').slice(1));
  expect(timesOf('second').length).toBeGreaterThan(5);
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
