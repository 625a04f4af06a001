import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asPrice, asSize, parseDecimal, toDecimalString } from './money.ts';
import {
  checkAmount,
  decimalsOf,
  defaultLimits,
  forexAssets,
  isOnStep,
  type MarketType,
  marketTypeOf,
  normaliseSymbol,
  type PairLimits,
  priceDecimals,
  roundToTick,
  sizeDecimals,
} from './pairs.ts';

const price = (text: string) => asPrice(parseDecimal(text));
const size = (text: string) => asSize(parseDecimal(text));

const written = (limits: PairLimits) =>
  Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, toDecimalString(value)]));

describe('default limits', () => {
  const general = {
    minPrice: '0.01',
    maxPrice: '1000000',
    tickSize: '0.01',
    minQty: '0.01',
    maxQty: '1000000',
    stepSize: '0.01',
  };

  test('FEED-51: commodities and indices', () => {
    expect(written(defaultLimits.commodity)).toEqual(general);
    expect(written(defaultLimits.index)).toEqual(general);
  });

  test('FEED-54: stocks take the stricter of the two stated bounds (A29)', () => {
    expect(written(defaultLimits.stock)).toEqual({ ...general, maxPrice: '100000', maxQty: '100000' });
  });

  test('FEED-52: forex prices in 0.00001, amounts in whole units of the base (A107)', () => {
    expect(written(defaultLimits.forex)).toEqual({
      minPrice: '0.00001',
      maxPrice: '1000000',
      tickSize: '0.00001',
      minQty: '1',
      maxQty: '10000000',
      stepSize: '1',
    });
  });

  test('FEED-53: base and quote come from the two sides of a forex symbol', () => {
    expect(forexAssets('EUR/USD')).toEqual({ baseAsset: 'EUR', quoteAsset: 'USD' });
    for (const symbol of ['EURUSD', '/USD', 'EUR/', 'A/B/C', '']) expect(forexAssets(symbol)).toBeNull();
  });
});

describe('market type of a symbol without a catalogue entry', () => {
  test.each<[string, string, MarketType]>([
    ['FEED-01', 'BTCUSDT', 'crypto'],
    ['FEED-01', 'XAUUSDT', 'crypto'],
    ['FEED-02', 'EUR/USD', 'forex'],
    ['FEED-02', 'XAU/USD', 'forex'],
    ['FEED-03', 'XAUUSD', 'commodity'],
    ['FEED-03', 'XAGUSD', 'commodity'],
    ['FEED-03', 'WTIUSD', 'commodity'],
    ['FEED-03', 'BCOUSD', 'commodity'],
    ['FEED-03', 'NGUSD', 'commodity'],
    ['FEED-03', 'CORNUSD', 'commodity'],
    ['FEED-03', 'WHEATUSD', 'commodity'],
    ['FEED-03', 'NGG', 'commodity'],
    ...['SPX', 'NDX', 'DJI', 'FTSE', 'DAX', 'CAC', 'NIKKEI', 'HSI', 'ASX'].map(
      (symbol): [string, string, MarketType] => ['FEED-04', symbol, 'index'],
    ),
    ['FEED-05', 'AAPL', 'stock'],
    ['FEED-05', 'SPXL', 'stock'],
    ['FEED-05', 'EURUSD', 'stock'],
    ['FEED-05', 'XPTUSD', 'stock'],
  ])('%s: %s is %s', (_id, symbol, type) => {
    expect(marketTypeOf(symbol)).toBe(type);
  });
});

test.each([
  ['EUR/USD', 'EURUSD'],
  ['btc-usdt', 'BTCUSDT'],
  [' s&p 500 ', 'SP500'],
  ['ß', 'SS'],
  ['', ''],
])('RULE-39: %s is compared as %s', (symbol, expected) => {
  expect(normaliseSymbol(symbol)).toBe(expected);
});

describe('amounts', () => {
  const btc: PairLimits = {
    minPrice: price('0.01'),
    maxPrice: price('1000000'),
    tickSize: price('0.01'),
    minQty: size('0.00001'),
    maxQty: size('9000'),
    stepSize: size('0.00001'),
  };

  test.each(['0.00001', '0.4', '9000', '1.23456'])('%s BTC may be traded', (amount) => {
    expect(checkAmount(btc, size(amount))).toBeNull();
  });

  test.each(['0', '-0.4', '0.000001', '9000.00001', '1.234567'])(
    '%s BTC is refused with the range it has to keep to (A22, A101)',
    (amount) => {
      expect(checkAmount(btc, size(amount))).toEqual({ min: '0.00001', max: '9000', step: '0.00001' });
    },
  );

  test('nothing is no amount, even where the pair states no minimum (A22)', () => {
    expect(checkAmount({ ...btc, minQty: size('0') }, size('0'))).not.toBeNull();
  });

  test('0.1 + 0.2 style floats do not matter: steps are compared exactly', () => {
    expect(isOnStep(parseDecimal('0.3'), parseDecimal('0.1'))).toBe(true);
    expect(isOnStep(parseDecimal('1.15'), parseDecimal('0.01'))).toBe(true);
  });

  test.each([
    ['0.00001', 5],
    ['0.25', 2],
    ['0.5', 1],
    ['1', 0],
    ['10', 0],
    ['0.0005', 4],
  ])('a step of %s has %i decimals', (step, decimals) => {
    expect(decimalsOf(parseDecimal(step))).toBe(decimals);
  });

  test('prices show the decimals of the tick, at least two; amounts those of the step (A16)', () => {
    expect(priceDecimals(btc)).toBe(2);
    expect(priceDecimals({ ...btc, tickSize: price('0.5') })).toBe(2);
    expect(priceDecimals(defaultLimits.forex)).toBe(5);
    expect(sizeDecimals(btc)).toBe(5);
    expect(sizeDecimals(defaultLimits.forex)).toBe(0);
  });
});

describe('ticks', () => {
  test.each(['floor', 'ceiling', 'half-away-from-zero'] as const)(
    'property: %s lands on the grid within one tick and leaves a price on the grid alone',
    (rounding) => {
      const positive = fc.bigInt({ min: 1n, max: 10n ** 14n });
      fc.assert(
        fc.property(positive, positive, (value, tick) => {
          const rounded = roundToTick(asPrice(value), asPrice(tick), rounding);
          expect(isOnStep(rounded, tick)).toBe(true);
          const distance = rounded - value;
          expect(distance < tick && -distance < tick).toBe(true);
          expect(roundToTick(rounded, asPrice(tick), rounding)).toBe(rounded);
        }),
      );
    },
  );

  test('a quarter tick', () => {
    expect(roundToTick(price('430.30'), price('0.25'), 'floor')).toBe(price('430.25'));
    expect(roundToTick(price('430.30'), price('0.25'), 'ceiling')).toBe(price('430.5'));
  });
});
