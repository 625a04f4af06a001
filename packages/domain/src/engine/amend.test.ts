/** Orders that wait and get another price: A20, RULE-13, RULE-02, A21, A72. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amend,
  Book,
  cancel,
  contextAt,
  feeRate,
  marketOf,
  money,
  pair,
  place,
  price,
  size,
} from '../../test/engine.ts';
import { asFeeRate, asPrice, asSize, toDecimalString } from '../money.ts';
import type { PlaceCommand } from './commands.ts';
import { balanceOf, type Order, openingCost, orderTriggerOf } from './index.ts';

const stop = (more: Partial<PlaceCommand> = {}) => place({ type: 'STOP', ...more });
/** Places it while there is no price, so that nothing but the order itself is judged. */
const placed = (book: Book, command: PlaceCommand): Order => book.acceptOrder(command, contextAt(null));
const fill = (orderId: string, tick: string) => ({ kind: 'fill', orderId, price: price(tick) }) as const;

describe('A20: the price of an order that waits moves, and its reserve follows', () => {
  test.each([
    ['a higher one', '120', '988', '12'],
    ['a lower one', '50', '995', '5'],
    ['the same', '100', '990', '10'],
  ])('%s: what is available follows, the balance does not', (_, to, available, reserved) => {
    const book = new Book('1000');
    const before = placed(book, place({ takeProfitPrice: price('130'), clientId: 'mine' }));
    const { subject, effects } = book.accept(amend(before.id, to), contextAt(null, { now: 9 }));
    expect(subject).toEqual({
      kind: 'order',
      order: {
        ...before,
        ...{ price: price(to), reserved: money(reserved), updatedAt: 9, version: 2, accountVersion: 2 },
      },
    });
    expect(book.wallet).toMatchObject({
      available: money(available),
      margin: 0n,
      orderMargin: money(reserved),
    });
    expect(balanceOf(book.wallet)).toBe(money('1000'));
    expect(effects).toMatchObject({ positions: [], transactions: [], notifications: [] });
    // Released whole and reserved again: an order's reserves and releases stay countable.
    expect(effects.ledger).toMatchObject([
      { kind: 'release', sourceId: before.id, entries: [{ amount: money('-10') }, { amount: money('10') }] },
      {
        kind: 'reserve',
        sourceId: before.id,
        entries: [{ account: 'user:cash' }, { amount: money(reserved) }],
      },
    ]);
  });

  test('A07: the reserve is margin and fee at the new price, at the rate of now', () => {
    const book = new Book('1000');
    const { id } = placed(book, place());
    const dearer = contextAt(null, { feeRate: feeRate('0.001') });
    expect(book.acceptOrder(amend(id, '200'), dearer).reserved).toBe(money('20.2'));
  });

  test('it waits for the new price and no longer for the old one', () => {
    const book = new Book('1000');
    const { id } = placed(book, place());
    const order = book.acceptOrder(amend(id, '90'), contextAt('105'));
    expect(orderTriggerOf(order)).toEqual({ kind: 'limit', price: price('90'), when: 'falls' });
    expect(book.refusal(fill(id, '100'), contextAt('100'))).toEqual({ code: 'not_crossed' });
    expect(book.acceptOrder(fill(id, '89'), contextAt('89'))).toMatchObject({
      status: 'FILLED',
      reserved: 0n,
    });
    expect(book.openPositions()).toMatchObject([{ entryPrice: price('89'), margin: money('8.9') }]);
    expect(book.wallet).toMatchObject({ available: money('991.1'), orderMargin: 0n });
  });

  test('a LIMIT that is amended through the market is armed and fills as a new one would', () => {
    const book = new Book('1000');
    const { id } = placed(book, place());
    expect(book.acceptOrder(amend(id, '110'), contextAt('105')).status).toBe('NEW');
    expect(book.acceptOrder(fill(id, '105'), contextAt('105')).status).toBe('FILLED');
    expect(book.openPositions()).toMatchObject([{ entryPrice: price('105') }]);
  });

  test('an amended order is canceled like any other, to the last unit', () => {
    const book = new Book('1000');
    const { wallet } = book;
    const { id } = placed(book, place({ size: size('0.333'), leverage: 7 }));
    book.accept(amend(id, '97.31'));
    book.accept(amend(id, '101.07'));
    book.accept(cancel(id));
    expect(book.wallet).toEqual({ ...wallet, version: wallet.version + 4 });
    expect(book.order(id)).toMatchObject({ status: 'CANCELED', version: 4 });
  });

  test('A01: it keeps the rules that it was placed under, and its stop loss is judged by them', () => {
    const command = place({ stopLossPrice: price('95') });
    const asSpecified = { rules: 'as-specified' } as const;
    const book = new Book('1000');
    const { id } = placed(book, command);
    // At leverage 10 it would be liquidated at 99.05 under the other rules, before the stop loss.
    expect(book.refusal(command, contextAt(null, asSpecified))?.code).toBe('protection_invalid');
    expect(book.acceptOrder(amend(id, '101'), contextAt(null, asSpecified)).rules).toBe('standard');
  });
});

