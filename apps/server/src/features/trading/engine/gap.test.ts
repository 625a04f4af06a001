import { asPercent, parseDecimal, toDecimalString } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { orderAt, positionAt, price } from '../../../../test/trading/waiting-rows.ts';
import { crossedInGap, type Waiting } from './gap.ts';
import { RecentTicks } from './recent-ticks.ts';

/** A price a second. */
const ticksOf = (...prices: readonly string[]) =>
  prices.map((text, second) => ({ symbol: 'BTCUSDT', price: price(text), at: second * 1_000 }));
const show = (waiting: Partial<Waiting>, ...prices: readonly string[]) => {
  const { crossings, followed } = crossedInGap(
    { positions: [], orders: [], ...waiting },
    ticksOf(...prices),
    () => undefined,
  );
  return {
    crossings: crossings.map(({ trigger, price: at, at: when }) => [trigger.kind, toDecimalString(at), when]),
    followed: followed.map((trigger) => toDecimalString(trigger.price)),
  };
};

test('the first price that decides counts, whatever came after it', () => {
  const positions = [positionAt({ stopLossPrice: price('95') })];
  expect(show({ positions }, '100', '94', '91', '120').crossings).toEqual([['stop_loss', '94', 1_000]]);
  expect(show({ orders: [orderAt()] }, '100', '94.5', '90').crossings).toEqual([['limit', '94.5', 1_000]]);
});

test('a warning does not keep a later price from the liquidation', () => {
  expect(show({ positions: [positionAt()] }, '100', '92.4', '90').crossings).toEqual([
    ['margin_warning', '92.4', 1_000],
    ['liquidation', '90', 2_000],
  ]);
});

test('a price before a change of the position, or just after it, does not count for it', () => {
  const position = positionAt({ stopLossPrice: price('95'), updatedAt: 900 });
  expect(show({ positions: [position] }, '100', '94', '96').crossings).toEqual([]);
  expect(show({ positions: [position] }, '100', '94', '94.5').crossings).toEqual([
    ['stop_loss', '94.5', 2_000],
  ]);
});

test('a trailing stop follows, and is triggered from the best price of the gap', () => {
  const orders = [
    orderAt({
      ...{ side: 'SELL', type: 'TRAILING_STOP_MARKET', rules: 'perpetual', price: null },
      ...{ trailRate: asPercent(parseDecimal('1')), peakPrice: price('100') },
    }),
  ];
  expect(show({ orders }, '101', '110', '109.5')).toEqual({ crossings: [], followed: ['110'] });
  expect(show({ orders }, '101', '110', '108').crossings.at(-1)).toEqual(['stop', '108', 2_000]);
});

test('prices are retained for as long as a crossing may be old', () => {
  const recent = new RecentTicks(2_000);
  for (const tick of ticksOf('1', '2', '3', '4', '5')) recent.add(tick);
  expect(recent.at(4_000).map(({ at }) => at)).toEqual([2_000, 3_000, 4_000]);
  expect(recent.at(9_000)).toEqual([]);
  for (const tick of ticksOf('1')) recent.add(tick);
  recent.clear();
  expect(recent.at(0)).toEqual([]);
});
