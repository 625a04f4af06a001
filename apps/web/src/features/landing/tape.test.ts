import { expect, test } from 'vitest';
import { instruments, linePoints, silentAfterMs, type TapeRow, tapeFigures } from './tape.ts';

const row = (symbol: string, over: Partial<TapeRow> = {}): TapeRow => ({
  symbol,
  tick_size: 0.01,
  price: 100,
  price_change_percent: 1,
  state: 'live',
  ...over,
});

test('PUB-04: the tape has exactly the seven stated names, in order, whatever was read', () => {
  const names = ['S&P 500', 'Bitcoin', 'Ethereum', 'Crude Oil', 'Gold', 'EUR/USD', 'Nasdaq 100'];
  expect(tapeFigures([], 0).map(({ name }) => name)).toEqual(names);
  const all = instruments.map(({ symbol }) => row(symbol)).reverse();
  expect(tapeFigures([...all, row('DOGEUSDT')], 0).map(({ name }) => name)).toEqual(names);
});
test('what could not be read has neither price nor change', () => {
  const [, bitcoin] = tapeFigures([row('SPX')], 0);
  expect(bitcoin).toMatchObject({ price: null, changePercent: null, state: 'missing' });
  const [index] = tapeFigures([row('SPX', { price: null, state: null })], 0);
  expect(index).toMatchObject({ price: null, state: 'missing' });
});
test('prices that the server has not confirmed for a while are stale, a closed market stays closed', () => {
  const rows = [row('SPX', { state: 'closed' }), row('BTCUSDT', { state: 'simulated' })];
  const states = (ageMs: number) =>
    tapeFigures(rows, ageMs)
      .slice(0, 3)
      .map(({ state }) => state);
  expect(states(silentAfterMs - 1)).toEqual(['closed', 'simulated', 'missing']);
  expect(states(silentAfterMs)).toEqual(['closed', 'stale', 'missing']);
});
test('a line fills its box; one that does not move runs through the middle', () => {
  expect(linePoints([1, 3, 2], 48, 18)).toBe('0,18 24,0 48,9');
  expect(linePoints([5, 5], 48, 18)).toBe('0,9 48,9');
  expect(linePoints([5], 48, 18)).toBe('');
});
