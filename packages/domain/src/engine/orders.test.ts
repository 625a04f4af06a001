/**
 * Orders that are placed, stored, refused and cancelled: RULE-13, RULE-14, ENT-19, A20, A98. How they fill:
 * `fills.test.ts`.
 */
import { describe, expect, test } from 'vitest';
import {
  Book,
  cancel,
  coarsePair,
  contextAt,
  feeRate,
  marketOf,
  money,
  open,
  place,
  price,
  size,
} from '../../test/engine.ts';
import type { Price } from '../money.ts';
import type { PlaceCommand } from './commands.ts';
import {
  balanceOf,
  checkPlacement,
  type FillCommand,
  type Order,
  type Quote,
  unconditional,
} from './index.ts';

const fill = (orderId: string, tick: string | Price | null): FillCommand => ({
  kind: 'fill',
  orderId,
  price: typeof tick === 'string' ? price(tick) : tick,
});
const market = (more: Partial<PlaceCommand> = {}) => place({ type: 'MARKET', price: null, ...more });
const stop = (more: Partial<PlaceCommand> = {}) => place({ type: 'STOP', ...more });
/** Places it while there is no price, so that nothing but the order itself is judged. */
const placed = (book: Book, command: PlaceCommand): Order => book.acceptOrder(command, contextAt(null));
const kinds = (book: Book) => book.notifications.map(({ kind }) => kind);

describe('RULE-13 A20: an order that waits is NEW and holds its margin back', () => {
  test('available falls by the reserve, the balance does not, and the order states what it was placed as', () => {
    const book = new Book('1000');
    const { effects } = book.accept(
      place({ takeProfitPrice: price('110'), stopLossPrice: price('95'), clientId: 'mine' }),
      contextAt('105', { now: 7 }),
    );
    const [change] = effects.orders;
    expect(book.wallet).toMatchObject({ available: money('990'), margin: 0n, orderMargin: money('10') });
    expect(balanceOf(book.wallet)).toBe(money('1000'));
    expect(effects).toMatchObject({ positions: [], transactions: [], notifications: [], restricted: null });
    expect(effects.ledger).toMatchObject([
      {
        kind: 'reserve',
        sourceId: change?.after.id,
        entries: [
          { account: 'user:cash', amount: money('-10') },
          { account: 'user:order_margin', amount: money('10') },
        ],
      },
    ]);
    expect(change?.before).toBeNull();
    expect(change?.after).toEqual({
      id: expect.any(String),
      accountId: 'trader',
      symbol: 'BTCUSDT',
      type: 'LIMIT',
      side: 'BUY',
      price: price('100'),
      size: size('1'),
      leverage: 10,
      takeProfitPrice: price('110'),
      stopLossPrice: price('95'),
      reserved: money('10'),
      rules: 'standard',
      timeInForce: 'GTC',
      reduceOnly: false,
      filledSize: 0n,
      filledValue: 0n,
      ...unconditional,
      status: 'NEW',
      rejection: null,
      positionId: null,
      clientId: 'mine',
      createdAt: 7,
      updatedAt: 7,
      version: 1,
      accountVersion: 1,
    });
  });

  test.each([
    ['shut', { marketOpen: false }],
    ['stale', { stale: true }],
    ['without any price', null],
  ] as const)('A98: it may be placed while the market is %s, LIMIT and STOP alike', (_state, quote) => {
    const book = new Book('1000');
    for (const type of ['LIMIT', 'STOP']) {
      expect(book.acceptOrder(place({ type }), contextAt(quote)).status).toBe('NEW');
    }
    expect(book.wallet.orderMargin).toBe(money('20'));
  });

  test('RULE-02: what is available is enough to the last unit, and what waits is not available twice', () => {
    const book = new Book('10');
    placed(book, place());
    expect(book.wallet.available).toBe(0n);
    const insufficient = { code: 'insufficient_balance', available: 0n };
    expect(book.refusal(place({ size: size('0.001') }), contextAt(null))).toMatchObject(insufficient);
    expect(book.refusal(open({ size: size('0.001') }))).toMatchObject(insufficient);
  });
});

