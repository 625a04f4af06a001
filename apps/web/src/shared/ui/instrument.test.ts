import { expect, test } from 'vitest';
import { instrumentLetters } from './instrument.ts';

test('a currency pair shows both currencies, by their signs where they have one', () => {
  expect(instrumentLetters('EUR/USD')).toEqual({ letters: ['€', '$'], hues: ['EUR', 'USD'] });
  expect(instrumentLetters('USD/SEK').letters).toEqual(['$', 'S']);
});

test('a metal shows its chemical symbol, anything else the first two letters of its name', () => {
  const letters = (symbol: string) => instrumentLetters(symbol).letters.join('');
  expect(['XAUUSD', 'XAGUSD', 'XCUUSD', 'XNIUSD'].map(letters)).toEqual(['Au', 'Ag', 'Cu', 'Ni']);
  expect(['XRPUSDT', 'XOM', 'WTIUSD', 'SPX', '1INCHUSDT'].map(letters)).toEqual([
    'XR',
    'XO',
    'WT',
    'SP',
    '1I',
  ]);
  // Alike in the first letter only.
  expect(['BTCUSDT', 'BNBUSDT', 'BCHUSDT', 'F'].map(letters)).toEqual(['BT', 'BN', 'BC', 'F']);
});

test('a currency has the same hue in every pair', () => {
  expect(instrumentLetters('GBP/JPY').hues[1]).toBe(instrumentLetters('USD/JPY').hues[1]);
});
