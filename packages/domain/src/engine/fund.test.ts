import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  Book,
  close,
  coarsePair,
  contextAt,
  held,
  money,
  netContextAt,
  open,
  pair,
  price,
  size,
} from '../../test/engine.ts';
import { asMoney, type Money } from '../money.ts';
import { dayMs, hourMs, minuteMs } from '../time.ts';
import { isFundingDue } from './fund.ts';
import type { Position } from './types.ts';

const midnight = Date.parse('2026-11-28T00:00:00Z');
const at = (hours: number): number => midnight + hours * hourMs;
const context = (hours: number, quote = '100', more: Parameters<typeof netContextAt>[1] = {}) =>
  netContextAt(quote, { now: at(hours), ...more });
const fund = (positionId: string) => ({ kind: 'fund', positionId }) as const;
const openAt = (book: Book, hours: number, more: Parameters<typeof open>[0] = {}): Position =>
  book.acceptPosition(open({ size: size('1'), leverage: 20, ...more }), context(hours));
const refusedFor = (book: Book, id: string, hours: number, more = {}) =>
  book.refusal(fund(id), context(hours, '100', more))?.code;
const booked = (book: Book, account: string): bigint =>
  book.ledger
    .flatMap(({ entries }) => entries)
    .reduce((sum, entry) => (entry.account === account ? sum + entry.amount : sum), 0n);

describe('A113: funding', () => {
  test('a BUY pays 0.01 % of the mark’s value out of the cash, against the house', () => {
    const book = new Book('1000');
    const { id, liquidationPrice } = openAt(book, 7);
    const cash = book.wallet.available;
    const funded = book.acceptPosition(fund(id), context(8, '120'));
    expect(funded).toMatchObject({ funding: money('-0.012'), fundedAt: at(8), liquidationPrice });
    expect(book.wallet.available).toBe(cash - money('0.012'));
    expect(book.ledger.at(-1)).toMatchObject({
      kind: 'funding',
      sourceId: id,
      entries: [
        { account: 'user:cash', amount: money('-0.012') },
        { account: 'house:funding', amount: money('0.012') },
      ],
    });
    expect(book.transactions.at(-1)).toMatchObject({
      type: 'funding',
      amount: money('-0.012'),
      description: 'Funding BTCUSDT of 08:00 UTC',
    });
  });

  test('a SELL receives it', () => {
    const book = new Book('1000');
    const { id } = openAt(book, 7, { side: 'SELL' });
    expect(book.acceptPosition(fund(id), context(8)).funding).toBe(money('0.01'));
    expect(booked(book, 'house:funding')).toBe(money('-0.01'));
  });

  test('only who holds at the instant: not who opens at it, and once however often it is asked', () => {
    const book = new Book('1000');
    const { id } = openAt(book, 8);
    expect(refusedFor(book, id, 8)).toBe('not_due');
    expect(refusedFor(book, id, 15.99)).toBe('not_due');
    book.accept(fund(id), context(16));
    expect(refusedFor(book, id, 16)).toBe('not_due');
    expect(refusedFor(book, id, 23.99)).toBe('not_due');
  });

  test('each missed instant is a line of its own, at the mark of the booking', () => {
    const book = new Book('1000');
    const { id } = openAt(book, 1);
    const position = book.acceptPosition(fund(id), context(25, '110'));
    expect(position).toMatchObject({ funding: money('-0.033'), fundedAt: at(24) });
    expect(book.transactions.slice(-3).map(({ description }) => description)).toEqual([
      'Funding BTCUSDT of 08:00 UTC',
      'Funding BTCUSDT of 16:00 UTC',
      'Funding BTCUSDT of 00:00 UTC',
    ]);
  });

  test('a hundred instants are the most of one command, and the rest is still due', () => {
    const book = new Book('1000');
    const { id } = openAt(book, 1);
    const later = context(1 + 150 * 8);
    expect(book.acceptPosition(fund(id), later).fundedAt).toBe(at(100 * 8));
    const position = book.position(id);
    expect(position && isFundingDue(position, later)).toBe(true);
    expect(book.acceptPosition(fund(id), later)).toMatchObject({
      funding: money('-1.5'),
      fundedAt: at(150 * 8),
    });
  });

  test('an increase keeps until when it is booked; what a flip opens has held nothing yet', () => {
    const book = new Book('1000');
    const { id } = openAt(book, 7);
    book.accept(fund(id), context(8));
    const more = book.acceptPosition(open({ size: size('1'), leverage: 20 }), context(9));
    expect(more).toMatchObject({ id, fundedAt: at(8), funding: money('-0.01') });
    const flipped = book.acceptPosition(open({ side: 'SELL', size: size('3'), leverage: 20 }), context(10));
    expect(flipped).toMatchObject({ side: 'SELL', fundedAt: null, funding: 0n });
    expect(book.position(id)).toMatchObject({ funding: money('-0.01'), closing: {} });
  });

  test('what was booked stays with the rest when a part closes, as its ledger entries do', () => {
    const book = new Book('1000');
    const { id } = openAt(book, 7, { size: size('2') });
    book.accept(fund(id), context(8));
    const part = book.acceptPosition(close(id, { size: size('1') }), context(9));
    expect(part).toMatchObject({ splitFrom: id, funding: 0n });
    expect(book.position(id)).toMatchObject({ funding: money('-0.02') });
  });
});

