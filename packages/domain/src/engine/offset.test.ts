/** A111: what a gain gives for a loss, and the assertions that stay on in production. */
import { describe, expect, test } from 'vitest';
import { Book, coarsePair, contextAt, money, open, pair, price, size } from '../../test/engine.ts';
import { asMoney, asPrice, type Price } from '../money.ts';
import type { Effects, PositionChange } from './effects.ts';
import { InvariantViolation } from './invariant.ts';
import { calculatePayment } from './offset.ts';
import { assertOffset, assertPriced, assertSound } from './soundness.ts';
import type { Position } from './types.ts';

const opened = (more: Parameters<typeof open>[0], at = '100'): Position =>
  new Book('100000').acceptPosition(open(more), contextAt(at));

describe('A111: what a gain gives', () => {
  test('the least whole steps that gain as much, at the price that leaves the rest of it', () => {
    const long = opened({ size: size('2') });
    // 10 per unit: 0.734 make 7.34, of which 7.333 go.
    const payment = calculatePayment(long, price('110'), money('7.333'), pair);
    expect(payment.size).toBe(size('0.734'));
    expect(payment.price).toBe(asPrice(price('110') - 999_046_322n));
    expect(payment.paid - money('7.333')).toBeGreaterThanOrEqual(0n);
    expect(payment.paid - money('7.333')).toBeLessThan(2n);
  });

  test('under as-specified the leverage counts, so less of it goes and by less of a move', () => {
    const short = { ...opened({ side: 'SELL', size: size('2') }), rules: 'as-specified' } as const;
    const payment = calculatePayment(short, price('90'), money('10'), pair);
    expect(payment).toEqual({ size: size('0.1'), price: price('100'), paid: money('10') });
  });

  test.each([
    [
      'all of it where the rest could not be traded',
      opened({ symbol: 'COARSE', size: size('9') }),
      coarsePair,
    ],
    ['all of it where the symbol is no longer known', opened({ size: size('9') }), undefined],
  ])('%s, which keeps what the loss does not take', (_what, long, of) => {
    const payment = calculatePayment(long, price('110'), money('45'), of);
    expect(payment).toEqual({ size: size('9'), price: price('105'), paid: money('45') });
  });

  test('all of it at its entry where it does not suffice', () => {
    const payment = calculatePayment(opened({}), price('110'), money('11'), pair);
    expect(payment).toEqual({ size: size('1'), price: price('100'), paid: money('10') });
  });

  test('a part without a margin is none', () => {
    const long = { ...opened({ size: size('1') }), margin: asMoney(100n) };
    expect(calculatePayment(long, price('110'), money('0.001'), pair).size).toBe(size('1'));
  });
});

describe('A111: the assertions that stay on in production', () => {
  const hit = (positionId: string, at: Price) =>
    ({ kind: 'trigger', trigger: 'liquidation', positionId, price: at }) as const;
  const mark = price('103');
  const context = contextAt('103');

  function pairOfSides() {
    const book = new Book('10000');
    const long = book.acceptPosition(open({ leverage: 125 }));
    const short = book.acceptPosition(open({ side: 'SELL', leverage: 125 }));
    return { book, long, short };
  }
  function effectsOf(book: Book, positionId: string): Effects {
    const decision = book.decide(hit(positionId, mark), context);
    if (decision.outcome === 'refused') throw new Error(decision.refusal.code);
    return decision.effects;
  }
  const changing = (effects: Effects, change: (row: PositionChange) => Position): Effects => ({
    ...effects,
    positions: effects.positions.map((row) => ({ before: row.before, after: change(row) })),
  });
  const inClosing = (
    more: Partial<NonNullable<Position['closing']>>,
    isMeant: (row: Position) => boolean,
  ) => {
    const { book, short } = pairOfSides();
    const effects = changing(effectsOf(book, short.id), ({ after }) =>
      after.closing && isMeant(after) ? { ...after, closing: { ...after.closing, ...more } } : after,
    );
    return { book, short, effects };
  };

  test('SEC-F2: an insurance that pays beside an open gain is not written', () => {
    const { book, long, short } = pairOfSides();
    // An account that does not report its other side pays from the insurance.
    const blind = Object.assign(Object.create(book) as Book, { holdsBothSides: () => false });
    const effects = effectsOf(blind, short.id);
    expect(() => assertOffset(book, effects)).toThrow(InvariantViolation);
    expect(() => assertOffset(book, effects)).toThrow(`position ${long.id} pays what ${short.id} lost`);
    expect(() => assertOffset(book, effectsOf(book, short.id))).not.toThrow();
  });

  test.each([
    ['beyond the price of the loss', { price: price('103.01') }],
    ['beyond its own entry', { price: price('99.99') }],
    ['for another result than its price makes', { price: price('101') }],
  ])('SEC-F2: a gain that pays %s is not written', (_what, more) => {
    const { book, effects } = inClosing(more, ({ splitFrom }) => splitFrom !== null);
    expect(() => assertSound(book.wallet, effects)).toThrow('waited for the price that closed it');
  });

  test('SEC-F2: a gain that closes for no loss is not written', () => {
    const { book, short } = pairOfSides();
    const effects = effectsOf(book, short.id);
    const losses = effects.positions.filter(({ after }) => after.id === short.id);
    const without = { ...effects, positions: effects.positions.filter((row) => !losses.includes(row)) };
    expect(() => assertSound(book.wallet, without)).toThrow('waited for the price that closed it');
  });

  test.each([
    ['at another price than the tick', { price: price('102.99') }, 'closes at a price of the market'],
    ['at an old price', { priceSource: 'mark' }, 'closes at a live tick'],
  ] as const)('A05 A37: a liquidation by a tick %s is not written', (_what, more, invariant) => {
    const { short, effects } = inClosing(more, ({ side }) => side === 'SELL');
    expect(() => assertPriced(hit(short.id, mark), effects, context.market)).toThrow(invariant);
  });
});
