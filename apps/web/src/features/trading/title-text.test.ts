import { expect, test } from 'vitest';
import { formatTitle } from './title-text.ts';

const btc = { symbol: 'BTCUSDT', tickSize: 0.1, site: 'Fulcrum' };

test('the tab shows price, pair and result, as far as they are known', () => {
  expect(formatTitle({ ...btc, price: 97482.6, pnl: 255.97 })).toBe('97,482.60 BTCUSDT · +255.97 | Fulcrum');
  expect(formatTitle({ ...btc, price: 97482.6, pnl: -0.004 })).toBe('97,482.60 BTCUSDT · 0.00 | Fulcrum');
  expect(formatTitle({ ...btc, price: 97482.6, pnl: null })).toBe('97,482.60 BTCUSDT | Fulcrum');
  expect(formatTitle({ ...btc, price: null, pnl: null })).toBe('BTCUSDT | Fulcrum');
  expect(formatTitle({ ...btc, price: null, pnl: null, site: 'Scalping' })).toBe('BTCUSDT | Scalping');
});
