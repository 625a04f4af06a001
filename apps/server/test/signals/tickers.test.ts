/** Which pair a ticker means, on the shipped catalogue (A119). */
import { expect, test } from 'vitest';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import { findPair } from '../../src/features/signals/tickers.ts';

test.each([
  ['BTCUSDT', 'BTCUSDT'],
  ['BINANCE:BTCUSDT', 'BTCUSDT'],
  ['BINANCE:BTCUSDT.P', 'BTCUSDT'],
  ['BTCUSDTPERP', 'BTCUSDT'],
  ['btc/usdt', 'BTCUSDT'],
  ['BTC/USDT:USDT', 'BTCUSDT'],
  ['BTC-USDT', 'BTCUSDT'],
  ['FX:EURUSD', 'EUR/USD'],
  ['EUR/USD', 'EUR/USD'],
  ['NASDAQ:AAPL', 'AAPL'],
  ['OANDA:XAUUSD', 'XAUUSD'],
  ['NASDAQ:NOTLISTED', undefined],
  ['BTCUSD', undefined],
  ['', undefined],
])('ticker %s means %s', (ticker, symbol) => {
  expect(findPair(ticker, catalogue)?.symbol).toBe(symbol);
});
