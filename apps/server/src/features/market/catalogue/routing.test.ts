import { describe, expect, test } from 'vitest';
import { PriceError } from '../price-error.ts';
import { catalogue, tickerOf } from './index.ts';

describe('what the quote provider calls a symbol', () => {
  test.each([
    ['FEED-22', 'EUR/USD', 'EURUSD=X'],
    ['FEED-22', 'GBP/JPY', 'GBPJPY=X'],
    ['FEED-23', 'USD/JPY', 'JPY=X'],
    ['FEED-23', 'USD/CHF', 'CHF=X'],
    ['FEED-24', 'USD/KRW', 'USDKRW=X'],
    ['FEED-24', 'CHF/NOK', 'CHFNOK=X'],
    ['FEED-25', 'XAUUSD', 'GC=F'],
    ['FEED-25', 'WTIUSD', 'CL=F'],
    ['FEED-25', 'XCUUSD', 'HG=F'],
    ['FEED-25', 'LUMBERMB', 'LBR=F'],
    ['FEED-26', 'SPX', '^GSPC'],
    ['FEED-26', 'CAC', '^FCHI'],
    ['FEED-05', 'AAPL', 'AAPL'],
    ['FEED-05', 'SAP', 'SAP'],
  ])('%s: %s is %s', (_id, symbol, ticker) => {
    expect(tickerOf(symbol)).toBe(ticker);
  });

  test('FEED-22 FEED-25 FEED-26: forex tickers end in =X, those of commodities in =F, those of indices begin with a caret', () => {
    const form = {
      forex: /^[A-Z]{3,6}=X$/,
      commodity: /^[A-Z]{2,3}=F$/,
      index: /^\^[A-Z0-9]+$/,
      stock: /^[A-Z]+$/,
    };
    for (const { symbol, type } of catalogue) {
      if (type === 'crypto' || symbol === 'XNIUSD') continue;
      expect(tickerOf(symbol)).toMatch(form[type]);
    }
  });

  test('no forex ticker against the dollar is the inverse one', () => {
    for (const wrong of ['EUR=X', 'GBP=X', 'AUD=X', 'NZD=X']) {
      expect(catalogue.map(({ yahoo }) => yahoo)).not.toContain(wrong);
    }
  });

  test.each([
    // Nickel is listed and simulated, but the provider has no quote for it; NGG only resembles natural gas (A27).
    ['XNIUSD', 'Unsupported commodity symbol: XNIUSD'],
    ['NGG', 'Unsupported commodity symbol: NGG'],
    ['WHEATEUR', 'Unsupported commodity symbol: WHEATEUR'],
  ])('FEED-64 ERR-33: %s is refused with its text', (symbol, text) => {
    expect(() => tickerOf(symbol)).toThrow(new PriceError(text));
  });

  test.each(['DJI', 'DAX'])(
    'FEED-65 ERR-34: %s is an index of the pattern, but in no catalogue',
    (symbol) => {
      expect(() => tickerOf(symbol)).toThrow(new PriceError(`Unsupported index symbol: ${symbol}`));
    },
  );

  test('FEED-66 ERR-38: a market that the provider does not quote is refused', () => {
    expect(() => tickerOf('BTCUSDT')).toThrow(new PriceError('Unsupported market type'));
    expect(() => tickerOf('NEWCOINUSDT')).toThrow(new PriceError('Unsupported market type'));
    expect(() => tickerOf('A/B/C')).toThrow(new PriceError('Unsupported market type'));
  });
});
