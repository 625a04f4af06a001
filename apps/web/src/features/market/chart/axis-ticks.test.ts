import { dayMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { dropCovered, priceTicks, timeTicks } from './axis-ticks.ts';

const bars = (from: number, lengthMs: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ at: from + index * lengthMs, x: 24 + index * 8 }));
const texts = (...of: Parameters<typeof bars>) => timeTicks(bars(...of)).map(({ text }) => text);

test('quarters of an hour are labelled at round hours, midnight with its day', () => {
  expect(texts(Date.UTC(2026, 10, 18, 9, 45), 900_000, 110)).toEqual([
    '12:00',
    '16:00',
    '20:00',
    '19 Nov',
    '04:00',
    '08:00',
    '12:00',
  ]);
});

test('days are labelled by week or month, months by year', () => {
  const labels = texts(Date.UTC(2026, 8, 20), dayMs, 100);
  expect(labels).toHaveLength(7);
  const months = Array.from({ length: 60 }, (_, month) => ({
    at: Date.UTC(2022, month, 1),
    x: 24 + month * 8,
  }));
  expect(timeTicks(months).map(({ text }) => text)).toEqual(['2022', '2023', '2024', '2025', '2026']);
});

test('a market with nights is labelled by the day at each opening, and no two labels touch', () => {
  // London, 08:00 to 16:30 UTC: 34 quarters of an hour a day.
  const sessions = [16, 17, 18].flatMap((date) => bars(Date.UTC(2026, 10, date, 8), 900_000, 34));
  const ticks = timeTicks(sessions.map(({ at }, index) => ({ at, x: 24 + index * 8 })));
  expect(ticks.map(({ text }) => text)).toEqual([
    '08:00',
    '12:00',
    '17 Nov',
    '12:00',
    '18 Nov',
    '12:00',
    '16:00',
  ]);
});

test('days of a market with weekends are labelled by their trading date', () => {
  const weekdays = Array.from({ length: 60 }, (_, index) =>
    Date.UTC(2026, 8, 7 + Math.floor(index / 5) * 7 + (index % 5)),
  );
  const ticks = timeTicks(weekdays.map((at, index) => ({ at, x: 24 + index * 8 })));
  const coords = ticks.map(({ coord }) => coord);
  expect(coords.slice(1).every((coord, index) => coord - (coords[index] ?? 0) >= 56)).toBe(true);
  expect(ticks.every(({ value }) => new Date(value as number).getUTCDay() % 6 !== 0)).toBe(true);
});

test('a price beneath a tag has no label', () => {
  const ticks = [10, 60, 110].map((coord) => ({ coord, value: coord, text: `${coord}` }));
  expect(dropCovered(ticks, [70]).map(({ coord }) => coord)).toEqual([10, 110]);
});

const priceAxis = {
  from: 58_000,
  to: 60_000,
  heightPx: 345,
  decimals: 2,
  format: (price: number) => `${price}`,
};

test('charts: the price axis has at least six round numbers, whatever tags take', () => {
  const plain = priceTicks(priceAxis, []);
  expect(plain.length).toBeGreaterThanOrEqual(6);
  const tags = [60, 110, 128, 190, 260];
  const beside = priceTicks(priceAxis, tags);
  expect(beside.length).toBeGreaterThanOrEqual(6);
  expect(beside.every(({ value }) => Number(value) % 100 === 0)).toBe(true);
  expect(beside.every(({ coord }) => tags.every((tag) => Math.abs(tag - coord) >= 17))).toBe(true);
});

test('charts: the price axis never steps below the smallest step of a price', () => {
  const flat = { ...priceAxis, from: 0.000_001_41, to: 0.000_001_44, decimals: 8 };
  expect(priceTicks(flat, []).map(({ value }) => value)).toEqual([0.000_001_42, 0.000_001_43]);
  expect(priceTicks({ ...flat, to: flat.from }, [])).toEqual([]);
});
