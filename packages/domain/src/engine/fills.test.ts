/** How orders open positions or are rejected when they fill: A18, A19, A20. */
import { describe, expect, test } from 'vitest';
import { Book, close, contextAt, feeRate, marketOf, money, place, price, size } from '../../test/engine.ts';
import type { Price } from '../money.ts';
import type { PlaceCommand } from './commands.ts';
import { balanceOf, type FillCommand, type Order, type TriggerCommand } from './index.ts';

const fill = (orderId: string, tick: string | Price | null): FillCommand => ({
  kind: 'fill',
  orderId,
  price: typeof tick === 'string' ? price(tick) : tick,
});
const liquidation = (positionId: string | null, tick: string): TriggerCommand => ({
  kind: 'trigger',
  trigger: 'liquidation',
  positionId: positionId ?? 'none',
  price: price(tick),
});
const market = (more: Partial<PlaceCommand> = {}) => place({ type: 'MARKET', price: null, ...more });
const stop = (more: Partial<PlaceCommand> = {}) => place({ type: 'STOP', ...more });
/** Places it while there is no price, so that nothing but the order itself is judged. */
const placed = (book: Book, command: PlaceCommand): Order => book.acceptOrder(command, contextAt(null));

describe('A19: a MARKET order is NEW, then FILLED or REJECTED', () => {
  test('NEW reserves nothing and needs no price', () => {
    const book = new Book('1000');
    const { effects } = book.accept(market(), contextAt(null));
    expect(effects.ledger).toEqual([]);
    expect(effects.orders).toMatchObject([{ after: { status: 'NEW', reserved: 0n, price: null } }]);
    expect(book.wallet).toMatchObject({ available: money('1000'), orderMargin: 0n, version: 1 });
  });

  test('A18: it fills at the quote, with its take profit and stop loss', () => {
    const book = new Book('1000');
    const protection = { takeProfitPrice: price('110'), stopLossPrice: price('95') };
    const { id } = book.acceptOrder(market({ price: price('99.8'), ...protection }));
    const order = book.acceptOrder(fill(id, null));
    const [position] = book.openPositions();
    expect(position).toMatchObject({
      entryPrice: price('100'),
      ...protection,
      initialStopLossPrice: price('95'),
    });
    expect(order).toMatchObject({ status: 'FILLED', positionId: position?.id, reserved: 0n, version: 2 });
    expect(book.wallet).toMatchObject({ available: money('990'), margin: money('10'), orderMargin: 0n });
    expect(book.notifications).toMatchObject([
      { kind: 'order_filled', order, position, price: price('100'), amount: null },
    ]);
  });

  test('a tick that comes with it does not count: only the quote may be traded on', () => {
    const book = new Book('1000');
    const { id } = book.acceptOrder(market());
    book.accept(fill(id, '50'), contextAt('100'));
    expect(book.openPositions()).toMatchObject([{ entryPrice: price('100') }]);
  });

  test.each([
    ['market_closed', '1000', {}, { marketOpen: false }],
    ['no_price', '1000', {}, null],
    ['price_stale', '1000', {}, { stale: true }],
    ['price_moved', '1000', { price: price('99') }, {}],
    ['insufficient_balance', '9.99', {}, {}],
    ['protection_invalid', '1000', { takeProfitPrice: price('100') }, {}],
    ['protection_invalid', '1000', { stopLossPrice: price('90') }, {}],
  ] as const)('%s: it is rejected, and nothing but the order changes', (code, available, input, quote) => {
    const book = new Book(available);
    const { id } = book.acceptOrder(market(input), contextAt(quote));
    const { wallet } = book;
    const { effects } = book.accept(fill(id, null), contextAt(quote));
    expect(effects).toMatchObject({ positions: [], ledger: [], transactions: [] });
    expect(book.order(id)).toMatchObject({ status: 'REJECTED', rejection: { code }, positionId: null });
    expect(book.wallet).toEqual({ ...wallet, version: wallet.version + 1 });
    expect(book.notifications).toMatchObject([{ kind: 'order_rejected', price: null }]);
  });
});

