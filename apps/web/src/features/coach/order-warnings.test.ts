/** A115: for which sides of a typed order a warning is shown. Prices of 100, leverage 50: liquidated 1.9 away, hours move by 2. */
import {
  type AccountAtStake,
  asMoney,
  asPercent,
  asPrice,
  asSize,
  hourMs,
  NO_FEE,
  noOwnRules,
  type OwnRules,
  parseDecimal,
  type Side,
} from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { shownWarnings, type TypedOrder } from './order-warnings.ts';

const price = (text: string) => asPrice(parseDecimal(text));
const size = (text: string) => asSize(parseDecimal(text));
const hours = Array.from({ length: 25 }, (_, hour) => ({
  ...{ openTime: hour * hourMs, high: price('101'), low: price('99'), close: price('100') },
}));
const typed = (more: Partial<TypedOrder['terms']> = {}, stop: string | null = null): TypedOrder => {
  const stopLoss =
    stop === null ? ({ kind: 'empty' } as const) : ({ kind: 'price', price: price(stop) } as const);
  return {
    symbol: 'BTCUSDT',
    protection: { BUY: { stopLoss }, SELL: { stopLoss } },
    terms: {
      limits: { tickSize: price('0.01'), maxQty: size('100') },
      rules: { name: 'standard' },
      ...{ feeRate: NO_FEE, leverage: 50, price: price('100'), size: size('1'), ...more },
    },
  };
};
const account: AccountAtStake = {
  ...{ equity: null, positions: [], day: null, marketOf: () => 'crypto', hoursOf: () => hours },
};
const show = (order: TypedOrder, side: Side | null = null, own: OwnRules = noOwnRules) =>
  shownWarnings(order, { side, reduceOnly: false }, account, own);
const sidesOf = (...given: Parameters<typeof show>) =>
  show(...given)?.found.map(({ rule, lines }) => [rule, lines.map(({ side }) => side)]);

test('an order of no price, no size or too large a size has no warnings', () => {
  expect(show(typed({ price: null }))).toBeNull();
  expect(show(typed({ size: null }))).toBeNull();
  expect(show(typed({ size: size('101') }))).toBeNull();
});

test('sides with other figures have a line each; the side that is meant, or that the stop loss allows, has one', () => {
  const rule = 'order_near_liquidation';
  expect(sidesOf(typed())).toEqual([[rule, ['BUY', 'SELL']]]);
  expect(sidesOf(typed(), 'SELL')).toEqual([[rule, ['SELL']]]);
  expect(sidesOf(typed({}, '99'))).toEqual([[rule, ['BUY']]]);
  expect(sidesOf(typed({}, '101'))).toEqual([[rule, ['SELL']]]);
});

test('a line that is the same for both sides stands once', () => {
  const own = { riskShareMax: asPercent(parseDecimal('1')), off: [] };
  const rich = { ...account, equity: asMoney(parseDecimal('10')) };
  const shown = shownWarnings(typed({ leverage: 2 }), { side: null, reduceOnly: false }, rich, own);
  expect(shown?.found.map(({ lines }) => lines.map(({ side }) => side))).toEqual([[null]]);
});