describe('A20, A22: it is refused like a new order at that price, and waits on as it was', () => {
  const refused = (
    command: PlaceCommand,
    to: string,
    { available = '1000', at = null as string | null } = {},
  ) => {
    const book = new Book(available);
    const order = placed(book, command);
    const { wallet } = book;
    const refusal = book.refusal(amend(order.id, to), contextAt(at));
    expect(book.wallet).toBe(wallet);
    expect(book.order(order.id)).toBe(order);
    return refusal;
  };

  test.each(['0', '-1', '100.001', '0.001', '1000000.01'])('a price of %s', (to) => {
    expect(refused(place(), to)).toEqual({
      code: 'order_price_invalid',
      min: price('0.01'),
      max: price('1000000'),
      tickSize: price('0.01'),
    });
  });

  test('RULE-02: a refusal counts the released reserve as available; equal is enough', () => {
    expect(refused(place(), '150.01', { available: '15' })).toEqual({
      code: 'insufficient_balance',
      required: money('15.001'),
      available: money('15'),
    });
    expect(refused(place(), '150', { available: '15' })).toBeNull();
    // What waits beside it is not there twice.
    const book = new Book('20');
    const { id } = placed(book, place());
    placed(book, place());
    expect(book.refusal(amend(id, '100.01'))).toMatchObject({ available: money('10') });
  });

  test('an order that would reserve nothing', () => {
    const dust = { ...pair, tickSize: price('0.00000001'), minPrice: price('0.00000001') };
    const context = contextAt(null, { market: { ...marketOf({}), pair: () => dust } });
    const book = new Book('1000');
    const { id } = book.acceptOrder(place({ size: size('0.001'), leverage: 125 }), context);
    expect(book.refusal(amend(id, '0.00000001'), context)).toEqual({ code: 'amount_too_small' });
  });

  test.each([
    ['BUY', '104.99', 'above'],
    ['BUY', '105', 'above'],
    ['BUY', '105.01', null],
    ['SELL', '105', 'below'],
    ['SELL', '104.99', null],
  ] as const)('a STOP %s to %s with the market at 105: must be %s', (side, to, mustBe) => {
    const market = { code: 'stop_reached', mustBe, market: price('105'), decimals: 2 };
    expect(refused(stop({ side }), to, { at: '105' })).toEqual(mustBe && market);
  });

  test('A37, A98: a price that may not be traded on has reached no stop', () => {
    const book = new Book('1000');
    const { id } = placed(book, stop());
    for (const quote of [{ stale: true }, { marketOpen: false }, null]) {
      expect(book.refusal(amend(id, '90'), contextAt(quote))).toBeNull();
    }
  });

  test.each([
    ['its take profit', { takeProfitPrice: price('110') }, '110', 'take_profit_side'],
    ['its stop loss', { stopLossPrice: price('95') }, '95', 'stop_loss_side'],
    [
      'its stop loss from the liquidation',
      { stopLossPrice: price('95') },
      '105',
      'stop_loss_beyond_liquidation',
    ],
  ] as const)('A21: a price that parts %s from its side', (_, protection, to, code) => {
    expect(refused(place(protection), to)).toMatchObject({ code: 'protection_invalid', fault: { code } });
  });

  test('RULE-37: an order that is not the account’s is not found, one that is final is final', () => {
    const book = new Book('1000');
    expect(book.refusal(amend('unknown', '90'))).toEqual({ code: 'order_not_found' });
    const other = new Book('1000', 'another account');
    expect(book.refusal(amend(placed(other, place()).id, '90'))).toEqual({ code: 'order_not_found' });
    const { id } = placed(book, place());
    book.accept(cancel(id));
    expect(book.refusal(amend(id, '90'))).toEqual({ code: 'order_final', status: 'CANCELED' });
    const filled = placed(book, place()).id;
    book.accept(fill(filled, '99'), contextAt('99'));
    expect(book.refusal(amend(filled, '90'))).toEqual({ code: 'order_final', status: 'FILLED' });
  });

  test('A72: a restricted trader amends nothing', () => {
    const book = new Book('1000');
    const { id } = placed(book, place());
    book.restricted = true;
    expect(book.refusal(amend(id, '90'))).toEqual({ code: 'account_restricted' });
  });

  test('a pair that is no longer listed takes no new order, and none that moves', () => {
    const book = new Book('1000');
    const { id } = placed(book, place());
    const context = contextAt(null);
    const unlisted = { ...context, market: { ...context.market, isListed: () => false } };
    expect(book.refusal(amend(id, '90'), unlisted)).toEqual({ code: 'unknown_symbol', symbol: 'BTCUSDT' });
  });
});

