/** A111: what an account that holds both sides of a symbol can make of a gap, case by case. */
import { describe, expect, test } from 'vitest';
import {
  Book,
  close,
  closedOf,
  contextAt,
  feeRate,
  finePair,
  inFine,
  insured,
  money,
  open,
  otherPair,
  price,
  protect,
  size,
} from '../../test/engine.ts';
import { asMoney, type Money, type Price } from '../money.ts';
import { rulesOf } from '../rule-sets.ts';
import type { RuleSetName } from '../rules.ts';
import { balanceOf } from './types.ts';

const hit = (positionId: string, at: Price, trigger: 'liquidation' | 'take_profit' = 'liquidation') =>
  ({ kind: 'trigger', trigger, positionId, price: at }) as const;
/** 10,000, less what the close price of the part that paid is rounded by: 1e-8 of its size times the factor. */
const expectWhole = (balance: Money): void => {
  expect(balance).toBeLessThanOrEqual(money('10000'));
  expect(balance).toBeGreaterThan(money('9999.999'));
};

/** The finding's pair, at 1,000: BUY and SELL at 125x, a margin of 4,990.40 each, of 10,000. */
function hedged({ rules = 'standard' }: { rules?: RuleSetName } = {}) {
  const book = new Book('10000');
  const context = contextAt('1000', { rules });
  const long = book.acceptPosition(open({ size: size('623.8'), leverage: 125 }), context);
  const short = book.acceptPosition(open({ side: 'SELL', size: size('623.8'), leverage: 125 }), context);
  return { book, long, short };
}

