/** A112: the limits that traders set for themselves. They refuse what opens, and never what closes, protects or cancels. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  adjust,
  amend,
  Book,
  cancel,
  close,
  contextAt,
  money,
  netContextAt,
  open,
  place,
  price,
  protect,
  size,
} from '../../test/engine.ts';
import { noOwnLimits, type OwnDay, type OwnLimits } from '../own-limits.ts';
import { dayMs, minuteMs, utcDayStart } from '../time.ts';
import type { Context } from './commands.ts';

const start = 20_000 * dayMs;
const morning = start + 600 * minuteMs;
const at = (quote: string, now = morning): Context => contextAt(quote, { now });
const netAt = (quote: string, now = morning): Context => netContextAt(quote, { now });

/** An account of 1000 with these limits, at the start of the day. */
function limited(limits: Partial<OwnLimits>, day: Partial<OwnDay> = {}): Book {
  const book = new Book('1000');
  book.own = {
    limits: { ...noOwnLimits, ...limits },
    waiting: null,
    day: { start, equity: money('1000'), paid: money('0'), trades: 0, lastLossAt: null, ...day },
  };
  return book;
}
const until = start + dayMs;
const buyLimit = place({ type: 'LIMIT', side: 'BUY', price: price('90') });

describe('daily loss', () => {
  const reached = (loss: string) => ({
    code: 'own_limit_reached',
    limit: 'loss',
    ...{ max: money('5'), loss: money(loss), until },
  });

  test('open losses count: BUY 1 at 100 is 5 behind at 95', () => {
    const book = limited({ dailyLoss: money('5') });
    book.accept(open(), at('100'));
    expect(book.refusal(open(), at('95.01'))).toBeNull();
    expect(book.refusal(open(), at('95'))).toEqual(reached('5'));
  });
  test('booked losses count; a gain that is open pays for them', () => {
    const book = limited({ dailyLoss: money('5') });
    const lost = book.acceptPosition(open(), at('100'));
    const held = book.acceptPosition(open({ side: 'SELL' }), at('100'));
    book.accept(close(lost.id), at('94'));
    expect(book.refusal(open(), at('94'))).toBeNull();
    expect(book.refusal(open(), at('99'))).toEqual(reached('5'));
    book.accept(close(held.id), at('99.5'));
    expect(book.refusal(open(), at('100'))).toEqual(reached('5.5'));
  });
  test('what is paid in or out is no result', () => {
    const book = limited({ dailyLoss: money('5') });
    book.accept(adjust('-500'), at('100'));
    expect(book.refusal(open(), at('100'))).toBeNull();
    book.accept(open(), at('100'));
    book.accept(adjust('800'), at('95'));
    expect(book.refusal(open(), at('95'))).toEqual(reached('5'));
  });
  test('per cent of the first equity of the day: half a per cent of 1000', () => {
    const book = limited({ dailyLossPercent: 50_000_000n as OwnLimits['dailyLossPercent'] });
    book.accept(open(), at('100'));
    expect(book.refusal(open(), at('95.01'))).toBeNull();
    expect(book.refusal(open(), at('95'))).toEqual(reached('5'));
  });
  test('every way to open is refused; closing, protecting and cancelling stay', () => {
    const book = limited({ dailyLoss: money('5') });
    const held = book.acceptPosition(open(), at('100'));
    const waiting = book.acceptOrder(buyLimit, at('100'));
    const behind = at('95');
    const refused = { code: 'own_limit_reached' };
    expect(book.refusal(buyLimit, behind)).toMatchObject(refused);
    expect(book.refusal(amend(waiting.id, '91'), behind)).toMatchObject(refused);
    const reverse = { kind: 'reverse', positionId: held.id, expectedPrice: null } as const;
    expect(book.refusal(reverse, behind)).toMatchObject(refused);
    book.accept(protect(held.id, price('110'), price('92')), behind);
    expect(book.acceptOrder(cancel(waiting.id), behind).status).toBe('CANCELED');
    expect(book.acceptPosition(close(held.id), behind).closing).not.toBeNull();
  });
  test('a waiting order that is reached is rejected with the reason, and its trader is notified', () => {
    const book = limited({ dailyLoss: money('5') });
    book.accept(open(), at('100'));
    const waiting = book.acceptOrder(buyLimit, at('100'));
    const before = book.wallet.available + book.wallet.orderMargin;
    const fill = { kind: 'fill', orderId: waiting.id, price: price('90') } as const;
    expect(book.acceptOrder(fill, at('91'))).toMatchObject({
      status: 'REJECTED',
      rejection: { code: 'own_limit_reached', limit: 'loss' },
    });
    expect(book.wallet.available).toBe(before);
    expect(book.notifications.at(-1)?.kind).toBe('order_rejected');
  });
});

