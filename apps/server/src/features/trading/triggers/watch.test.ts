import { randomUUID } from 'node:crypto';
import {
  asFeeRate,
  asMoney,
  asPrice,
  asSize,
  type Order,
  type Position,
  parseDecimal,
} from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { Watch } from './watch.ts';

const price = (text: string) => asPrice(parseDecimal(text));
const userId = randomUUID();

const positionAt = (more: Partial<Position> = {}): Position => ({
  id: randomUUID(),
  userId,
  symbol: 'BTCUSDT',
  side: 'BUY',
  entryPrice: price('100'),
  size: asSize(parseDecimal('1')),
  leverage: 10,
  margin: asMoney(parseDecimal('10')),
  liquidationPrice: price('90.5'),
  takeProfitPrice: null,
  stopLossPrice: null,
  initialStopLossPrice: null,
  rules: 'standard',
  feeRate: asFeeRate(0n),
  fees: asMoney(0n),
  splitFrom: null,
  marginWarned: false,
  closeAtReopen: false,
  createdAt: 0,
  updatedAt: 0,
  editedAt: null,
  closing: null,
  version: 1,
  accountVersion: 2,
  ...more,
});
const orderAt = (more: Partial<Order> = {}): Order => ({
  id: randomUUID(),
  userId,
  symbol: 'BTCUSDT',
  type: 'LIMIT',
  side: 'BUY',
  price: price('95'),
  size: asSize(parseDecimal('1')),
  leverage: 10,
  takeProfitPrice: null,
  stopLossPrice: null,
  reserved: asMoney(parseDecimal('9.5')),
  rules: 'standard',
  status: 'NEW',
  rejection: null,
  positionId: null,
  clientId: null,
  createdAt: 0,
  updatedAt: 0,
  version: 1,
  accountVersion: 2,
  ...more,
});
const walletOf = (id: string) => ({
  id: randomUUID(),
  userId: id,
  available: asMoney(0n),
  margin: asMoney(0n),
  orderMargin: asMoney(0n),
  version: 1,
});

test('A05 A21: within an account liquidations come first, then stop losses, orders and warnings; one of each position', () => {
  const watch = new Watch();
  const order = orderAt();
  const warned = positionAt({ liquidationPrice: price('80') });
  const stopped = positionAt({ stopLossPrice: price('95'), liquidationPrice: price('70') });
  const liquidated = positionAt({ stopLossPrice: price('96') });
  watch.followOrder(order);
  for (const position of [warned, stopped, liquidated]) watch.follow(position);
  expect(watch.take('BTCUSDT', price('84'), 100).map(({ kind, id }) => [kind, id])).toEqual([
    ['liquidation', liquidated.id],
    ['stop_loss', stopped.id],
    ['limit', order.id],
    ['margin_warning', warned.id],
  ]);
});

test('A104: a warned position waits for the price to be back instead of for another warning', () => {
  const watch = new Watch();
  const position = positionAt();
  watch.follow(position);
  expect(watch.take('BTCUSDT', price('92.4'), 100).map(({ kind }) => kind)).toEqual(['margin_warning']);
  watch.follow({ ...position, marginWarned: true });
  expect(watch.isCrossed('BTCUSDT', price('92.4'))).toBe(false);
  expect(watch.take('BTCUSDT', price('93.35'), 100).map(({ kind }) => kind)).toEqual(['margin_recovered']);
});

test('what is closed or final waits for nothing', () => {
  const watch = new Watch();
  const position = positionAt({ stopLossPrice: price('95') });
  const order = orderAt();
  watch.follow(position);
  watch.followOrder(order);
  expect(watch.size).toBe(4);
  const { liquidationPrice } = position;
  const closing = { price: liquidationPrice, priceSource: 'live', reason: 'manual', at: 0 } as const;
  watch.follow({ ...position, closing: { ...closing, realizedPnl: asMoney(0n) } });
  watch.followOrder({ ...order, status: 'CANCELED' });
  expect(watch.size).toBe(0);
});

test('an account in doubt is armed as it is stored, and one that is not in doubt is left alone', () => {
  const watch = new Watch();
  const position = positionAt();
  const order = orderAt();
  const stored = { wallet: walletOf(userId), restricted: false, positions: [position], orders: [order] };
  watch.restore(stored);
  expect(watch.size).toBe(0);
  watch.doubt(userId);
  expect([...watch.doubtful]).toEqual([userId]);
  watch.restore(stored);
  expect(watch.size).toBe(3);
  expect(watch.doubtful.size).toBe(0);
});

test('names the symbols that something waits for, and no other one any more', () => {
  const watch = new Watch();
  const [position, order] = [positionAt(), orderAt({ symbol: 'ETHUSDT' })];
  watch.follow(position);
  watch.followOrder(order);
  expect([...watch.symbols].toSorted()).toEqual(['BTCUSDT', 'ETHUSDT']);
  watch.leave(order.id);
  expect([...watch.symbols]).toEqual(['BTCUSDT']);
  watch.leave(position.id);
  expect([...watch.symbols]).toEqual([]);
});