describe('A20 A22: an invalid order is refused, whether or not others of the request are stored', () => {
  test.each([
    ['unknown_symbol', { symbol: 'NOPE' }],
    ['side_invalid', { side: 'buy' }],
    ['leverage_invalid', { leverage: 126 }],
    ['leverage_invalid', { leverage: 0.5 }],
    ['amount_out_of_range', { size: size('0.0001') }],
    ['amount_out_of_range', { size: size('0') }],
    ['order_type_invalid', { type: 'limit' }],
    ['order_type_invalid', { type: 'TRAILING' }],
    ['order_price_invalid', { price: null }],
    ['order_price_invalid', { price: price('0') }],
    ['order_price_invalid', { price: price('-100') }],
    ['order_price_invalid', { price: price('100.001') }],
    ['order_price_invalid', { price: price('1000000.01') }],
    ['order_price_invalid', { type: 'STOP', price: null }],
    ['order_price_invalid', { type: 'MARKET', price: price('0') }],
    ['order_price_invalid', { type: 'MARKET', price: price('-1') }],
    ['protection_invalid', { takeProfitPrice: price('0') }],
    ['protection_invalid', { stopLossPrice: price('90.001') }],
    ['protection_invalid', { type: 'MARKET', price: null, takeProfitPrice: price('1000000.01') }],
    ['amount_too_small', { symbol: 'DUST', price: price('0.00000001'), size: size('0.001'), leverage: 125 }],
  ] as const)('%s: %o', (code, input) => {
    const fine = { ...coarsePair, symbol: 'DUST', minPrice: price('0.00000001') };
    const dust = { ...fine, tickSize: price('0.00000001'), minQty: size('0.001'), stepSize: size('0.001') };
    const view = marketOf({});
    const context = {
      market: { ...view, pair: (symbol: string) => (symbol === 'DUST' ? dust : view.pair(symbol)) },
    };
    for (const keepRejected of [false, true]) {
      const command = place({ ...input, keepRejected });
      expect(new Book('1000').refusal(command, contextAt(null, context))?.code).toBe(code);
      expect(checkPlacement(command, context.market)).toMatchObject({ refusal: { code } });
    }
  });

  test('the refusal of a price states what prices there are', () => {
    expect(new Book('1000').refusal(place({ price: null }))).toEqual({
      code: 'order_price_invalid',
      min: price('0.01'),
      max: price('1000000'),
      tickSize: price('0.01'),
    });
  });

  test('the claims of a possible order are no matter of balance, restriction or market', () => {
    expect(checkPlacement(stop(), marketOf({}))).toMatchObject({ placement: { type: 'STOP', side: 'BUY' } });
    // A bound only, so it lies where the trader saw it.
    expect(checkPlacement(market({ price: price('100.001') }), marketOf({}))).toHaveProperty('placement');
  });
});

/** What the account or the market do not let through, per order. */
const circumstances: readonly [string, string, Partial<PlaceCommand>, Partial<Quote>][] = [
  ['stop_reached', '1000', { type: 'STOP' }, {}],
  ['stop_reached', '0', { type: 'STOP', side: 'SELL' }, {}],
  ['insufficient_balance', '9.99999999', { takeProfitPrice: price('99') }, {}],
  ['protection_invalid', '1000', { takeProfitPrice: price('99') }, {}],
  ['protection_invalid', '1000', { stopLossPrice: price('90.5') }, {}],
  ['protection_invalid', '1000', { side: 'SELL', stopLossPrice: price('109.5') }, {}],
  ['protection_invalid', '1000', { type: 'STOP', stopLossPrice: price('100') }, { price: price('90') }],
];

