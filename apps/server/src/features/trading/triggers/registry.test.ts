import { randomUUID } from 'node:crypto';
import { asMoney, asPercent, MAX_LEVERAGE, NO_FEE, parseDecimal } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { accountId, orderAt, positionAt, price } from '../../../../test/trading/waiting-rows.ts';
import { slotOf } from '../engine/slots.ts';
import { TriggerRegistry } from './registry.ts';

const walletOf = (id: string) => ({
  id: randomUUID(),
  accountId: id,
  available: asMoney(0n),
  margin: asMoney(0n),
  orderMargin: asMoney(0n),
  version: 1,
});

test('A05 A21: within an account liquidations come first, then stop losses, orders and warnings; one of each position', () => {
  const registry = new TriggerRegistry();
  const order = orderAt();
  const warned = positionAt({ liquidationPrice: price('80') });
  const stopped = positionAt({ stopLossPrice: price('95'), liquidationPrice: price('70') });
  const liquidated = positionAt({ stopLossPrice: price('96') });
  registry.armOrder(order);
  for (const position of [warned, stopped, liquidated]) registry.arm(position);
  expect(registry.take('BTCUSDT', price('84'), 100).map(({ kind, id }) => [kind, id])).toEqual([
    ['liquidation', liquidated.id],
    ['stop_loss', stopped.id],
    ['limit', order.id],
    ['margin_warning', warned.id],
  ]);
});

test('A104: a warned position waits for the price to be back instead of for another warning', () => {
  const registry = new TriggerRegistry();
  const position = positionAt();
  registry.arm(position);
  expect(registry.take('BTCUSDT', price('92.4'), 100).map(({ kind }) => kind)).toEqual(['margin_warning']);
  registry.arm({ ...position, marginWarned: true });
  expect(registry.isCrossed('BTCUSDT', price('92.4'))).toBe(false);
  expect(registry.take('BTCUSDT', price('93.35'), 100).map(({ kind }) => kind)).toEqual(['margin_recovered']);
});

test('A114: an order that its crossing did not fill waits for the stated price, or for the stated instant', () => {
  const registry = new TriggerRegistry();
  const order = orderAt({ rules: 'perpetual' });
  registry.armOrder(order, { price: price('94.5'), at: 60_000 });
  expect(registry.isCrossed('BTCUSDT', price('94.9'))).toBe(false);
  expect(registry.take('BTCUSDT', price('94.5'), 100)).toHaveLength(1);
  // In the next minute the spread may be smaller.
  registry.armOrder(order, { price: price('94.5'), at: 60_000 });
  registry.wake(60_000);
  expect(registry.take('BTCUSDT', price('94.9'), 100)).toHaveLength(1);

  registry.armOrder(order, { at: 120_000 });
  expect([...registry.symbols]).toEqual(['BTCUSDT']);
  registry.wake(119_999);
  expect(registry.isCrossed('BTCUSDT', price('90'))).toBe(false);
  registry.wake(120_000);
  expect(registry.take('BTCUSDT', price('90'), 100)).toHaveLength(1);
  registry.wake(180_000);
  expect(registry.size).toBe(0);

  // What happens to it meanwhile ends the rest: it is filled, canceled, amended, or another engine's.
  for (const end of [
    () => registry.disarm(order.id),
    () => registry.armOrder({ ...order, status: 'CANCELED' }),
    () => registry.forgetSlots(new Set([slotOf(accountId)])),
  ]) {
    registry.armOrder(order, { at: 120_000 });
    end();
    registry.wake(120_000);
    expect(registry.size).toBe(0);
  }
});

test('what is closed or final waits for nothing', () => {
  const registry = new TriggerRegistry();
  const position = positionAt({ stopLossPrice: price('95') });
  const order = orderAt();
  registry.arm(position);
  registry.armOrder(order);
  expect(registry.size).toBe(4);
  const { liquidationPrice } = position;
  const closing = { price: liquidationPrice, priceSource: 'live', reason: 'manual', at: 0 } as const;
  registry.arm({ ...position, closing: { ...closing, realizedPnl: asMoney(0n) } });
  registry.armOrder({ ...order, status: 'CANCELED' });
  expect(registry.size).toBe(0);
});

