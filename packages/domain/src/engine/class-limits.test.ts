/** A112: what a class lets its members open. A limit refuses what opens, never what closes or reduces. */
import { describe, expect, test } from 'vitest';
import {
  Book,
  close,
  contextAt,
  netContextAt,
  open,
  openedBook,
  place,
  price,
  size,
} from '../../test/engine.ts';
import type { AccountLimits } from '../accounts.ts';
import { asMoney, asPercent, asPrice, parseDecimal } from '../money.ts';
import { isStoppedWhole, openRiskOf, stopLevelsOf } from './open-risk.ts';
import type { Order } from './types.ts';

const none: AccountLimits = {
  ...{ setBy: 'class', symbols: null, positionsMax: null, opensFrom: null, opensUntil: null },
};
const limited = (limits: Partial<AccountLimits>, more: { now?: number } = {}) => ({
  limits: { ...none, ...limits },
  ...more,
});
const symbol = open().symbol;
const limit = place({ type: 'LIMIT', side: 'BUY', price: price('90') });

describe('the symbols of a class', () => {
  const others = limited({ symbols: ['OTHER'] });
  const refusal = { code: 'symbol_not_allowed', symbol, setBy: 'class' };

  test('another one is refused to a click, an order, a change of an order and a reverse', () => {
    const book = new Book('100000');
    expect(book.refusal(open(), contextAt('100', others))).toEqual(refusal);
    expect(book.refusal(limit, contextAt('100', others))).toEqual(refusal);
    const waiting = book.acceptOrder(limit, contextAt('100'));
    const amend = { kind: 'amend', orderId: waiting.id, price: price('91') } as const;
    expect(book.refusal(amend, contextAt('100', others))).toEqual(refusal);
    const fill = { kind: 'fill', orderId: waiting.id, price: price('90') } as const;
    expect(book.acceptOrder(fill, contextAt('90', others))).toMatchObject({
      status: 'REJECTED',
      rejection: refusal,
    });

    const { book: held, position } = openedBook();
    const reverse = { kind: 'reverse', positionId: position.id, expectedPrice: null } as const;
    expect(held.refusal(reverse, contextAt('100', others))).toEqual(refusal);
    expect(held.acceptPosition(close(position.id), contextAt('100', others)).closing).not.toBeNull();
  });

  test('its own ones are opened', () => {
    const book = new Book('100000');
    book.accept(open(), contextAt('100', limited({ symbols: ['OTHER', symbol] })));
    expect(book.openPositionCount).toBe(1);
  });
});

test('a class begins and ends: before and after it nothing opens, and what is open can be closed', () => {
  const period = { opensFrom: 1_000, opensUntil: 2_000 };
  const at = (now: number) => contextAt('100', limited(period, { now }));
  const book = new Book('100000');
  expect(book.refusal(open(), at(999))).toEqual({ code: 'class_not_begun', at: 1_000 });
  const position = book.acceptPosition(open(), at(1_000));
  book.accept(open(), at(1_999));
  expect(book.refusal(open(), at(2_000))).toEqual({ code: 'class_over', at: 2_000 });
  expect(book.acceptPosition(close(position.id), at(5_000)).closing).not.toBeNull();
});

test('the most open positions of a class, and a reverse keeps their number', () => {
  const two = limited({ positionsMax: 2 });
  const book = new Book('100000');
  const first = book.acceptPosition(open(), contextAt('100', two));
  book.accept(open(), contextAt('100', two));
  const full = { code: 'too_many_open', what: 'positions', max: 2 };
  expect(book.refusal(open(), contextAt('100', two))).toEqual(full);
  book.accept({ kind: 'reverse', positionId: first.id, expectedPrice: null }, contextAt('100', two));
  expect(book.openPositionCount).toBe(2);
  const [held] = book.openPositions();
  book.accept(close(held!.id), contextAt('100', two));
  book.accept(open(), contextAt('100', two));
  expect(book.refusal(open(), contextAt('100', two))).toEqual(full);
});