describe('A20: what circumstances refuse', () => {
  test.each(circumstances)(
    '%s with %s available: a single order is refused as a command',
    (code, available, input, quote) => {
      expect(new Book(available).refusal(place(input), contextAt(quote))?.code).toBe(code);
    },
  );

  test.each(circumstances)(
    '%s with %s available: one of several is stored as REJECTED',
    (code, available, input, quote) => {
      const book = new Book(available);
      const { wallet } = book;
      const order = book.acceptOrder(place({ ...input, keepRejected: true }), contextAt(quote));
      expect(order).toMatchObject({ status: 'REJECTED', rejection: { code }, reserved: 0n, version: 1 });
      expect(book.wallet).toEqual({ ...wallet, version: wallet.version + 1 });
      expect(book.notifications).toMatchObject([{ kind: 'order_rejected', order, position: null }]);
    },
  );

  test.each(['LIMIT', 'STOP', 'MARKET'])('A72: a restricted trader places no %s order', (type) => {
    const book = new Book('1000');
    book.restricted = true;
    const command = place({ type });
    expect(book.refusal(command, contextAt(null))).toEqual({ code: 'account_restricted' });
    expect(book.acceptOrder({ ...command, keepRejected: true }, contextAt(null))).toMatchObject({
      status: 'REJECTED',
      rejection: { code: 'account_restricted' },
    });
  });

  test.each([
    ['BUY', '99.99', null],
    ['BUY', '100', 'above'],
    ['BUY', '101', 'above'],
    ['SELL', '100.01', null],
    ['SELL', '100', 'below'],
    ['SELL', '99', 'below'],
  ] as const)('a STOP %s at 100 with the market at %s: must be %s', (side, mark, mustBe) => {
    const book = new Book('1000');
    expect(book.refusal(stop({ side }), contextAt(mark))).toEqual(
      mustBe && { code: 'stop_reached', mustBe, market: price(mark), decimals: 2 },
    );
    // A price that may not be traded on reaches nothing.
    expect(book.refusal(stop({ side }), contextAt({ price: price(mark), stale: true }))).toBeNull();
    expect(book.refusal(stop({ side }), contextAt({ price: price(mark), marketOpen: false }))).toBeNull();
  });

  test('a LIMIT that is reached is placed: it fills at once', () => {
    const book = new Book('1000');
    const order = book.acceptOrder(place(), contextAt('95'));
    expect(book.acceptOrder(fill(order.id, '95'), contextAt('95')).status).toBe('FILLED');
    expect(book.openPositions()).toMatchObject([{ entryPrice: price('95'), margin: money('9.5') }]);
  });

  test('A21: take profit and stop loss are checked against the price of the order, not the market', () => {
    const protection = { takeProfitPrice: price('101'), stopLossPrice: price('99') };
    expect(new Book('1000').acceptOrder(place(protection), contextAt('150'))).toMatchObject(protection);
  });
});

describe('RULE-14: an order that waits is canceled, and its reserve is free', () => {
  test('NEW becomes CANCELED', () => {
    const book = new Book('1000');
    const { wallet } = book;
    const { id } = book.acceptOrder(place(), contextAt('105', { feeRate: feeRate('0.0006') }));
    const { effects } = book.accept(cancel(id));
    expect(book.order(id)).toMatchObject({ status: 'CANCELED', reserved: 0n, rejection: null, version: 2 });
    expect(book.wallet).toEqual({ ...wallet, version: wallet.version + 2 });
    expect(effects.ledger).toMatchObject([
      { kind: 'release', sourceId: id, entries: [{ amount: money('-10.06') }, { amount: money('10.06') }] },
    ]);
    expect(kinds(book)).toEqual([]);
  });

  test('A72: a restricted trader may cancel', () => {
    const book = new Book('1000');
    const { id } = placed(book, place());
    book.restricted = true;
    expect(book.acceptOrder(cancel(id)).status).toBe('CANCELED');
  });

  test('an order that is final neither fills nor is canceled', () => {
    const book = new Book('100');
    const [filled, canceled] = [placed(book, place()), placed(book, place())];
    const rejected = book.acceptOrder(place({ takeProfitPrice: price('1'), keepRejected: true }));
    book.accept(fill(filled.id, '100'));
    book.accept(cancel(canceled.id));
    for (const [{ id }, status] of [
      [filled, 'FILLED'],
      [canceled, 'CANCELED'],
      [rejected, 'REJECTED'],
    ] as const) {
      expect(book.refusal(cancel(id))).toEqual({ code: 'order_final', status });
      expect(book.refusal(fill(id, '100'))).toEqual({ code: 'order_final', status });
    }
  });

  test('RULE-37: an order that is not the account’s is not found', () => {
    const { id } = placed(new Book('100', 'another account'), place());
    const book = new Book('100');
    expect(book.refusal(cancel(id))).toEqual({ code: 'order_not_found' });
    expect(book.refusal(fill(id, '100'))).toEqual({ code: 'order_not_found' });
  });
});