test('a stale account is armed as it is stored, and one that is not stale stays unchanged', () => {
  const registry = new TriggerRegistry();
  const position = positionAt();
  const order = orderAt();
  const stored = {
    ownerId: accountId,
    isArchived: false,
    terms: { rules: 'standard', feeRate: NO_FEE, leverageMax: MAX_LEVERAGE, fillProfile: 'exact' },
    wallet: walletOf(accountId),
    restricted: false,
    positions: [position],
    orders: [order],
    leverages: new Map(),
    trades: [],
  } as const;
  registry.restore(stored);
  expect(registry.size).toBe(0);
  registry.markStale(accountId);
  expect([...registry.staleAccounts]).toEqual([accountId]);
  registry.restore(stored);
  expect(registry.size).toBe(3);
  expect(registry.staleAccounts.size).toBe(0);
});

test('names the symbols that something waits for, and no other one any more', () => {
  const registry = new TriggerRegistry();
  const [position, order] = [positionAt(), orderAt({ symbol: 'ETHUSDT' })];
  registry.arm(position);
  registry.armOrder(order);
  expect([...registry.symbols].toSorted()).toEqual(['BTCUSDT', 'ETHUSDT']);
  registry.disarm(order.id);
  expect([...registry.symbols]).toEqual(['BTCUSDT']);
  registry.disarm(position.id);
  expect([...registry.symbols]).toEqual([]);
});

test('a trailing stop is armed at its distance from the best price of every tick, and that is decided before it is triggered', () => {
  const registry = new TriggerRegistry();
  const order = orderAt({
    ...{ type: 'TRAILING_STOP_MARKET', side: 'SELL', rules: 'perpetual', price: null },
    ...{ trailRate: asPercent(parseDecimal('1')), peakPrice: price('100') },
  });
  registry.armOrder(order);
  const take = (at: string) =>
    registry.take('BTCUSDT', price(at), 10).map(({ kind, price: of }) => [kind, of]);
  expect(take('99.01')).toEqual([]);
  expect(take('110')).toEqual([]);
  expect(registry.followed().map(({ price: of }) => of)).toEqual([price('110')]);
  // The stored order is older than what the registry has seen.
  registry.armOrder(order);
  expect(take('108.91')).toEqual([]);
  expect(take('108.9')).toEqual([
    ['follow', price('110')],
    ['stop', price('108.9')],
  ]);
  registry.armOrder({ ...order, peakPrice: price('110') });
  expect(registry.followed()).toEqual([]);
  registry.armOrder({ ...order, status: 'FILLED' });
  expect([registry.size, [...registry.symbols]]).toEqual([0, []]);
});

test('what waits for an instant is taken once it has come, and again where it was not decided', () => {
  const registry = new TriggerRegistry();
  const order = orderAt({ rules: 'perpetual', timeInForce: 'GTD', expiresAt: 5_000 });
  const arriving = orderAt({ rules: 'perpetual', dueAt: 3_000, expiresAt: 9_000 });
  registry.armOrder(order);
  registry.armOrder(arriving);
  // Its latency is not over, so no price fills it.
  expect(registry.isCrossed('BTCUSDT', price('94'))).toBe(true);
  expect(registry.take('BTCUSDT', price('94'), 10).map(({ id }) => id)).toEqual([order.id]);
  const due = (now: number) => registry.takeDue(now, 10).map(({ kind, id }) => [kind, id]);
  expect(due(2_999)).toEqual([]);
  expect(due(6_000)).toEqual([
    ['expire', order.id],
    ['arrive', arriving.id],
  ]);
  expect(due(6_000)).toEqual([]);
  registry.armOrder({ ...arriving, dueAt: null });
  registry.armOrder({ ...order, status: 'EXPIRED' });
  expect(due(9_000)).toEqual([['expire', arriving.id]]);
});
