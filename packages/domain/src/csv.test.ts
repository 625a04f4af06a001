import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test('records end in CRLF, and only what needs quotes has them', () => {
  const text = toCsv(['Symbol', 'Closed At'], [['BTCUSDT', 'Nov 06, 2026']]);
  expect(text).toBe('Symbol,Closed At\r\nBTCUSDT,"Nov 06, 2026"\r\n');
});

test('A77: quotes are doubled, and a text that could be a formula is one no more', () => {
  const rows = [['a "b"', '=1+1', '-x', '+x', '@x', 'two\nlines', '=a,b']];
  expect(toCsv(['h'], rows)).toBe('h\r\n"a ""b""",\'=1+1,\'-x,\'+x,\'@x,"two\nlines","\'=a,b"\r\n');
});

test('A77: neither spaces, line ends nor full-width signs carry a formula through', () => {
  const rows = [[' =1+1', '\n=1+1', '＝1+1', '\u00a0@x', 'a = b']];
  expect(toCsv(['h'], rows)).toBe("h\r\n' =1+1,\"'\n=1+1\",'＝1+1,'\u00a0@x,a = b\r\n");
});

test('numbers stay numbers: negative, small, and without grouping; null is empty', () => {
  expect(toCsv(['h'], [[-108.8, 0.00000001, 12648.92, null]])).toBe('h\r\n-108.8,0.00000001,12648.92,\r\n');
  expect(toCsv(['h'], [[-12_34000000n, 90071992547409931n]])).toBe('h\r\n-12.34,900719925.47409931\r\n');
});
