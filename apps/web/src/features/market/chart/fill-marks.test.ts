import { expect, test } from 'vitest';
import { type FillMark, fillsByBar } from './fill-marks.ts';

const crypto = 'UTC|Mon-Sun 00:00-24:00';
const fill = (id: string, time: string): FillMark => ({
  id,
  at: Date.parse(`2026-11-23T${time}Z`),
  side: 'BUY',
  text: id,
});

test('charts: a fill belongs to the bar that holds its instant, in each timeframe', () => {
  const fills = [fill('a', '10:14:59.999'), fill('b', '10:15:00'), fill('c', '10:29:59')];
  const quarters = fillsByBar(fills, { timeframe: '15m', tradingHours: crypto });
  expect([...quarters].map(([at, marks]) => [new Date(at).toISOString(), marks.map(({ id }) => id)])).toEqual(
    [
      ['2026-11-23T10:00:00.000Z', ['a']],
      ['2026-11-23T10:15:00.000Z', ['b', 'c']],
    ],
  );
  const days = fillsByBar(fills, { timeframe: '1d', tradingHours: crypto });
  expect(days.get(Date.parse('2026-11-23T00:00:00Z'))).toHaveLength(3);
});
