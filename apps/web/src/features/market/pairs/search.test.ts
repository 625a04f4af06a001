import { expect, test } from 'vitest';
import { matches, pairsByTab, pairTabs, shownTab } from './search.ts';

const pair = (
  symbol: string,
  name: string,
  type: 'crypto' | 'stock' | 'forex',
  baseAsset: string,
  quoteAsset = 'USD',
) => ({ symbol, name, type, baseAsset, quoteAsset, nickname: null });
const bitcoin = pair('BTCUSDT', 'Bitcoin / Tether', 'crypto', 'BTC', 'USDT');
const apple = pair('AAPL', 'Apple Inc.', 'stock', 'AAPL');
const euro = pair('EUR/USD', 'Euro / US Dollar', 'forex', 'EUR');
const none = () => false;

test('TRADE-03: the search matches symbol, name and asset', () => {
  expect(matches(bitcoin, 'btcusd')).toBe(true);
  expect(matches(bitcoin, ' bitcoin ')).toBe(true);
  expect(matches(euro, 'EURUSD')).toBe(true);
  expect(matches(euro, 'dollar')).toBe(true);
  expect(matches(apple, 'btc')).toBe(false);
});

test('TRADE-04: the tabs stand in the stated order and hold their markets', () => {
  expect(pairTabs).toEqual(['crypto', 'stocks', 'forex', 'commodities', 'indices', 'favorites']);
  const found = pairsByTab([bitcoin, apple, euro], '', none);
  expect(found.crypto).toEqual([bitcoin]);
  expect(found.stocks).toEqual([apple]);
  expect(found.forex).toEqual([euro]);
});

test('TRADE-13: the favorites tab lists the favorited pairs of every market', () => {
  const found = pairsByTab([bitcoin, apple, euro], '', (symbol) => symbol !== 'BTCUSDT');
  expect(found.favorites).toEqual([apple, euro]);
});

test('a search that only another market answers is shown there', () => {
  const found = pairsByTab([bitcoin, apple], 'apple', none);
  expect(shownTab('crypto', 'apple', found)).toBe('stocks');
  expect(shownTab('crypto', '', found)).toBe('crypto');
  expect(shownTab('crypto', 'xyz', pairsByTab([bitcoin], 'xyz', none))).toBe('crypto');
});
