import { expect, test } from 'vitest';
import { fillCalculators } from './fill.ts';
import { initialCalculators } from './input-texts.ts';

const filling = { symbol: 'BTCUSDT', price: { text: '64000.00', still: null }, balance: '9999.50' };

test('one click fills its calculator and the others that have no figure yet', () => {
  expect(fillCalculators(initialCalculators, 'pnl', filling)).toMatchObject({
    pnl: { symbol: 'BTCUSDT', entryPrice: '64000.00', exitPrice: '', size: '' },
    risk: { symbol: 'BTCUSDT', account: '9999.50', entryPrice: '64000.00', stopPrice: '' },
    position: { symbol: 'BTCUSDT', price: '64000.00', size: '' },
  });
});

test('typed figures of another calculator stay; figures of another pair in its own are cleared', () => {
  const before = {
    ...initialCalculators,
    pnl: { ...initialCalculators.pnl, symbol: 'ETHUSDT', entryPrice: '2500', exitPrice: '2600', size: '3' },
    position: { ...initialCalculators.position, size: '7' },
  };
  const after = fillCalculators(before, 'pnl', filling);
  expect(after.pnl).toMatchObject({ symbol: 'BTCUSDT', entryPrice: '64000.00', exitPrice: '', size: '' });
  expect(after.position).toBe(before.position);
  expect(fillCalculators(after, 'position', filling).pnl).toBe(after.pnl);
});
