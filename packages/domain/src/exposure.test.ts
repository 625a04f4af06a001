import { expect, test } from 'vitest';
import { type ExposedPosition, exposureBySymbol, exposureOf } from './exposure.ts';
import { asPrice, asSize, parseDecimal, toDecimalString } from './money.ts';
import type { Side } from './states.ts';

const position = (
  symbol: string,
  side: Side,
  size: string,
  entry: string,
  mark: string | null,
): ExposedPosition => ({
  symbol,
  side,
  size: asSize(parseDecimal(size)),
  entryPrice: asPrice(parseDecimal(entry)),
  markPrice: mark === null ? null : asPrice(parseDecimal(mark)),
});

test('DASH-25: exposure is size × mark price or, if it is missing, entry price', () => {
  expect(toDecimalString(exposureOf(position('BTCUSDT', 'BUY', '0.4', '96840', '97482.6')))).toBe('38993.04');
  expect(toDecimalString(exposureOf(position('BTCUSDT', 'BUY', '0.4', '96840', null)))).toBe('38736');
});

test('DASH-26, A91: positions of a symbol are one slice, a short counts like a long', () => {
  // 0.4 × 97,482.60 + 3.5 × 3,611.40 + 40 × 179.92 = 38,993.04 + 12,639.90 + 7,196.80 = 58,829.74
  const { total, symbols } = exposureBySymbol([
    position('NVDA', 'BUY', '40', '182.64', '179.92'),
    position('ETHUSDT', 'SELL', '3', '3642.18', '3611.4'),
    position('ETHUSDT', 'BUY', '0.5', '3600', '3611.4'),
    position('BTCUSDT', 'BUY', '0.4', '96840', '97482.6'),
  ]);
  expect(toDecimalString(total)).toBe('58829.74');
  expect(
    symbols.map(({ symbol, sides, amount, order }) => [symbol, sides, toDecimalString(amount), order]),
  ).toEqual([
    ['BTCUSDT', ['BUY'], '38993.04', 2],
    ['ETHUSDT', ['BUY', 'SELL'], '12639.9', 1],
    ['NVDA', ['BUY'], '7196.8', 0],
  ]);
  // 38,993.04 / 58,829.74 = 66.2811700…, 12,639.90 / 58,829.74 = 21.4855615…, 7,196.80 / 58,829.74 = 12.2332684…
  expect(symbols.map(({ share }) => toDecimalString(share).slice(0, 6))).toEqual([
    '66.281',
    '21.485',
    '12.233',
  ]);
});

test('A91: what is worth nothing has no slice, and nothing at all is a total of 0', () => {
  // Half of 1e-8 of a quote unit rounds up, less rounds to nothing.
  const dust = position('DUST', 'BUY', '0.00000001', '0.1', null);
  expect(exposureBySymbol([dust, position('A', 'BUY', '1', '2', null)]).symbols).toMatchObject([
    { symbol: 'A', share: 100_00000000n, order: 1 },
  ]);
  expect(exposureBySymbol([])).toEqual({ total: 0n, symbols: [] });
});

test('equal symbols stay in the order they were given in', () => {
  const { symbols } = exposureBySymbol(
    ['C', 'A', 'B'].map((symbol) => position(symbol, 'BUY', '1', '5', null)),
  );
  expect(symbols.map(({ symbol }) => symbol)).toEqual(['C', 'A', 'B']);
});
