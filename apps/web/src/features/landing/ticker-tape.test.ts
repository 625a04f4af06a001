import { expect, test } from 'vitest';
import { instruments, silentAfterMs, type TickerRow, toLinePoints, toTickerFigures } from './ticker-tape.ts';

const row = (symbol: string, over: Partial<TickerRow> = {}): TickerRow => ({
  symbol,
  tick_size: 0.01,
  price: 100,
  price_change_percent: 1,
  state: 'live',
  ...over,
});

test('PUB-04: the ticker tape has exactly the seven stated names, in order, whatever data was read', () => {
  const names = ['S&P 500', 'Bitcoin', 'Ethereum', 'Crude Oil', 'Gold', 'EUR/USD', 'Nasdaq 100'];
  expect(toTickerFigures([], 0).map(({ name }) => name)).toEqual(names);
  const all = instruments.map(({ symbol }) => row(symbol)).reverse();
  expect(toTickerFigures([...all, row('DOGEUSDT')], 0).map(({ name }) => name)).toEqual(names);
});
test('an instrument without data has neither price nor change', () => {
  const [, bitcoin] = toTickerFigures([row('SPX')], 0);
  expect(bitcoin).toMatchObject({ price: null, changePercent: null, state: 'missing' });
  const [index] = toTickerFigures([row('SPX', { price: null, state: null })], 0);
  expect(index).toMatchObject({ price: null, state: 'missing' });
});
test('prices without a recent confirmation are stale, a closed market stays closed', () => {
  const rows = [row('SPX', { state: 'closed' }), row('BTCUSDT', { state: 'simulated' })];
  const states = (ageMs: number) =>
    toTickerFigures(rows, ageMs)
      .slice(0, 3)
      .map(({ state }) => state);
  expect(states(silentAfterMs - 1)).toEqual(['closed', 'simulated', 'missing']);
  expect(states(silentAfterMs)).toEqual(['closed', 'stale', 'missing']);
});
test('a line fills its box; a constant one runs through the middle', () => {
  expect(toLinePoints([1, 3, 2], 48, 18)).toBe('0,18 24,0 48,9');
  expect(toLinePoints([5, 5], 48, 18)).toBe('0,9 48,9');
  expect(toLinePoints([5], 48, 18)).toBe('');
});
