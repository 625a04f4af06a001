import { describe, expect, test } from 'vitest';
import { createConnectionWatch, type Sighting } from './connection.ts';

const linked = { isLinked: true, isOnline: true, silentSinceMs: null, isTradingHalted: false };
const lost = { ...linked, isLinked: false };
const s = 1_000;

/** The states seen at the given seconds. */
function statesOf(sightings: readonly (readonly [atS: number, seen: Omit<Sighting, 'nowMs'>])[]): string[] {
  const watch = createConnectionWatch(0);
  return sightings.map(([atS, seen]) => watch.see({ ...seen, nowMs: atS * s }).state);
}

describe('the line about the connection', () => {
  test('the start of a page is no loss, unless it lasts', () => {
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
  test('a blip is not told, a loss is, and so is its end, for a moment', () => {
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
  test('a halt is told as long as the page hears of it, before prices that stand still, and not without a link', () => {
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
  test('it says since when', () => {
    const watch = createConnectionWatch(0);
    watch.see({ ...linked, nowMs: 1 * s });
    watch.see({ ...lost, nowMs: 20 * s });
    expect(watch.see({ ...lost, nowMs: 60 * s })).toEqual({ state: 'reconnecting', sinceMs: 20 * s });
  });
  test('offline is what the browser says while there is no link; with one it may be wrong', () => {
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
  test('prices that stand still are told after a while, and only by a page that follows some', () => {
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
  test('a new link has time to bring prices', () => {
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
  test('after a rest the waiting begins anew', () => {
    const watch = createConnectionWatch(0);
    watch.see({ ...linked, nowMs: 1 * s });
    watch.see({ ...lost, nowMs: 20 * s });
    watch.rest(500 * s);
    expect(watch.see({ ...lost, nowMs: 501 * s }).state).toBe('connected');
    expect(watch.see({ ...lost, nowMs: 504 * s }).state).toBe('reconnecting');
  });
});
