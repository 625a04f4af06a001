/** A07: what trading costs, at the opening, at the close, and in between. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Book, close, contextAt, feeRate, money, open, pair, place, price } from '../../test/engine.ts';
import { asFeeRate, asMoney, asPrice, asSize, type FeeRate, toDecimalString, UNIT } from '../money.ts';
import type { RuleSetName } from '../rules.ts';
import { balanceOf, feeOf } from './index.ts';

const RATE = feeRate('0.0006');
const at = (mark: string, rate: FeeRate = RATE, rules: RuleSetName = 'standard') =>
  contextAt(mark, { feeRate: rate, rules });
const linesOf = (book: Book) =>
  book.transactions.map(({ type, amount, description }) => [type, toDecimalString(amount), description]);

describe('A07: a fee is charged at the opening and at the close', () => {
  test('1000, opened at 100, closed at 101 at 0.06 %: 0.06 and 0.0606, the realized PnL stays gross', () => {
    const book = new Book('1000');
    const position = book.acceptPosition(open(), at('100'));
    expect(position).toMatchObject({ margin: money('10'), fees: money('0.06'), feeRate: RATE });
    expect(book.wallet).toMatchObject({ available: money('989.94'), margin: money('10') });

    const closed = book.acceptPosition(close(position.id), at('101'));
    expect(closed).toMatchObject({ fees: money('0.1206'), closing: { realizedPnl: money('1') } });
    expect(book.wallet).toMatchObject({ available: money('1000.8794'), margin: 0n });
    expect(linesOf(book)).toEqual([
      ['deposit', '1000', 'Initial balance'],
      ['fee', '-0.06', 'Trading fee BTCUSDT'],
      ['position_closed', '1', 'Closed BTCUSDT position'],
      ['fee', '-0.0606', 'Trading fee BTCUSDT'],
    ]);
  });

  test('each fee is a ledger group of its own, which the line in the history shows', () => {
    const book = new Book('1000');
    const { effects } = book.accept(open(), at('100'));
    const [opened, fee] = effects.ledger;
    expect(opened?.kind).toBe('open');
    expect(fee).toMatchObject({
      kind: 'fee',
      sourceId: effects.positions[0]?.after.id,
      entries: [
        { account: 'user:cash', amount: money('-0.06') },
        { account: 'house:fees', amount: money('0.06') },
      ],
    });
    expect(effects.transactions.map(({ id }) => id)).toEqual([fee?.id]);
  });

  test('A01: as specified the fee is of the value as well, without a leverage factor', () => {
    const book = new Book('1000');
    const position = book.acceptPosition(open(), at('100', RATE, 'as-specified'));
    const closed = book.acceptPosition(close(position.id), at('101'));
    expect(closed).toMatchObject({ fees: money('0.1206'), closing: { realizedPnl: money('10') } });
  });

  test('a position is closed at the rate of its opening', () => {
    const book = new Book('1000');
    const cheap = book.acceptPosition(open(), at('100', feeRate('0')));
    const dear = book.acceptPosition(open(), at('100', feeRate('0.001')));
    expect(book.acceptPosition(close(cheap.id), at('100')).fees).toBe(0n);
    expect(book.acceptPosition(close(dear.id), at('100')).fees).toBe(money('0.2'));
  });

  test('at rate 0 there is no ledger entry and no line in the history', () => {
    const book = new Book('1000');
    const { effects } = book.accept(open(), at('100', feeRate('0')));
    expect(effects.ledger.map(({ kind }) => kind)).toEqual(['open']);
    expect(effects.transactions).toEqual([]);
  });
});

describe('A07: the close fee takes at most what margin and PnL leave', () => {
  test.each([
    ['90.1', '0.05406', '0.04594'],
    ['90.05', '0.05', '0'],
    ['90.01', '0.01', '0'],
    ['90', '0', '0'],
    ['75', '0', '0'],
  ])('a long of 10 margin closed at %s pays %s and leaves %s', (mark, fee, left) => {
    const book = new Book('10.06');
    const position = book.acceptPosition(open(), at('100'));
    expect(book.wallet.available).toBe(0n);
    const closed = book.acceptPosition(close(position.id), at(mark));
    expect(closed.fees - position.fees).toBe(money(fee));
    expect(book.wallet.available).toBe(money(left));
    expect(book.transactions.filter(({ type }) => type === 'fee')).toHaveLength(fee === '0' ? 1 : 2);
  });
});

describe('A07, A20: an order reserves its opening fee and is charged for what it opens', () => {
  test('reserve, fill and fee of a LIMIT order', () => {
    const book = new Book('10.06');
    const order = book.acceptOrder(place(), at('105'));
    expect(order.reserved).toBe(money('10.06'));
    expect(book.wallet).toMatchObject({ available: 0n, orderMargin: money('10.06') });
    book.accept({ kind: 'fill', orderId: order.id, price: price('99') }, at('99'));
    expect(book.wallet).toMatchObject({
      available: money('0.1006'),
      margin: money('9.9'),
      orderMargin: 0n,
    });
    expect(book.openPositions()).toMatchObject([{ fees: money('0.0594'), feeRate: RATE }]);
  });

  test('one unit less than margin and fee is refused with what it needs', () => {
    expect(new Book('10.05999999').refusal(place(), at('105'))).toEqual({
      code: 'insufficient_balance',
      required: money('10.06'),
      available: money('10.05999999'),
    });
  });

  test('the fee rate of the fill counts; where the reserve no longer covers it, available pays, else it is rejected', () => {
    const fill = (available: string) => {
      const book = new Book(available);
      const order = book.acceptOrder(place(), at('105', feeRate('0')));
      return book.acceptOrder({ kind: 'fill', orderId: order.id, price: price('100') }, at('100'));
    };
    expect(fill('10.06')).toMatchObject({ status: 'FILLED' });
    expect(fill('10.05')).toMatchObject({
      status: 'REJECTED',
      rejection: { code: 'insufficient_balance', required: money('10.06'), available: money('10.05') },
    });
  });
});

// Values up to ten billion USDT; rates up to 0.5 %, the largest that a server may be configured with.
const rates = fc.bigInt({ min: 0n, max: 500_000n }).map(asFeeRate);

describe('properties of the fee', () => {
  test('it is value × rate, rounded half up to 1e-8', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), rates, (value, rate) => {
        const fee = feeOf(asMoney(value), rate);
        const missed = fee * UNIT - value * rate;
        expect(missed > -UNIT / 2n && missed <= UNIT / 2n).toBe(true);
      }),
    );
  });

  test('for any prices the balance changes by PnL less fees, never below zero, and the house has the fees', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 1_000_000n }).map((cents) => asPrice(cents * 1_000_000n)),
        fc.bigInt({ min: 1n, max: 1_000_000n }).map((cents) => asPrice(cents * 1_000_000n)),
        fc.bigInt({ min: 1n, max: 100_000n }).map((steps) => asSize(steps * 100_000n)),
        fc.integer({ min: 1, max: 125 }),
        fc.constantFrom('BUY', 'SELL'),
        fc.constantFrom('standard' as const, 'as-specified' as const),
        rates,
        (entry, exit, amount, leverage, side, rules, rate) => {
          const book = new Book('100000000');
          const before = balanceOf(book.wallet);
          const context = (mark: typeof entry) => contextAt({ price: mark }, { rules, feeRate: rate });
          const command = open({ side, size: amount, leverage });
          fc.pre(book.refusal(command, context(entry)) === null);
          const position = book.acceptPosition(command, context(entry));
          const { closing, fees } = book.acceptPosition(close(position.id), context(exit));
          if (!closing) throw new Error('still open');
          expect(balanceOf(book.wallet) - before).toBe(closing.realizedPnl - fees);
          expect(fees - position.fees).toBeLessThanOrEqual(position.margin + closing.realizedPnl);
          const counterparty = book.ledger
            .flatMap(({ entries }) => entries)
            .filter(({ account }) => account === 'house:fees');
          expect(counterparty.reduce((sum, entry) => sum + entry.amount, 0n)).toBe(fees);
        },
      ),
    );
  });

  test('A04: a close at the liquidation price leaves at least the maintenance margin after the fee', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 100_000n, max: 10_000_000n }).map((cents) => asPrice(cents * 1_000_000n)),
        fc.bigInt({ min: 1n, max: 100_000n }).map((steps) => asSize(steps * 100_000n)),
        fc.integer({ min: 1, max: 125 }),
        fc.constantFrom('BUY', 'SELL'),
        fc.constantFrom('standard' as const, 'as-specified' as const),
        rates,
        (entry, amount, leverage, side, rules, rate) => {
          const book = new Book('100000000000');
          const before = balanceOf(book.wallet);
          const context = contextAt({ price: entry }, { rules, feeRate: rate });
          const command = open({ side, size: amount, leverage });
          const { id, margin, fees, liquidationPrice } = book.acceptPosition(command, context);
          // Where the tick is too coarse the price is a tick from the entry, and what is left is what a tick leaves.
          fc.pre(liquidationPrice !== entry - pair.tickSize && liquidationPrice !== entry + pair.tickSize);
          const { effects } = book.accept(
            { kind: 'trigger', trigger: 'liquidation', positionId: id, price: liquidationPrice },
            context,
          );
          const left = balanceOf(book.wallet) - before + margin + fees;
          // Margin, PnL and fee are each rounded by half a unit at most.
          expect(20n * left).toBeGreaterThanOrEqual(margin - 40n);
          expect(
            effects.ledger.flatMap(({ entries }) => entries).map(({ account }) => account),
          ).not.toContain('insurance');
        },
      ),
    );
  });
});
