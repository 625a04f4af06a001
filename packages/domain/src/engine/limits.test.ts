import { describe, expect, test } from 'vitest';
import { Book, close, contextAt, open, openedBook, place, price } from '../../test/engine.ts';
import { MAX_OPEN_ORDERS, MAX_OPEN_POSITIONS } from './limits.ts';

/** A book that reports this many open positions and orders. */
class FullBook extends Book {
  positionsOpen = 0;
  ordersOpen = 0;
  override get openPositionCount(): number {
    return this.positionsOpen;
  }
  override get openOrderCount(): number {
    return this.ordersOpen;
  }
}

const full = { code: 'too_many_open', what: 'positions', max: MAX_OPEN_POSITIONS } as const;
const limit = place({ type: 'LIMIT', side: 'BUY', price: price('90') });

describe('an account has only so much open', () => {
  test('the last position that fits is opened, the next is refused, by a click and by an order alike', () => {
    const book = new FullBook('100000');
    book.positionsOpen = MAX_OPEN_POSITIONS - 1;
    book.accept(open(), contextAt('100'));
    book.positionsOpen = MAX_OPEN_POSITIONS;
    expect(book.refusal(open(), contextAt('100'))).toEqual(full);
    const waiting = book.acceptOrder(limit, contextAt('100'));
    const { available } = book.wallet;
    const fill = { kind: 'fill', orderId: waiting.id, price: price('90') } as const;
    expect(book.acceptOrder(fill, contextAt('90'))).toMatchObject({ status: 'REJECTED', rejection: full });
    expect(book.wallet.available).toBe(available + waiting.reserved);
  });

  test('the next order that would wait is refused; a MARKET order waits for nothing', () => {
    const book = new FullBook('100000');
    book.ordersOpen = MAX_OPEN_ORDERS;
    expect(book.refusal(limit, contextAt('100'))).toEqual({
      code: 'too_many_open',
      what: 'orders',
      max: MAX_OPEN_ORDERS,
    });
    expect(book.acceptOrder(place({ type: 'MARKET', price: null }), contextAt('100')).status).toBe('NEW');
  });

  test('closing is never refused for it', () => {
    const { book, position } = openedBook();
    expect(book.acceptPosition(close(position.id), contextAt('100')).closing).not.toBeNull();
  });
});
