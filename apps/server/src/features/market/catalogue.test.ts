import { isMarketOpen, marketTypeOf, toDecimalString } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { catalogue } from './catalogue.ts';

const symbolsOf = (type: string) => catalogue.filter((pair) => pair.type === type).map((pair) => pair.symbol);
const pairOf = (symbol: string) => catalogue.find((pair) => pair.symbol === symbol)!;
const limitsOf = (symbol: string) => {
  const pair = pairOf(symbol);
  return [pair.minPrice, pair.maxPrice, pair.tickSize, pair.minQty, pair.maxQty, pair.stepSize].map(
    toDecimalString,
  );
};

test('FEED-55 FEED-56 FEED-57 FEED-58: lists the fixed set of the trading screen', () => {
  expect(symbolsOf('stock')).toEqual(['AAPL', 'MSFT', 'GOOGL', 'AMZN', 'NVDA', 'META', 'TSLA']);
  expect(symbolsOf('forex')).toEqual(['EUR/USD', 'GBP/USD', 'USD/JPY', 'USD/CHF', 'AUD/USD']);
  expect(symbolsOf('commodity')).toEqual(['XAUUSD', 'XAGUSD', 'WTIUSD', 'BCOUSD']);
  expect(symbolsOf('index')).toEqual(['SPX', 'NDX', 'FTSE', 'CAC']);
  expect(symbolsOf('crypto')).toEqual(['BTCUSDT', 'ETHUSDT', 'ADAUSDT']);
});

test('FEED-51: commodities and indices have the stated limits and settle in USD', () => {
  for (const symbol of ['XAUUSD', 'SPX']) {
    expect(limitsOf(symbol)).toEqual(['0.01', '1000000', '0.01', '0.01', '1000000', '0.01']);
    expect(pairOf(symbol).quoteAsset).toBe('USD');
  }
});

test('FEED-52 FEED-53: a forex pair counts in 0.00001 and takes its assets from the two sides', () => {
  expect(limitsOf('EUR/USD')).toEqual(['0.00001', '1000000', '0.00001', '1', '10000000', '1']);
  expect(pairOf('EUR/USD')).toMatchObject({ baseAsset: 'EUR', quoteAsset: 'USD' });
  expect(toDecimalString(pairOf('USD/JPY').tickSize)).toBe('0.001');
});

test('FEED-54: stocks keep to the stricter bounds', () => {
  expect(limitsOf('AAPL')).toEqual(['0.01', '100000', '0.01', '0.01', '100000', '0.01']);
});

test('ENT-23 ENT-24: every pair is complete, its type is that of the routing rule and its hours can be read', () => {
  for (const pair of catalogue) {
    expect(pair.id).toBe(pair.symbol);
    expect(pair.name).not.toBe('');
    expect(pair.type).toBe(marketTypeOf(pair.symbol));
    expect(pair.minPrice > 0n && pair.minPrice < pair.maxPrice && pair.minQty <= pair.maxQty).toBe(true);
    expect(() => isMarketOpen(pair.tradingHours, 0)).not.toThrow();
  }
  expect(new Set(catalogue.map((pair) => pair.symbol)).size).toBe(catalogue.length);
});