describe('trades a day', () => {
  const full = { code: 'own_limit_reached', limit: 'trades', max: 2, until };

  test('two may be opened, whatever is closed, and a reverse is one', () => {
    const book = limited({ tradesMax: 2 });
    const first = book.acceptPosition(open(), at('100'));
    book.accept({ kind: 'reverse', positionId: first.id, expectedPrice: null }, at('100'));
    expect(book.own?.day.trades).toBe(2);
    expect(book.refusal(open(), at('100'))).toEqual(full);
    expect(book.refusal(buyLimit, at('100'))).toEqual(full);
    const [held] = book.openPositions();
    book.accept(close(held!.id), at('100'));
    expect(book.refusal(open(), at('100'))).toEqual(full);
  });
  test('an order with net positions counts once, however many fills it has; what reduces does not count', () => {
    const book = limited({ tradesMax: 1 });
    const order = book.acceptOrder(place({ size: size('2'), price: price('99') }), netAt('100'));
    const fill = { kind: 'fill', orderId: order.id, price: price('98.98') } as const;
    const part = book.acceptOrder(fill, netAt('98.98'));
    expect([part.status, part.filledSize]).toEqual(['PARTIALLY_FILLED', size('1')]);
    expect(book.own?.day.trades).toBe(1);
    const rest = book.acceptOrder(fill, netAt('98.9', morning + minuteMs));
    expect([rest.rejection, rest.filledSize]).toEqual([null, size('2')]);
    expect(book.own?.day.trades).toBe(1);
    expect(book.refusal(open(), netAt('98'))).toMatchObject({ code: 'own_limit_reached', limit: 'trades' });
    book.accept(open({ side: 'SELL', size: size('0.5') }), netAt('98'));
    expect(book.own?.day.trades).toBe(1);
  });
});

describe('cool-down after a loss', () => {
  const lossAt = (now: number): Book => {
    const book = limited({ coolDownMinutes: 30 });
    const held = book.acceptPosition(open(), at('100'));
    book.accept(close(held.id), at('99', now));
    return book;
  };
  test('30 minutes from the close', () => {
    const book = lossAt(morning);
    const end = morning + 30 * minuteMs;
    expect(book.refusal(open(), at('99', end - 1))).toEqual({
      ...{ code: 'own_limit_reached', limit: 'cool_down', until: end },
    });
    expect(book.refusal(open(), at('99', end))).toBeNull();
  });
  test('it reaches into the next day; a gain begins none', () => {
    const late = until - 10 * minuteMs;
    expect(lossAt(late).refusal(open(), at('99', until))).toMatchObject({ limit: 'cool_down' });
    const book = limited({ coolDownMinutes: 30 });
    const held = book.acceptPosition(open(), at('100'));
    book.accept(close(held.id), at('101'));
    expect(book.refusal(open(), at('101'))).toBeNull();
  });
});

test('looser limits that wait hold from their day on', () => {
  const book = limited({ tradesMax: 1 }, { trades: 1 });
  book.own = { ...book.own!, waiting: { limits: noOwnLimits, from: until } };
  expect(book.refusal(open(), at('100', until - 1))).toMatchObject({ limit: 'trades' });
  expect(book.refusal(open(), at('100', until))).toBeNull();
});

test('whatever is traded, nothing opens beyond a limit, what is open can be closed, and the day counts what its rows have', () => {
  const step = fc.record({
    does: fc.constantFrom('open', 'close', 'limit', 'fill', 'pay' as const),
    at: fc.integer({ min: 9_000, max: 11_000 }),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    minutes: fc.integer({ min: 0, max: 30 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const book = limited({ dailyLoss: money('8'), tradesMax: 6, coolDownMinutes: 20 });
      let now = morning;
      let paid = 0n;
      let opened = 0;
      let lossAt: number | null = null;
      for (const { does, at: cents, side, minutes } of steps) {
        now += minutes * minuteMs;
        if (utcDayStart(now) !== start) return;
        const quote = (cents / 100).toFixed(2);
        const context = at(quote, now);
        const [held] = book.openPositions();
        const [waiting] = book.openOrders();
        // Independent of the engine: cash and margins of the ledger, and the price times the size of what is open.
        const worth = book.openPositions().reduce(
          (sum, one) => {
            const move = price(quote) - one.entryPrice;
            const result = one.side === 'BUY' ? move : -move;
            return sum + (result < -one.margin ? -one.margin : result);
          },
          book.wallet.available + book.wallet.margin + book.wallet.orderMargin,
        );
        const isBehind = money('1000') + paid - worth >= money('8');
        const isCooling = lossAt !== null && now < lossAt + 20 * minuteMs;
        const isRefused = isBehind || opened >= 6 || isCooling;
        if (does === 'open') {
          const refusal = book.refusal(open({ side }), context);
          // Both sides at once share their results (A111), which the sum above does not.
          if (!book.holdsBothSides('BTCUSDT')) expect(refusal !== null).toBe(isRefused);
          if (refusal === null) {
            book.accept(open({ side }), context);
            opened += 1;
          }
        } else if (does === 'close' && held) {
          book.accept(close(held.id), context);
        } else if (does === 'limit') {
          if (book.refusal(buyLimit, context) === null) book.accept(buyLimit, context);
        } else if (does === 'fill' && waiting) {
          const fill = { kind: 'fill', orderId: waiting.id, price: price('90') } as const;
          if (book.acceptOrder(fill, at('90', now)).status === 'FILLED') opened += 1;
        } else if (does === 'pay') {
          book.accept(adjust('10'), context);
          paid += money('10');
        }
        for (const { closing } of book.positions.values())
          if (closing && closing.realizedPnl < 0n) lossAt = Math.max(lossAt ?? 0, closing.at);
        expect(book.own!.day).toMatchObject({ trades: opened, paid, lastLossAt: lossAt });
      }
    }),
  );
});