const prices = fc.bigInt({ min: 1n, max: 500_00n }).map((cents) => asPrice(cents * 1_000_000n));
const sizes = fc.bigInt({ min: 1n, max: 3_000n }).map((steps) => asSize(steps * 100_000n));
const leverages = fc.integer({ min: 1, max: 125 });
const rates = fc.bigInt({ min: 0n, max: 500_000n }).map(asFeeRate);
const sides = fc.constantFrom('BUY', 'SELL');
const types = fc.constantFrom('LIMIT', 'STOP');

describe('for any order', () => {
  test('A20: it reserves what its opening costs at the new price, and the way back restores the account exactly', () => {
    fc.assert(
      fc.property(
        types,
        sides,
        prices,
        prices,
        sizes,
        leverages,
        rates,
        (type, side, from, to, s, l, rate) => {
          const context = () => contextAt(null, { feeRate: rate });
          const most = from > to ? from : to;
          fc.pre(openingCost(from < to ? from : to, s, l, rate).margin > 0n);
          const book = new Book(toDecimalString(openingCost(most, s, l, rate).total));
          const order = book.acceptOrder(place({ type, side, price: from, size: s, leverage: l }), context());
          const { wallet } = book;
          const moved = book.acceptOrder(amend(order.id, to), context());
          expect(moved.reserved).toBe(openingCost(to, s, l, rate).total);
          expect(book.wallet.orderMargin).toBe(moved.reserved);
          const back = book.acceptOrder(amend(order.id, from), context());
          expect(book.wallet).toEqual({ ...wallet, version: wallet.version + 2 });
          expect(back).toEqual({
            ...order,
            ...{ version: 3, accountVersion: book.wallet.version, updatedAt: back.updatedAt },
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  test('A20: an amendment is taken where a new order in its place would be, for the same reasons, and comes to the same', () => {
    fc.assert(
      fc.property(
        types,
        sides,
        prices,
        prices,
        sizes,
        leverages,
        rates,
        fc.option(prices),
        fc.option(prices),
        prices,
        fc.bigInt({ min: 0n, max: 2_000_00000000n }),
        (type, side, from, to, s, l, rate, takeProfitPrice, stopLossPrice, mark, slack) => {
          const terms = { type, side, size: s, leverage: l, takeProfitPrice, stopLossPrice };
          const quiet = contextAt(null, { feeRate: rate });
          const context = contextAt({ price: mark }, { feeRate: rate });
          const start = toDecimalString(openingCost(from, s, l, rate).total + slack);
          const [amended, fresh] = [new Book(start), new Book(start)];
          fc.pre(amended.refusal(place({ ...terms, price: from }), quiet) === null);
          const { id } = amended.acceptOrder(place({ ...terms, price: from }), quiet);
          const refusal = amended.refusal(amend(id, to), context);
          expect(refusal).toEqual(fresh.refusal(place({ ...terms, price: to }), context));
          if (refusal) return;
          const moved = amended.acceptOrder(amend(id, to), context);
          const placedThere = fresh.acceptOrder(place({ ...terms, price: to }), context);
          expect(moved).toMatchObject({ price: placedThere.price, reserved: placedThere.reserved });
          expect(orderTriggerOf(moved)).toEqual(orderTriggerOf(placedThere));
          expect(amended.wallet.available).toBe(fresh.wallet.available);
        },
      ),
      { numRuns: 500 },
    );
  });
});