describe('A113: financing', () => {
  const coarse = { symbol: coarsePair.symbol, size: size('5') };

  test('once a calendar day at 21 UTC, a weekend included: base + 2.5 % for a BUY', () => {
    const book = new Book('1000');
    // Saturday, 28 November 2026, 20:00.
    const { id } = openAt(book, 20, coarse);
    expect(refusedFor(book, id, 20.99)).toBe('not_due');
    const position = book.acceptPosition(fund(id), context(20 + 48, '72'));
    // Two days of 5 × 72 × 6.25 % / 360.
    expect(position).toMatchObject({ funding: money('-0.125'), fundedAt: at(21 + 24) });
    expect(book.ledger.at(-1)).toMatchObject({ kind: 'financing' });
    expect(book.transactions.at(-1)).toMatchObject({
      type: 'financing',
      description: 'Financing COARSE of 21:00 UTC',
    });
  });

  test('a SELL receives base − 2.5 %, and pays where that is negative', () => {
    const book = new Book('1000');
    const { id } = openAt(book, 20, { ...coarse, side: 'SELL' });
    // 5 × 72 × 1.25 % / 360.
    expect(book.acceptPosition(fund(id), context(21, '72')).funding).toBe(money('0.0125'));
    const early = new Book('1000');
    const then = Date.parse('2021-06-01T20:00:00Z');
    const order = open({ ...coarse, side: 'SELL', leverage: 20 });
    const short = early.acceptPosition(order, netContextAt('72', { now: then }));
    const paid = early.acceptPosition(fund(short.id), netContextAt('72', { now: then + hourMs }));
    // The base was 0.25 %.
    expect(paid.funding).toBe(money('-0.0225'));
  });
});

describe('A113: the price of a booking', () => {
  test('A110: nothing is booked while it is held or missing, and nothing is lost by that', () => {
    const book = new Book('1000');
    const { id } = openAt(book, 7);
    expect(book.refusal(fund(id), netContextAt(held, { now: at(8) }))).toEqual({ code: 'not_due' });
    const none = { market: { pair: () => pair, quote: () => undefined } };
    expect(book.refusal(fund(id), netContextAt({}, { now: at(8), ...none }))).toEqual({ code: 'not_due' });
    expect(book.acceptPosition(fund(id), context(17, '110')).funding).toBe(money('-0.022'));
  });

  test('a closed market and a stale price are booked at their last price', () => {
    const book = new Book('1000');
    const { id } = openAt(book, 7);
    book.accept(fund(id), netContextAt({ price: price('101'), marketOpen: false }, { now: at(8) }));
    book.accept(fund(id), netContextAt({ price: price('102'), stale: true }, { now: at(16) }));
    expect(book.position(id)?.funding).toBe(money('-0.0203'));
  });
});

describe('A113: where the cash ends', () => {
  /** All of the cash is margin. */
  function withoutCash(side: 'BUY' | 'SELL' = 'BUY'): { book: Book; position: Position } {
    const book = new Book('1000');
    const { id } = openAt(book, 7, { side });
    const amount = asMoney(book.wallet.available - 3n);
    const position = book.acceptPosition({ kind: 'adjust_margin', positionId: id, amount }, context(7));
    return { book, position };
  }

  test('the margin pays the rest, and the liquidation price follows', () => {
    const { book, position } = withoutCash();
    book.accept(
      { kind: 'adjust_margin', positionId: position.id, amount: asMoney(-990n * 10n ** 8n) },
      context(7.5),
    );
    book.accept(
      { kind: 'adjust', amount: asMoney(-book.wallet.available + 3n), reason: 'out' },
      context(7.6),
    );
    const before = book.position(position.id);
    const after = book.acceptPosition(fund(position.id), context(8, '90000'));
    expect(after.funding).toBe(money('-9'));
    expect(after.margin).toBe((before?.margin ?? 0n) - (money('9') - 3n));
    expect(after.liquidationPrice).toBeGreaterThan(before?.liquidationPrice ?? 0n);
    expect(book.wallet).toMatchObject({ available: 0n, margin: after.margin });
    expect(book.ledger.at(-1)?.entries.map(({ account }) => account)).toEqual([
      'user:cash',
      'user:margin',
      'house:funding',
    ]);
  });

  test('at most its margin: the last unit stays, and what is left is not collected', () => {
    const { book, position } = withoutCash();
    const rich = context(8, '900000', { now: at(8) });
    const before = book.position(position.id)?.margin ?? 0n;
    book.accept(
      { kind: 'adjust_margin', positionId: position.id, amount: asMoney(-(before - money('20'))) },
      context(7.5),
    );
    book.accept({ kind: 'adjust', amount: asMoney(-book.wallet.available), reason: 'out' }, context(7.6));
    const after = book.acceptPosition(fund(position.id), rich);
    expect(after).toMatchObject({ margin: 1n, funding: -(money('20') - 1n) });
    expect(after.liquidationPrice).toBeLessThan(after.entryPrice);
    // From then on there is nothing to pay with.
    const again = book.acceptPosition(fund(position.id), context(16, '900000'));
    expect(again).toMatchObject({ margin: 1n, funding: after.funding, fundedAt: at(16) });
  });

  test('a SELL receives without cash, too', () => {
    const { book, position } = withoutCash('SELL');
    expect(book.acceptPosition(fund(position.id), context(8)).funding).toBe(money('0.01'));
  });
});

