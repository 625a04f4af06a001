import { describe, expect, test } from 'vitest';
import { type ConnectionSample, createConnectionMonitor } from './connection.ts';

const linked = { isLinked: true, isOnline: true, silentSinceMs: null, isTradingHalted: false };
const lost = { ...linked, isLinked: false };
const s = 1_000;

/** The states seen at the given seconds. */
function statesOf(
  samples: readonly (readonly [atS: number, seen: Omit<ConnectionSample, 'nowMs'>])[],
): string[] {
  const monitor = createConnectionMonitor(0);
  return samples.map(([atS, seen]) => monitor.see({ ...seen, nowMs: atS * s }).state);
}

describe('the connection line', () => {
  test('starting a page counts as no loss, unless it takes long', () => {
    expect(
      statesOf([
        [0, lost],
        [5, lost],
        [6, linked],
        [7, linked],
      ]),
    ).toEqual(Array(4).fill('connected'));
    expect(
      statesOf([
        [0, lost],
        [11, lost],
      ]),
    ).toEqual(['connected', 'reconnecting']);
  });
  test('a short interruption is not shown; a loss is, and its end for a moment', () => {
    expect(
      statesOf([
        [1, linked],
        [20, lost],
        [22, lost],
        [23, linked],
      ]),
    ).toEqual(Array(4).fill('connected'));
    expect(
      statesOf([
        [1, linked],
        [20, lost],
        [24, lost],
        [40, linked],
        [43, linked],
        [45, linked],
      ]),
    ).toEqual(['connected', 'connected', 'reconnecting', 'back', 'back', 'connected']);
  });
  test('a halt is shown while it is announced, takes precedence over silent prices, and is hidden without a connection', () => {
    const halted = { ...linked, isTradingHalted: true, silentSinceMs: 0 };
    expect(
      statesOf([
        [1, linked],
        [20, halted],
        [21, { ...halted, isLinked: false }],
        [25, { ...halted, isLinked: false }],
        [26, linked],
        [31, linked],
      ]),
    ).toEqual(['connected', 'halted', 'connected', 'reconnecting', 'back', 'connected']);
  });
  test('the state includes its start', () => {
    const monitor = createConnectionMonitor(0);
    monitor.see({ ...linked, nowMs: 1 * s });
    monitor.see({ ...lost, nowMs: 20 * s });
    expect(monitor.see({ ...lost, nowMs: 60 * s })).toEqual({ state: 'reconnecting', sinceMs: 20 * s });
  });
  test('the browser’s offline state counts only without a connection', () => {
    const offline = { isOnline: false };
    expect(
      statesOf([
        [1, linked],
        [20, { ...lost, ...offline }],
        [30, { ...lost, ...offline }],
      ]),
    ).toEqual(['connected', 'connected', 'offline']);
    expect(
      statesOf([
        [1, linked],
        [30, { ...linked, ...offline }],
      ]),
    ).toEqual(['connected', 'connected']);
  });
  test('silent prices are shown after a while, and only with subscriptions', () => {
    expect(
      statesOf([
        [1, linked],
        [30, linked],
      ]),
    ).toEqual(['connected', 'connected']);
    const still = { ...linked, silentSinceMs: 5 * s };
    expect(
      statesOf([
        [1, linked],
        [19, still],
        [20, still],
      ]),
    ).toEqual(['connected', 'connected', 'silent']);
  });
  test('a new connection has time to deliver prices', () => {
    const still = { ...linked, silentSinceMs: 1 * s };
    expect(
      statesOf([
        [1, linked],
        [20, lost],
        [40, lost],
        [50, still],
        [60, still],
        [66, still],
      ]),
    ).toEqual(['connected', 'connected', 'reconnecting', 'back', 'connected', 'silent']);
  });
  test('after the page was hidden the delays start again', () => {
    const monitor = createConnectionMonitor(0);
    monitor.see({ ...linked, nowMs: 1 * s });
    monitor.see({ ...lost, nowMs: 20 * s });
    monitor.rest(500 * s);
    expect(monitor.see({ ...lost, nowMs: 501 * s }).state).toBe('connected');
    expect(monitor.see({ ...lost, nowMs: 504 * s }).state).toBe('reconnecting');
  });
});
