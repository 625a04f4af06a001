/** Restriction, reset and deletion, which end several positions and orders of an account at once. */
import { describe, expect, test } from 'vitest';
import {
  Book,
  coarsePair,
  contextAt,
  edit,
  feeRate,
  held,
  marketOf,
  money,
  open,
  pair,
  place,
  price,
  size,
} from '../../test/engine.ts';
import type { Command } from './commands.ts';
import { balanceOf } from './types.ts';

const restrict = (restricted: boolean, reason = 'fraud'): Command => ({
  kind: 'restrict',
  restricted,
  reason,
});
const reset = (startBalance = '1000'): Command => ({ kind: 'reset', startBalance: money(startBalance) });
const remove = (reason = 'requested it'): Command => ({ kind: 'delete', reason });

/** Two positions (margins 10 and 5) and two orders (reserves 9 and 22) of an account of 1000. */
function busy() {
  const book = new Book('1000');
  const long = book.acceptPosition(open());
  const short = book.acceptPosition(open({ side: 'SELL', size: size('0.5') }));
  const limit = book.acceptOrder(place({ price: price('90') }));
  const stop = book.acceptOrder(place({ type: 'STOP', price: price('110'), size: size('2') }));
  expect(book.wallet).toMatchObject({
    available: money('954'),
    margin: money('15'),
    orderMargin: money('31'),
  });
  return { book, long, short, limit, stop };
}

describe('ENG-3 A110: while a price is held back', () => {
  const other = { [coarsePair.symbol]: { price: price('100') } };

  test.each([
    ['a reset', reset()],
    ['a deletion', remove()],
  ])('%s waits where a position is open at it, and names the symbol', (_, command) => {
    const { book } = busy();
    const before = book.wallet;
    expect(book.refusal(command, contextAt(held))).toEqual({ code: 'price_held', symbol: pair.symbol });
    expect(book.wallet).toEqual(before);
    expect(book.refusal(command, contextAt('60'))).toBeNull();
  });

  test.each([
    ['a reset', reset()],
    ['a deletion', remove()],
  ])('%s goes on where nothing but orders wait for it', (_, command) => {
    const book = new Book('1000');
    book.acceptOrder(place({ price: price('90') }));
    book.acceptPosition(open({ symbol: coarsePair.symbol, size: size('5') }));
    const market = marketOf({ ...other, [pair.symbol]: { price: price('100'), ...held } });
    expect(book.refusal(command, { ...contextAt(), market })).toBeNull();
  });

  test('a restriction and an edit by staff need no price, and go on', () => {
    const { book, long } = busy();
    expect(book.refusal(restrict(true), contextAt(held))).toBeNull();
    expect(book.refusal(edit(long.id, { leverage: 5 }), contextAt(held))).toBeNull();
  });
});

describe('A72: restriction', () => {
  test('cancels what waits, frees its reserve, and leaves the positions', () => {
    const { book, limit, stop, long } = busy();
    const { effects, subject } = book.accept(restrict(true));
    expect(subject).toEqual({ kind: 'account' });
    expect(effects.restricted).toBe(true);
    expect(effects.orders.map(({ after }) => [after.id, after.status, after.reserved])).toEqual([
      [limit.id, 'CANCELED', 0n],
      [stop.id, 'CANCELED', 0n],
    ]);
    expect(effects.ledger.map(({ kind, sourceId }) => [kind, sourceId])).toEqual([
      ['release', limit.id],
      ['release', stop.id],
    ]);
    expect(effects.positions).toEqual([]);
    expect(effects.transactions).toEqual([]);
    expect(book.wallet).toMatchObject({ available: money('985'), margin: money('15'), orderMargin: 0n });
    expect(book.refusal(open())?.code).toBe('account_restricted');
    expect(book.refusal(place())?.code).toBe('account_restricted');
    expect(book.refusal({ kind: 'close', positionId: long.id, size: null, reason: 'manual' })).toBeNull();
  });

  test('A104: the trader is notified, of each order as well', () => {
    const { book, limit, stop } = busy();
    const { effects } = book.accept(restrict(true));
    expect(effects.notifications.map(({ kind, order }) => [kind, order?.id ?? null])).toEqual([
      ['restricted', null],
      ['order_canceled', limit.id],
      ['order_canceled', stop.id],
    ]);
  });

  test('lifted, the account opens again; what was cancelled stays so', () => {
    const { book } = busy();
    book.accept(restrict(true));
    const { effects } = book.accept(restrict(false));
    expect(effects).toMatchObject({ restricted: false, orders: [], ledger: [] });
    expect(effects.notifications).toMatchObject([{ kind: 'restriction_lifted' }]);
    expect(book.openOrders()).toEqual([]);
    expect(book.refusal(open())).toBeNull();
  });

  test.each([true, false])('to %s twice is refused', (restricted) => {
    const book = new Book('1000');
    book.restricted = restricted;
    expect(book.refusal(restrict(restricted))).toEqual({ code: 'restriction_unchanged', restricted });
  });

  test.each([true, false])('to %s needs a reason', (restricted) => {
    const book = new Book('1000');
    book.restricted = !restricted;
    expect(book.refusal(restrict(restricted, '  '))).toEqual({ code: 'reason_required' });
  });
});

