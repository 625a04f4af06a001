import { expect, test } from 'vitest';
import { formatRecordedTime } from './recorded-time.ts';

const at = 'Tue 13 Dec 2022 00:51:20 UTC';
const clock = { speed: 60, paused: false, waits_for: null };

test("UX-10: the replay's clock shows its real speed, a pause, and the symbol that awaits staff", () => {
  expect(formatRecordedTime(at, clock)).toBe(`Recorded ${at} · 60×`);
  expect(formatRecordedTime(at, { ...clock, speed: 1_234 })).toBe(`Recorded ${at} · 1,234×`);
  expect(formatRecordedTime(at, { ...clock, speed: 1.5 })).toBe(`Recorded ${at} · 1.5×`);
  expect(formatRecordedTime(at, { ...clock, speed: 0, paused: true })).toBe(`Recorded ${at} · Paused`);
  expect(formatRecordedTime(at, { speed: 0, paused: true, waits_for: 'AAPL' })).toBe(
    `Recorded ${at} · Paused: staff decide about AAPL`,
  );
  expect(formatRecordedTime(at, { ...clock, speed: 0 })).toBe(`Recorded ${at} · Ended`);
  expect(formatRecordedTime(at, null)).toBe(`Recorded ${at}`);
});
