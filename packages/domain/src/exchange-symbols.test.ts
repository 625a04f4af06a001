import { expect, test } from 'vitest';
import { exchangeNameOf, pairsByExchangeId } from './exchange-symbols.ts';
import type { TradingPair } from './pairs.ts';

const pair = (symbol: string, type: TradingPair['type'], baseAsset = symbol, quoteAsset = 'USD') =>
  ({ symbol, type, baseAsset, quoteAsset }) as TradingPair;

test.each([
  [pair('BTCUSDT', 'crypto', 'BTC', 'USDT'), 'BTCUSDT', 'BTC'],
  [pair('EUR/USD', 'forex', 'EUR'), 'EURUSDUSDT', 'EURUSD'],
  [pair('USD/JPY', 'forex', 'USD', 'JPY'), 'USDJPYUSDT', 'USDJPY'],
  [pair('AAPL', 'stock'), 'AAPLUSDT', 'AAPL'],
  [pair('XAUUSD', 'commodity'), 'XAUUSDUSDT', 'XAUUSD'],
  [pair('SPX', 'index'), 'SPXUSDT', 'SPX'],
])('%o is %s of base %s', (one, id, baseAsset) => {
  expect(exchangeNameOf(one)).toEqual({ id, baseAsset });
});

test('of two pairs with one name the crypto pair is the one, in any order', () => {
  const index = pair('SPX', 'index');
  const coin = pair('SPXUSDT', 'crypto', 'SPX', 'USDT');
  expect(pairsByExchangeId([index, coin]).get('SPXUSDT')).toBe(coin);
  expect(pairsByExchangeId([coin, index]).get('SPXUSDT')).toBe(coin);
});