describe('SEC-F2: a hedged pair at 125x does not win a gap', () => {
  test.each([{ rules: 'standard' }, { rules: 'as-specified' }] as const)(
    'SEC-F2: a shock of 3 percent under $rules leaves 10,000 at 10,000, and the insurance pays nothing',
    ({ rules }) => {
      const { book, long, short } = hedged({ rules });
      const { effects } = book.accept(hit(short.id, price('1030')), contextAt('1030'));
      for (const { id } of book.openPositions()) book.accept(close(id), contextAt('1030'));
      expectWhole(balanceOf(book.wallet));
      expect(insured(book)).toBe(0n);
      // The part of the long that paid: its row matches the formula and shows why it closed.
      const paid = effects.positions.find(({ after }) => after.splitFrom === long.id)!.after;
      expect(paid.closing).toMatchObject({ reason: 'liquidation', priceSource: 'live' });
      expect(paid.closing?.realizedPnl).toBe(rulesOf(rules).realizedPnl(paid, paid.closing!.price));
      expect(paid.closing!.price).toBeGreaterThanOrEqual(long.entryPrice);
      expect(paid.closing!.price).toBeLessThan(price('1030'));
      expect(book.position(short.id)?.closing).toMatchObject({
        price: price('1030'),
        reason: 'liquidation',
        realizedPnl: -short.margin,
      });
      const beyond = -rulesOf(rules).realizedPnl(short, price('1030')) - short.margin;
      expect(effects.notifications.map(({ kind, position }) => [kind, position?.id])).toEqual([
        ['liquidation', paid.id],
        ['liquidation', short.id],
      ]);
      const [{ amount: gaveUp }, { amount: none }] = [effects.notifications[0]!, effects.notifications[1]!];
      expect(gaveUp).toBeGreaterThanOrEqual(beyond);
      expect(gaveUp! - beyond).toBeLessThan(100_000n);
      expect(none).toBeNull();
    },
  );

  test('SEC-F2: the winning side closed by hand first does not leave the loss to the insurance', () => {
    const { book, long, short } = hedged();
    const { subject, effects } = book.accept(close(long.id), contextAt('1030'));
    // What the loss left of it is what the click closes.
    expect(subject).toMatchObject({
      kind: 'position',
      position: { id: long.id, closing: { reason: 'manual' } },
    });
    expect(book.position(short.id)?.closing?.reason).toBe('liquidation');
    expect(effects.positions).toHaveLength(3);
    expectWhole(balanceOf(book.wallet));
    expect(insured(book)).toBe(0n);
  });

  test('SEC-F2: nor does its take profit, nor a part of it closed by hand', () => {
    const first = hedged();
    first.book.accept(protect(first.long.id, price('1020'), null));
    first.book.accept(hit(first.long.id, price('1030'), 'take_profit'), contextAt('1030'));
    expect(first.book.position(first.long.id)?.closing?.reason).toBe('take_profit');
    expectWhole(balanceOf(first.book.wallet));

    const second = hedged();
    second.book.accept(close(second.long.id, { size: size('100') }), contextAt('1030'));
    expect(second.book.position(second.short.id)?.closing?.reason).toBe('liquidation');
    expect(second.book.openPositions().map(({ id }) => id)).toEqual([second.long.id]);
    second.book.accept(close(second.long.id), contextAt('1030'));
    expectWhole(balanceOf(second.book.wallet));
    expect(insured(second.book)).toBe(0n);
  });

  test('SEC-F2: the rest that a loss leaves of a position closes whole where the requested part no longer fits', () => {
    const { book, long, short } = hedged();
    const { subject } = book.accept(close(long.id, { size: size('600') }), contextAt('1030'));
    expect(subject).toMatchObject({
      kind: 'position',
      position: { id: long.id, closing: { reason: 'manual' } },
    });
    expect(book.openPositions()).toEqual([]);
    expect(book.position(short.id)?.closing?.reason).toBe('liquidation');
  });

  test('SEC-F2: a winner that gives all it has is answered as liquidated, at its entry', () => {
    const book = new Book('10000');
    const long = book.acceptPosition(open({ leverage: 125 }));
    book.accept(open({ side: 'SELL', size: size('2'), leverage: 125 }));
    const closed = book.acceptPosition(close(long.id), contextAt('103'));
    expect(closed).toMatchObject({
      id: long.id,
      closing: { reason: 'liquidation', price: long.entryPrice, realizedPnl: 0n },
    });
    // The short lost 6, its margin bears 1.60 and the long 3.
    expect(insured(book)).toBe(money('1.4'));
    expect(balanceOf(book.wallet)).toBe(money('9998.4'));
  });

  test('SEC-F2: reset and deletion settle the pair as well, without a notification', () => {
    for (const command of [
      { kind: 'reset', startBalance: money('10000') },
      { kind: 'delete', reason: 'requested it' },
    ] as const) {
      const { book } = hedged();
      const { effects } = book.accept(command, contextAt({ price: price('1030'), marketOpen: false }));
      expect(insured(book)).toBe(0n);
      expect(effects.notifications).toEqual([]);
      const results = effects.transactions.filter(({ type }) => type === 'position_closed');
      expectWhole(asMoney(results.reduce((sum, { amount }) => sum + amount, money('10000') as bigint)));
    }
  });

  test('SEC-F2: an old price closes what it exhausts, as it closes the rest (A24)', () => {
    const { book, long, short } = hedged();
    book.accept(close(long.id), contextAt({ price: price('1030'), stale: true }));
    expect(book.position(short.id)?.closing).toMatchObject({ reason: 'liquidation', priceSource: 'mark' });
    expectWhole(balanceOf(book.wallet));
  });

  test('SEC-F2: without any price both sides close at their entries', () => {
    const { book, long, short } = hedged();
    for (const { id } of [long, short]) book.accept(close(id), contextAt(null));
    expect(closedOf(book).map(({ closing }) => closing?.reason)).toEqual(['manual', 'manual']);
    expectWhole(balanceOf(book.wallet));
  });

  test('SEC-F2: many small losers are paid by one gain together, though it cannot be parted', () => {
    const book = new Book('10000');
    const long = book.acceptPosition(open({ size: size('0.001'), leverage: 1 }));
    for (let i = 0; i < 5; i += 1) {
      book.accept(open({ side: 'SELL', size: size('0.001'), leverage: 125 }));
    }
    const first = book.openPositions()[1]!;
    book.accept(hit(first.id, price('101')), contextAt('101'));
    // Each short lost 0.001 of which its margin bears 0.0008; the long gained 0.001, which 5 × 0.0002 take whole.
    expect(book.position(long.id)?.closing).toMatchObject({ realizedPnl: 0n, reason: 'liquidation' });
    expect(insured(book)).toBe(0n);
    expect(balanceOf(book.wallet)).toBe(money('9999.996'));
  });

  test('SEC-F2: the oldest gain pays first, and only of the same symbol and the other side', () => {
    const book = new Book('10000');
    const other = book.acceptPosition(open({ symbol: otherPair.symbol, leverage: 125 }));
    const older = book.acceptPosition(open({ leverage: 10 }));
    const newer = book.acceptPosition(open({ leverage: 10 }));
    const short = book.acceptPosition(open({ side: 'SELL', leverage: 125 }));
    book.accept(hit(short.id, price('103')), contextAt('103'));
    const states = [other, older, newer].map(({ id }) => book.position(id)!);
    expect(states.map(({ size: left, closing }) => [left, closing])).toEqual([
      [size('1'), null],
      // It lost 3, of which its margin bears 0.80; 0.734 of the older one gain the rest.
      [size('0.266'), null],
      [size('1'), null],
    ]);
  });

  test('SEC-F2: the fee of what pays is that of its own close price', () => {
    const { book, long } = hedgedWithFee();
    const [paid] = closedOf(book).filter(({ splitFrom }) => splitFrom === long.id);
    const value = (paid!.closing!.price * paid!.size) / 100_000_000n;
    expect(paid!.fees).toBe((value * 6n) / 10_000n);
  });

  function hedgedWithFee() {
    const book = new Book('10000');
    const context = contextAt({}, { feeRate: feeRate('0.0006') });
    const long = book.acceptPosition(open({ leverage: 50 }), context);
    const short = book.acceptPosition(open({ side: 'SELL', leverage: 50 }), context);
    book.accept(hit(short.id, price('108')), contextAt('108'));
    return { book, long };
  }

  test('SEC-F2: a part too small to bear its own loss is refused, and nothing halts', () => {
    const book = new Book('10000');
    const terms = { symbol: finePair.symbol, size: size('100000'), leverage: 2 } as const;
    const long = book.acceptPosition(open(terms), inFine('0.00000034'));
    const short = book.acceptPosition(open({ ...terms, side: 'SELL' }), inFine('0.00000034'));
    // Of 0.1 the margin is rounded down to 1e-8 and the loss up to 2e-8, while the whole has 0.002 left to lose.
    const part = close(long.id, { size: size('0.1') });
    expect(book.refusal(part, inFine('0.00000019'))).toEqual({ code: 'amount_too_small' });
    expect(
      book.acceptPosition(close(long.id, { size: size('10') }), inFine('0.00000019')).closing,
    ).toMatchObject({ reason: 'manual', realizedPnl: money('-0.0000015') });
    book.accept(close(long.id), inFine('0.00000019'));
    expect(book.position(short.id)?.closing).toBeNull();
    expect(insured(book)).toBe(0n);
  });

  test('SEC-F2: one side without the other ends at the margin (A03)', () => {
    const book = new Book('10000');
    const long = book.acceptPosition(open({ symbol: otherPair.symbol, leverage: 125 }));
    const short = book.acceptPosition(open({ side: 'SELL', leverage: 125 }));
    book.accept(hit(short.id, price('103')), contextAt('103'));
    expect(insured(book)).toBe(money('2.2'));
    expect(book.position(long.id)?.closing).toBeNull();
  });
});
