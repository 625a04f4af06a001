import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { markFrameReceived } from './frames.ts';
import { isCutOff } from './network.ts';

const setNetwork = (onLine: boolean) => vi.stubGlobal('navigator', { onLine });
const receiveFrame = () => markFrameReceived(Date.now());

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  setNetwork(true);
  isCutOff();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('without a network the page is cut off at once, whatever the age of its prices', () => {
  receiveFrame();
  setNetwork(true);
  expect(isCutOff()).toBe(false);
  setNetwork(false);
  expect(isCutOff()).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(isCutOff()).toBe(true);
  setNetwork(true);
  expect(isCutOff()).toBe(false);
});

test('a frame that was on its way changes nothing; one that comes later is from a server on this machine', () => {
  setNetwork(false);
  expect(isCutOff()).toBe(true);
  vi.advanceTimersByTime(200);
  receiveFrame();
  expect(isCutOff()).toBe(true);
  vi.advanceTimersByTime(1_000);
  receiveFrame();
  expect(isCutOff()).toBe(false);
});
