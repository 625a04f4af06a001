import { timeframes } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { thirdPartyIntervals, thirdPartySymbol } from './third-party-symbol.ts';

test.each([
  ['crypto', 'BTCUSDT', 'BINANCE:BTCUSDT'],
  ['forex', 'EUR/USD', 'FX:EURUSD'],
  ['stock', 'NVDA', 'NVDA'],
  ['stock', 'BRK.B', 'BRK.B'],
  ['commodity', 'XAUUSD', 'OANDA:XAUUSD'],
  ['commodity', 'WTIUSD', 'TVC:USOIL'],
  ['commodity', 'CORNUSD', 'CBOT:ZC1!'],
  ['commodity', 'TINUSD', 'TINUSD'],
  ['index', 'SPX', 'SP:SPX'],
  ['index', 'NIKKEI', 'TVC:NI225'],
  ['index', 'IBEX', 'IBEX'],
] as const)('TRADE-20: of market %s, %s is %s', (type, symbol, expected) => {
  expect(thirdPartySymbol(type, symbol)).toBe(expected);
});

test('every timeframe has its own interval; a minute is not a month', () => {
  expect(new Set(timeframes.map((timeframe) => thirdPartyIntervals[timeframe])).size).toBe(timeframes.length);
  expect([thirdPartyIntervals['1m'], thirdPartyIntervals['1M']]).toEqual(['1', 'M']);
});