describe('with net positions', () => {
  const buy = open({ side: 'BUY', size: size('1') });
  const sell = open({ side: 'SELL', size: size('1') });

  test('a limit refuses what opens or adds, and lets through what reduces', () => {
    const book = new Book('100000');
    book.accept(buy, netContextAt('100'));
    const over = limited({ opensUntil: 1 });
    expect(book.refusal(buy, netContextAt('100', over))).toEqual({ code: 'class_over', at: 1 });
    // Twice as much as there is would open the other side.
    expect(book.refusal(open({ side: 'SELL', size: size('2') }), netContextAt('100', over))).toEqual({
      code: 'class_over',
      at: 1,
    });
    book.accept(sell, netContextAt('100', over));
    expect(book.openPositionCount).toBe(0);
  });

  test('a flip keeps the number of positions; another symbol would exceed it', () => {
    const one = limited({ positionsMax: 1 });
    const book = new Book('100000');
    book.accept(buy, netContextAt('100', one));
    book.accept(open({ side: 'SELL', size: size('2') }), netContextAt('100', one));
    expect(book.openPositionCount).toBe(1);
    book.accept(buy, netContextAt('100', one));
    expect(book.openPositionCount).toBe(0);
  });
});

test('the open risk is the loss to the stop loss, or the margin without one', () => {
  const book = new Book('100000');
  const plain = book.acceptPosition(open({ side: 'BUY', size: size('1'), leverage: 10 }), contextAt('100'));
  expect(openRiskOf([plain], [])).toBe(plain.margin);
  const stopped = book.acceptPosition(
    open({ side: 'BUY', size: size('2'), leverage: 10, stopLossPrice: price('98') }),
    contextAt('100'),
  );
  const risk = asMoney(parseDecimal('4'));
  expect(openRiskOf([stopped], [])).toBe(risk);
  expect(openRiskOf([plain, stopped], [])).toBe(plain.margin + risk);
  expect(openRiskOf([{ ...stopped, stopLossPrice: price('103') }], [])).toBe(0n);
  expect(openRiskOf([book.acceptPosition(close(plain.id), contextAt('100'))], [])).toBe(0n);
});

describe('the open risk of a net position', () => {
  const stop = { type: 'STOP_MARKET', side: 'SELL', price: null, reduceOnly: true } as const;
  const opened = () => {
    const book = new Book('100000');
    const context = netContextAt('100');
    const position = book.acceptPosition(open({ side: 'BUY', size: size('2'), leverage: 10 }), context);
    const stopAt = (at: string, more = {}) =>
      book.acceptOrder(place({ ...stop, size: size('2'), triggerPrice: price(at), ...more }), context);
    const lossTo = (at: string, share = 1n) =>
      asMoney((position.entryValue ?? 0n) / share - (price(at) * 2n) / share);
    return { position, stopAt, lossTo, riskWith: (...orders: Order[]) => openRiskOf([position], orders) };
  };

  test('is the loss to a stop order that closes it, the nearest one', () => {
    const { position, stopAt, lossTo, riskWith } = opened();
    expect(riskWith()).toBe(position.margin);
    const whole = stopAt('97', { closePosition: true, size: size('0') });
    expect(riskWith(whole)).toBe(lossTo('97'));
    expect(riskWith(whole, stopAt('98'))).toBe(lossTo('98'));
    expect(stopLevelsOf({ ...position, stopLossPrice: price('99') }, [whole])).toEqual([
      { price: price('99'), size: null },
      { price: price('97'), size: null },
    ]);
  });

  test('is the margin of what a smaller stop order leaves', () => {
    const { position, stopAt, lossTo, riskWith } = opened();
    expect(riskWith(stopAt('98', { size: size('1') }))).toBe(lossTo('98', 2n) + position.margin / 2n);
  });

  test('of which a part has no stop is not stopped whole, nor by an order that its liquidation comes before', () => {
    const { position, stopAt, riskWith } = opened();
    const half = stopAt('98', { size: size('1') });
    expect(isStoppedWhole(position, stopLevelsOf(position, [half]))).toBe(false);
    expect(isStoppedWhole(position, stopLevelsOf(position, [half, half]))).toBe(true);
    const late = { ...half, triggerPrice: asPrice(position.liquidationPrice - 1n) };
    expect(stopLevelsOf(position, [late])).toEqual([]);
    expect(riskWith(late)).toBe(position.margin);
  });

  test('ignores what limits no loss: an order that opens, takes profit, is over, or has no level yet', () => {
    const { position, stopAt, riskWith } = opened();
    const trailing = { type: 'TRAILING_STOP_MARKET', trailRate: asPercent(parseDecimal('1')) };
    const others = [
      stopAt('98', { reduceOnly: false }),
      stopAt('104', { type: 'TAKE_PROFIT_MARKET' }),
      { ...stopAt('98'), status: 'CANCELED' } as const,
      stopAt('105', trailing),
    ];
    expect(riskWith(...others)).toBe(position.margin);
  });
});
