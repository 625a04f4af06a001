import { expect, test } from 'vitest';
import { describeSelection, isBehind, tradeSelectionField } from './trade-selection.ts';

const { parse, format } = tradeSelectionField;
const at = (hour: number, day = 20) => new Date(2026, 10, day, hour, 30).toISOString();

test('a selection is in the address, and a damaged one is none', () => {
  for (const text of ['day 2026-11-20', 'hour 0', 'hour 23', 'symbol EUR/USD']) {
    expect(format(parse(text, {}), {})).toBe(text);
  }
  for (const text of [null, '', 'day', 'day 2026-13-45', 'hour 24', 'hour -1', 'symbol ', 'week 3']) {
    expect(parse(text, {})).toBeNull();
  }
});

test('a trade is behind the bar of its local day and hour, and behind the row of its symbol', () => {
  const trade = { symbol: 'BTCUSDT', closedAt: at(14) };
  expect(isBehind({ kind: 'day', value: '2026-11-20' }, trade, null)).toBe(true);
  expect(isBehind({ kind: 'day', value: '2026-11-21' }, trade, null)).toBe(false);
  expect(isBehind({ kind: 'hour', value: 14 }, trade, null)).toBe(true);
  expect(isBehind({ kind: 'hour', value: 15 }, trade, null)).toBe(false);
  expect(isBehind({ kind: 'symbol', value: 'BTCUSDT' }, trade, null)).toBe(true);
  expect(isBehind({ kind: 'symbol', value: 'ETHUSDT' }, trade, null)).toBe(false);
});

test('a trade from before the range, or still open, is behind nothing', () => {
  const selection = { kind: 'symbol', value: 'BTCUSDT' } as const;
  expect(isBehind(selection, { symbol: 'BTCUSDT', closedAt: at(14, 1) }, Date.parse(at(0, 2)))).toBe(false);
  expect(isBehind(selection, { symbol: 'BTCUSDT', closedAt: null }, null)).toBe(false);
});

test('a selection has a name', () => {
  expect(describeSelection({ kind: 'day', value: '2026-11-20' })).toBe('Trades closed on Fri 20 Nov');
  expect(describeSelection({ kind: 'hour', value: 9 })).toBe('Trades closed from 9:00 to 9:59');
});