describe('A20: a LIMIT fills at its price or better', () => {
  test.each([
    ['BUY', '100', '100'],
    ['BUY', '99.99', '99.99'],
    ['BUY', '60', '60'],
    ['SELL', '100', '100'],
    ['SELL', '100.01', '100.01'],
    ['SELL', '140', '140'],
  ] as const)('%s at 100, a tick at %s: fills at %s', (side, tick, entry) => {
    const book = new Book('1000');
    const { id } = placed(book, place({ side }));
    book.accept(fill(id, tick), contextAt(tick));
    const margin = price(entry) / 10n;
    expect(book.openPositions()).toMatchObject([{ side, entryPrice: price(entry), margin }]);
    expect(book.wallet).toMatchObject({ available: money('1000') - margin, margin, orderMargin: 0n });
  });

  test('a better price of a SELL takes more margin from available, and its own price where that is not there', () => {
    const exact = new Book('10.5');
    const short = new Book('10.49999999');
    for (const book of [exact, short]) {
      const { id } = placed(book, place({ side: 'SELL' }));
      book.accept(fill(id, '105'), contextAt('105'));
    }
    expect(exact.openPositions()).toMatchObject([{ entryPrice: price('105'), margin: money('10.5') }]);
    expect(exact.wallet).toMatchObject({ available: 0n, orderMargin: 0n });
    expect(short.openPositions()).toMatchObject([{ entryPrice: price('100'), margin: money('10') }]);
    expect(short.wallet).toMatchObject({ available: money('0.49999999'), orderMargin: 0n });
  });

  // A short account sold at 100 into a market at 110: the order filled, and the same tick liquidated it at 109.50.
  test.each([
    ['109.49', 'standard', 'FILLED'],
    ['109.5', 'standard', 'REJECTED'],
    ['110', 'standard', 'REJECTED'],
    ['250', 'standard', 'REJECTED'],
    ['100.94', 'as-specified', 'FILLED'],
    ['100.95', 'as-specified', 'REJECTED'],
  ] as const)(
    'a SELL at 100 that cannot pay for a tick at %s, %s, is %s: liquidated at once it would be at its own price',
    (tick, rules, status) => {
      const book = new Book('10');
      const { wallet } = book;
      const { id } = book.acceptOrder(place({ side: 'SELL' }), contextAt(null, { rules }));
      const order = book.acceptOrder(fill(id, tick), contextAt(tick));
      expect(order.status).toBe(status);
      if (status === 'FILLED') {
        const [position] = book.openPositions();
        expect(position).toMatchObject({ entryPrice: price('100'), margin: money('10') });
        expect(book.refusal(liquidation(order.positionId, tick))).toEqual({ code: 'not_crossed' });
        return;
      }
      expect(order.rejection).toEqual({
        code: 'insufficient_balance',
        required: price(tick) / 10n,
        available: money('10'),
      });
      expect(book.positions.size).toBe(0);
      expect(book.wallet).toEqual({ ...wallet, version: wallet.version + 2 });
      expect(book.notifications).toMatchObject([{ kind: 'order_rejected', price: price(tick) }]);
    },
  );

  test('A07: the fee of the close brings that price nearer', () => {
    const context = (tick: string) => contextAt(tick, { feeRate: feeRate('0.0006') });
    for (const [tick, status] of [
      ['109.42', 'FILLED'],
      ['109.43', 'REJECTED'],
    ] as const) {
      const book = new Book('10.06');
      const { id } = book.acceptOrder(place({ side: 'SELL' }), context('99'));
      expect(book.acceptOrder(fill(id, tick), context(tick)).status).toBe(status);
    }
  });

  test.each([
    ['LIMIT', 'BUY', '100.01'],
    ['LIMIT', 'SELL', '99.99'],
    ['STOP', 'BUY', '99.99'],
    ['STOP', 'SELL', '100.01'],
    ['LIMIT', 'BUY', null],
    ['STOP', 'SELL', null],
  ] as const)('%s %s at 100 does not fill at %s', (type, side, tick) => {
    const book = new Book('1000');
    const { id } = placed(book, place({ type, side }));
    expect(book.refusal(fill(id, tick))).toEqual({ code: 'not_crossed' });
  });

  test('the reserve is released whole, then the margin is taken: two movements, each with its cause', () => {
    const book = new Book('1000');
    const { id } = placed(book, place());
    const { effects } = book.accept(fill(id, '99'), contextAt('99'));
    const positionId = effects.positions[0]?.after.id;
    expect(effects.ledger.map(({ kind, sourceId, entries }) => ({ kind, sourceId, entries }))).toEqual([
      {
        kind: 'release',
        sourceId: id,
        entries: [
          { account: 'user:order_margin', amount: money('-10') },
          { account: 'user:cash', amount: money('10') },
        ],
      },
      {
        kind: 'open',
        sourceId: positionId,
        entries: [
          { account: 'user:cash', amount: money('-9.9') },
          { account: 'user:margin', amount: money('9.9') },
        ],
      },
    ]);
    expect(effects.orders).toMatchObject([
      { before: { status: 'NEW' }, after: { status: 'FILLED', positionId, reserved: 0n, version: 2 } },
    ]);
    expect(effects.notifications).toMatchObject([{ kind: 'order_filled', price: price('99') }]);
  });

  test('A21: take profit and stop loss are taken over as they are, even where a gap makes them fire at once', () => {
    const book = new Book('1000');
    const { id } = placed(book, place({ stopLossPrice: price('99'), takeProfitPrice: price('101') }));
    book.accept(fill(id, '98'), contextAt('98'));
    expect(book.openPositions()).toMatchObject([
      { entryPrice: price('98'), stopLossPrice: price('99'), initialStopLossPrice: price('99') },
    ]);
  });

  test('a SELL that cannot pay for the better tick is rejected where that tick would stop it out at its own price', () => {
    const book = new Book('10');
    const stopped = place({ side: 'SELL', price: price('100'), stopLossPrice: price('105') });
    const { id } = placed(book, stopped);
    expect(book.acceptOrder(fill(id, '106'), contextAt('106'))).toMatchObject({
      status: 'REJECTED',
      rejection: { code: 'insufficient_balance', required: money('10.6'), available: money('10') },
    });
    expect(book.wallet).toMatchObject({ available: money('10'), orderMargin: 0n, margin: 0n });
  });

  test('a tick so low that its margin would be nothing rejects it: at its own price it would be liquidated at once', () => {
    const book = new Book('1000');
    const { id } = placed(book, place({ size: size('0.001'), leverage: 125 }));
    expect(book.acceptOrder(fill(id, '0.00000001'))).toMatchObject({
      status: 'REJECTED',
      rejection: { code: 'amount_too_small' },
    });
    expect(book.wallet).toMatchObject({ available: money('1000'), orderMargin: 0n });
  });
});