describe('A102: reset', () => {
  test('by staff has a reason and notifies, by the owner neither', () => {
    const book = new Book('1000');
    expect(book.accept(reset()).effects.notifications).toEqual([]);
    expect(book.refusal({ ...reset(), reason: ' ' } as Command)).toEqual({ code: 'reason_required' });
    expect(book.accept({ ...reset(), reason: 'Term begins' } as Command).effects.notifications).toMatchObject(
      [{ kind: 'account_reset' }],
    );
  });

  test.each([
    ['more', '5000', 'deposit', '3990'],
    ['less', '400', 'withdrawal', '-610'],
    ['nothing', '0', 'withdrawal', '-1010'],
  ] as const)('to %s cancels, closes and books one %s', (_what, startBalance, type, amount) => {
    const { book, long, short, limit, stop } = busy();
    // At 120 the long gains 20 and the short loses 10. Its margin covers 5, and a quarter of the long covers the rest
    // (A111).
    const { effects } = book.accept(reset(startBalance), contextAt('120'));
    expect(
      effects.positions.map(({ after }) => [after.splitFrom ?? after.id, after.size, after.closing?.reason]),
    ).toEqual([
      [long.id, size('0.75'), 'manual'],
      [long.id, size('0.25'), 'liquidation'],
      [short.id, size('0.5'), 'liquidation'],
    ]);
    expect(effects.orders.map(({ after }) => [after.id, after.status])).toEqual([
      [limit.id, 'CANCELED'],
      [stop.id, 'CANCELED'],
    ]);
    expect(effects.transactions.at(-1)).toMatchObject({
      type,
      amount: money(amount),
      description: 'Account reset',
    });
    expect(effects.transactions).toHaveLength(4);
    expect(book.wallet).toMatchObject({ available: money(startBalance), margin: 0n, orderMargin: 0n });
  });

  test('books nothing where nothing is to be booked', () => {
    const { effects } = new Book('1000').accept(reset('1000'));
    expect(effects).toMatchObject({ ledger: [], transactions: [], positions: [], orders: [] });
  });

  test('closes at live, mark or entry price, each by its own symbol, though the markets are shut', () => {
    const book = new Book('1000');
    const long = book.acceptPosition(open());
    const other = book.acceptPosition(open({ symbol: coarsePair.symbol, size: size('5') }));
    const shut = { price: price('101'), marketOpen: false };
    const market = marketOf({ [pair.symbol]: shut, [coarsePair.symbol]: null });
    book.accept(reset(), contextAt({}, { market }));
    expect(book.position(long.id)?.closing).toMatchObject({ price: price('101'), priceSource: 'mark' });
    expect(book.position(other.id)?.closing).toMatchObject({ price: price('100'), priceSource: 'entry' });
  });

  test('A07: fees are charged as at any close, and the balance is the start balance all the same', () => {
    const book = new Book('1000');
    book.accept(open(), contextAt({}, { feeRate: feeRate('0.005') }));
    const { effects } = book.accept(reset(), contextAt('102'));
    expect(effects.transactions.map(({ type, amount }) => [type, amount])).toEqual([
      ['position_closed', money('2')],
      ['fee', money('-0.51')],
      ['withdrawal', money('-0.99')],
    ]);
  });

  test('a restricted trader does not reset what staff hold', () => {
    const { book } = busy();
    book.restricted = true;
    expect(book.refusal(reset())).toEqual({ code: 'account_restricted' });
  });

  test('the history stays: its lines still sum to the balance', () => {
    const { book } = busy();
    book.accept(reset('5000'), contextAt('93'));
    expect(book.transactions.reduce((sum, { amount }) => sum + amount, 0n)).toBe(money('5000'));
    expect(book.positions.size).toBe(2);
  });
});

describe('A73 CALL-53: deletion', () => {
  test('cancels, closes by staff, books the rest out and has the account removed', () => {
    const { book, long, short } = busy();
    const { effects, subject } = book.accept(remove(), contextAt('108'));
    expect(subject).toEqual({ kind: 'account' });
    expect(effects.deletes).toBe(true);
    expect(effects.positions.map(({ after }) => [after.id, after.closing?.reason])).toEqual([
      [long.id, 'staff'],
      [short.id, 'staff'],
    ]);
    expect(effects.orders.every(({ after }) => after.status === 'CANCELED')).toBe(true);
    expect(effects.transactions.at(-1)).toMatchObject({
      type: 'withdrawal',
      amount: money('-1004'),
      description: 'Account closed',
    });
    expect(balanceOf(book.wallet)).toBe(0n);
    expect(book.deleted).toBe(true);
  });

  test('of an empty account books nothing', () => {
    const { effects } = new Book('0').accept(remove());
    expect(effects).toMatchObject({ deletes: true, ledger: [], transactions: [] });
  });

  test('needs no market, no price and no freedom', () => {
    for (const quote of [{ marketOpen: false }, { stale: true }, null]) {
      const { book } = busy();
      book.restricted = true;
      book.accept(remove(), contextAt(quote));
      expect(balanceOf(book.wallet)).toBe(0n);
    }
  });

  test.each(['', '   '])('%j is no reason', (reason) => {
    expect(new Book('1').refusal(remove(reason))).toEqual({ code: 'reason_required' });
  });
});