test('A113: another account and a position that is gone are not funded', () => {
  const book = new Book('1000');
  expect(refusedFor(book, 'none', 8)).toBe('position_not_found');
  const { id } = openAt(book, 7);
  book.accept(close(id), context(7.5));
  expect(refusedFor(book, id, 8)).toBe('position_closed');
  const main = new Book('1000');
  const position = main.acceptPosition(open(), contextAt('100', { now: at(7) }));
  expect(main.refusal(fund(position.id), contextAt('100', { now: at(30) }))).toEqual({
    code: 'not_perpetual',
  });
  expect(isFundingDue(position, contextAt('100', { now: at(30) }))).toBe(false);
});

test('A113: both sides of every booking sum to zero, and each instant is booked once, whenever it is', () => {
  const steps = fc.array(
    fc.record({
      waits: fc.integer({ min: 1, max: 40 * 60 }),
      price: fc.bigInt({ min: 5_000n, max: 20_000n }),
      isHeld: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  );
  const terms = {
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    symbol: fc.constantFrom(pair.symbol, coarsePair.symbol),
    opened: fc.integer({ min: 0, max: 47 * 60 }),
  };
  fc.assert(
    fc.property(fc.record(terms), steps, ({ side, symbol, opened }, lives) => {
      const book = new Book('100000');
      const { id } = openAt(book, opened / 60, { side, symbol, size: size('5') });
      const expected: Money[] = [];
      let [now, last] = [midnight + opened * minuteMs, midnight + opened * minuteMs];
      for (const { waits, price: cents, isHeld } of lives) {
        now += waits * minuteMs;
        const mark = asMoney(cents * 1_000_000n);
        const quote = { price: price('1'), ...(isHeld ? held : {}) };
        const later = netContextAt({ ...quote, price: (cents * 1_000_000n) as typeof quote.price }, { now });
        const before = book.position(id);
        if (before && isFundingDue(before, later)) book.accept(fund(id), later);
        if (isHeld) continue;
        // Counted minute by minute on the clock.
        for (let minute = last + minuteMs; minute <= now; minute += minuteMs) {
          const time = new Date(minute);
          const hours = symbol === pair.symbol ? [0, 8, 16] : [21];
          if (time.getUTCMinutes() !== 0 || !hours.includes(time.getUTCHours())) continue;
          const value = Number(mark * 5n);
          const rate = symbol === pair.symbol ? 1e-4 : (side === 'BUY' ? 0.0625 : 0.0125) / 360;
          expected.push(asMoney(BigInt(Math.round((side === 'BUY' ? -1 : 1) * value * rate))));
        }
        last = now;
      }
      const lines = book.transactions.filter(({ type }) => type === 'funding' || type === 'financing');
      expect(lines.length).toBe(expected.length);
      for (const [i, { amount }] of lines.entries()) {
        const off = amount - (expected[i] ?? 0n);
        expect(off >= -1n && off <= 1n).toBe(true);
      }
      const sum = lines.reduce((total, { amount }) => total + amount, 0n);
      expect(book.position(id)?.funding).toBe(sum);
      expect(booked(book, 'house:funding')).toBe(-sum);
      for (const { entries } of book.ledger) {
        expect(entries.reduce((total, { amount }) => total + amount, 0n)).toBe(0n);
      }
    }),
    { numRuns: 300 },
  );
});

test('a day has the same instants wherever it begins', () => {
  for (const hours of [0, 3, 8, 20.5]) {
    const book = new Book('1000');
    const { id } = openAt(book, hours);
    const later = netContextAt('100', { now: at(hours) + dayMs });
    expect(book.acceptPosition(fund(id), later).funding).toBe(money('-0.03'));
  }
});