describe('A20: a STOP fills at the tick, however far', () => {
  test.each([
    ['BUY', '100', '10'],
    ['BUY', '120', '12'],
    ['SELL', '100', '10'],
    ['SELL', '70', '7'],
  ] as const)('%s at 100, a tick at %s takes %s', (side, tick, margin) => {
    const book = new Book('12');
    const { id } = placed(book, stop({ side }));
    book.accept(fill(id, tick), contextAt(tick));
    expect(book.openPositions()).toMatchObject([{ entryPrice: price(tick), margin: money(margin) }]);
    expect(book.wallet).toMatchObject({ available: money('12') - money(margin), orderMargin: 0n });
  });

  test('what is not there rejects it with the figures; the account is as if it had never been placed', () => {
    const book = new Book('11.99999999');
    const { wallet } = book;
    const { id } = placed(book, stop());
    const { effects } = book.accept(fill(id, '120'), contextAt('120'));
    expect(book.order(id)).toMatchObject({
      status: 'REJECTED',
      reserved: 0n,
      positionId: null,
      rejection: {
        code: 'insufficient_balance',
        required: money('12'),
        available: money('11.99999999'),
      },
    });
    expect(book.wallet).toEqual({ ...wallet, version: wallet.version + 2 });
    expect(book.positions.size).toBe(0);
    expect(effects.ledger.map(({ kind }) => kind)).toEqual(['release']);
    expect(effects.notifications).toMatchObject([{ kind: 'order_rejected', price: price('120') }]);
  });

  test('a tick so low that its margin would be nothing rejects it', () => {
    const book = new Book('1000');
    const { id } = placed(book, stop({ side: 'SELL', size: size('0.001'), leverage: 125 }));
    expect(book.acceptOrder(fill(id, '0.00000001'))).toMatchObject({
      status: 'REJECTED',
      rejection: { code: 'amount_too_small' },
    });
  });
});

describe('what else may have changed while an order waited', () => {
  test('A01: the position gets the rules that the order was placed under', () => {
    const book = new Book('1000');
    const { id } = book.acceptOrder(place(), contextAt(null, { rules: 'as-specified' }));
    book.accept(fill(id, '100'), contextAt('100', { rules: 'standard' }));
    expect(book.openPositions()).toMatchObject([{ rules: 'as-specified', liquidationPrice: price('99.05') }]);
  });

  test('a pair that is no longer traded rejects it', () => {
    const book = new Book('1000');
    const { id } = placed(book, place());
    const nothing = { market: { ...marketOf({}), pair: () => undefined } };
    expect(book.acceptOrder(fill(id, '100'), contextAt('100', nothing))).toMatchObject({
      status: 'REJECTED',
      rejection: { code: 'unknown_symbol', symbol: 'BTCUSDT' },
    });
    expect(book.wallet).toMatchObject({ available: money('1000'), orderMargin: 0n });
  });

  test.each([
    ['MARKET', null],
    ['LIMIT', '100'],
    ['STOP', '100'],
  ])('A72: a restriction that came first rejects a %s order', (type, tick) => {
    const book = new Book('1000');
    const { id } = placed(book, place({ type }));
    book.restricted = true;
    expect(book.acceptOrder(fill(id, tick))).toMatchObject({
      status: 'REJECTED',
      rejection: { code: 'account_restricted' },
    });
    expect(book.wallet).toMatchObject({ available: money('1000'), orderMargin: 0n });
  });
});

test('A20: the position that an order opened lives on its own', () => {
  const book = new Book('1000');
  const { id } = placed(book, place());
  const { positionId } = book.acceptOrder(fill(id, '100'));
  if (positionId === null) throw new Error('nothing was opened');
  book.accept(close(positionId), contextAt('101'));
  expect(book.order(id)).toMatchObject({ status: 'FILLED', positionId, version: 2 });
  expect(balanceOf(book.wallet)).toBe(money('1001'));
});
