import { asFeeRate, asMoney, asPrice, asSize, hourMs, type MarketType, type Position } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { DueCosts } from './due-costs.ts';

const midnight = Date.parse('2026-11-28T00:00:00Z');
const accountId = '00000000-0000-4000-8000-0000000000a0';
const types: Readonly<Record<string, MarketType>> = { BTCUSDT: 'crypto', AAPL: 'stock' };
const always = () => true;

const positionAt = (id: string, more: Partial<Position> = {}): Position => ({
  ...{
    id,
    accountId,
    symbol: 'BTCUSDT',
    side: 'BUY',
    entryPrice: asPrice(1n),
    size: asSize(1n),
    leverage: 1,
  },
  ...{ margin: asMoney(1n), entryValue: asMoney(1n), liquidationPrice: asPrice(1n), rules: 'perpetual' },
  ...{ takeProfitPrice: null, stopLossPrice: null, initialStopLossPrice: null, feeRate: asFeeRate(0n) },
  ...{ fees: asMoney(0n), funding: asMoney(0n), fundedAt: null, splitFrom: null, marginWarned: false },
  ...{ closeAtReopen: false, createdAt: midnight + hourMs, updatedAt: 0, editedAt: null, closing: null },
  ...{ version: 1, accountVersion: 1 },
  ...more,
});
const takenAt = (costs: DueCosts, hours: number, hasPrice: (symbol: string) => boolean = always, max = 10) =>
  costs.take(midnight + hours * hourMs, hasPrice, max).map(({ id }) => id);

test('A113: each market is due at its own instants, once', () => {
  const costs = new DueCosts((symbol) => types[symbol]);
  costs.arm(positionAt('funded'));
  costs.arm(positionAt('financed', { symbol: 'AAPL' }));
  expect(takenAt(costs, 7.99)).toEqual([]);
  expect(takenAt(costs, 8)).toEqual(['funded']);
  expect(takenAt(costs, 20.99)).toEqual([]);
  costs.arm(positionAt('funded', { fundedAt: midnight + 8 * hourMs }));
  expect(new Set(takenAt(costs, 21))).toEqual(new Set(['financed', 'funded']));
  expect(costs.size).toBe(0);
});

test('what has no price to book at stays, and what is beyond the room too', () => {
  const costs = new DueCosts((symbol) => types[symbol]);
  for (const id of ['a', 'b', 'c']) costs.arm(positionAt(id));
  expect(takenAt(costs, 9, () => false)).toEqual([]);
  expect(takenAt(costs, 9, always, 2)).toHaveLength(2);
  expect(takenAt(costs, 9)).toHaveLength(1);
});

test('only open net positions are armed; closing, disarming and giving a slot back end it', () => {
  const costs = new DueCosts((symbol) => types[symbol]);
  costs.arm(positionAt('main', { entryValue: null }));
  expect(costs.size).toBe(0);
  for (const id of ['a', 'b', 'c']) costs.arm(positionAt(id));
  const closing = {
    price: asPrice(1n),
    priceSource: 'live',
    reason: 'manual',
    realizedPnl: asMoney(0n),
    at: 0,
  } as const;
  costs.arm(positionAt('a', { closing }));
  costs.disarm('b');
  expect(costs.size).toBe(1);
  costs.forgetSlots(new Set([0x01]));
  expect(costs.size).toBe(1);
  costs.forgetSlots(new Set([0xa0]));
  expect(costs.size).toBe(0);
  expect(takenAt(costs, 100)).toEqual([]);
});

test('a symbol that is not listed now is looked at from the earlier of both instants on', () => {
  const costs = new DueCosts(() => undefined);
  costs.arm(positionAt('unknown', { createdAt: midnight + 20 * hourMs }));
  expect(takenAt(costs, 21)).toEqual(['unknown']);
});
