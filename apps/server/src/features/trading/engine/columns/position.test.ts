import { expect, test } from 'vitest';
import { positionOf } from '../rows.ts';
import { positionColumns } from './position.ts';

const stored = {
  id: '018f0000-0000-7000-8000-000000000001',
  user_id: '018f0000-0000-7000-8000-000000000002',
  symbol: 'BTCUSDT',
  side: 'BUY',
  entry_price: '64000.50000000',
  size: '0.01000000',
  leverage: 10,
  margin: '64.00050000',
  liquidation_price: '58000.12345678',
  close_price: null,
  realized_pnl: null,
  closed_at: null,
  take_profit_price: null,
  stop_loss_price: '60000.00000000',
  close_reason: null,
  close_price_source: null,
  rules: 'standard',
  version: 1,
  account_version: 3,
  initial_stop_loss_price: '60000.00000000',
  fee_rate: '0.00050000',
  fees: '0.32000000',
  split_from: null,
  margin_warned: true,
  created_at: 1_790_000_000_000,
  updated_at: 1_790_000_000_000,
  edited_at: null,
  close_at_reopen: false,
  entry_value: null,
  funding: '0.00000000',
  funded_at: null,
};
const closing = {
  close_price: '65000.00000000',
  realized_pnl: '9.99500000',
  closed_at: 1_790_000_100_000,
  close_reason: 'manual',
  close_price_source: 'live',
};

test('a stored position becomes the value of the domain', () => {
  const open = positionOf(stored);
  expect(open).toMatchObject({
    accountId: stored.user_id,
    entryPrice: 6_400_050_000_000n,
    closing: null,
    marginWarned: true,
  });
  expect(positionOf({ ...stored, ...closing }).closing).toEqual({
    price: 6_500_000_000_000n,
    priceSource: 'live',
    reason: 'manual',
    realizedPnl: 999_500_000n,
    at: closing.closed_at,
  });
});

test('a closed position that lacks a figure is refused', () => {
  expect(() => positionOf({ ...stored, ...closing, realized_pnl: null })).toThrow(
    `the stored row ${stored.id} lacks realized_pnl`,
  );
});

test('the written columns are the stored ones, the mark is only shown', () => {
  const written = positionColumns.written.map(({ name }) => name);
  expect(written.toSorted()).toEqual([...Object.keys(stored), 'status'].toSorted());
  const row = positionColumns.toWire(positionOf(stored), undefined);
  expect(row).toMatchObject({ mark_price: null, status: 'open', entry_price: 64_000.5 });
  expect(row).not.toHaveProperty('margin_warned');
});
