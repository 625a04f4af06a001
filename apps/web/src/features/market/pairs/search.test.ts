import { expect, test } from 'vitest';
import { getShownTab, pairsByTab, pairTabs, rankMatch } from './search.ts';

const pair = (
  symbol: string,
  name: string,
  type: 'crypto' | 'stock' | 'forex' | 'commodity',
  baseAsset: string,
  { quoteAsset = 'USD', nickname = null }: { quoteAsset?: string; nickname?: string | null } = {},
) => ({ symbol, name, type, baseAsset, quoteAsset, nickname });
const bitcoin = pair('BTCUSDT', 'Bitcoin', 'crypto', 'BTC', { quoteAsset: 'USDT' });
const doge = pair('DOGEUSDT', 'Dogecoin', 'crypto', 'DOGE', { quoteAsset: 'USDT' });
const apple = pair('AAPL', 'Apple Inc.', 'stock', 'AAPL');
const goldman = pair('GS', 'The Goldman Sachs Group, Inc.', 'stock', 'GS');
const general = pair('GE', 'GE Aerospace', 'stock', 'GE');
const visa = pair('V', 'Visa Inc.', 'stock', 'V');
const nvidia = pair('NVDA', 'NVIDIA Corporation', 'stock', 'NVDA');
const gold = pair('XAUUSD', 'Gold (USD/oz)', 'commodity', 'XAU', { nickname: 'Yellow metal' });
const euro = pair('EUR/USD', 'Euro / US Dollar', 'forex', 'EUR', { nickname: 'Fiber' });
const cable = pair('GBP/USD', 'British Pound / US Dollar', 'forex', 'GBP', { nickname: 'Cable' });
const all = [bitcoin, doge, apple, nvidia, goldman, general, visa, euro, cable, gold];
const none = () => false;
const matches = (one: typeof bitcoin, query: string) => rankMatch(one, query) !== null;
const found = (query: string) => pairsByTab(all, query, none);

test('TRADE-03: the search matches symbol, name, nickname and asset', () => {
  expect(matches(bitcoin, 'btcusd')).toBe(true);
  expect(matches(bitcoin, ' bitcoin ')).toBe(true);
  expect(matches(euro, 'EURUSD')).toBe(true);
  expect(matches(euro, 'dollar')).toBe(true);
  expect(matches(cable, 'cable')).toBe(true);
  expect(matches(gold, 'metal')).toBe(true);
  expect(matches(apple, 'btc')).toBe(false);
});

test('TRADE-04: the tabs are in the stated order and list their markets in the order of the catalogue', () => {
  expect(pairTabs).toEqual(['crypto', 'stocks', 'forex', 'commodities', 'indices', 'favorites']);
  const { pairs } = found('');
  expect(pairs.crypto).toEqual([bitcoin, doge]);
  expect(pairs.stocks).toEqual([apple, nvidia, goldman, general, visa]);
  expect(pairs.forex).toEqual([euro, cable]);
  expect(pairs.commodities).toEqual([gold]);
  expect(pairs.indices).toEqual([]);
});

test('TRADE-13: the favorites tab lists the favorited pairs of every market', () => {
  const { pairs } = pairsByTab([bitcoin, apple, euro], '', (symbol) => symbol !== 'BTCUSDT');
  expect(pairs.favorites).toEqual([apple, euro]);
});

test('the best match comes first: a symbol before a word, a word before a part of one', () => {
  expect(found('v').pairs.stocks).toEqual([visa, nvidia]);
  expect(found('g').pairs.stocks[0]).toBe(goldman);
  expect(found('ge').pairs.stocks).toEqual([general]);
});

test('a search without a match in the chosen market shows the tab with the best match', () => {
  const shown = (chosen: 'crypto' | 'stocks', query: string) => getShownTab(chosen, query, found(query));
  expect(shown('crypto', 'apple')).toBe('stocks');
  expect(shown('crypto', 'cable')).toBe('forex');
  expect(shown('crypto', 'gold')).toBe('commodities');
  expect(shown('crypto', '')).toBe('crypto');
  expect(shown('crypto', 'xyz')).toBe('crypto');
});

test('the chosen market stays while it has a match, unless another one has an exact one', () => {
  const shown = (query: string) => getShownTab('crypto', query, found(query));
  expect(shown('o')).toBe('crypto');
  // A search for the symbol of General Electric does not mean a part of Doge.
  expect(shown('ge')).toBe('stocks');
});
