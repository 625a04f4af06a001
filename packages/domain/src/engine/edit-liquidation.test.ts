import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  Book,
  coarsePair,
  contextAt,
  edit,
  feeRate,
  open,
  openedBook,
  pair,
  price,
  size,
} from '../../test/engine.ts';
import { asPrice, asSize } from '../money.ts';
import { mainRulesOf } from '../rules.ts';
import type { PositionEdit } from './commands.ts';

describe('A09 A04: the liquidation price', () => {
  test.each([
    ['BUY', { leverage: 5 }, '81'],
    ['BUY', { entryPrice: price('200') }, '181'],
    ['BUY', { side: 'SELL' }, '109.5'],
    ['SELL', { leverage: 125 }, '100.76'],
    ['SELL', { side: 'BUY', leverage: 1 }, '5'],
    ['BUY', { size: size('2') }, '90.5'],
  ] as const)('%s edited to %o is recomputed to %s', (side, changed, liquidationPrice) => {
    const { book, position } = openedBook({ side });
    const after = book.acceptPosition(edit(position.id, changed));
    expect(after.liquidationPrice).toBe(price(liquidationPrice));
  });

  test('A07: is recomputed with the fee rate and the rules of the opening', () => {
    const book = new Book('1000');
    const terms = { feeRate: feeRate('0.005'), rules: 'as-specified' } as const;
    const { id } = book.acceptPosition(open(), contextAt({}, terms));
    const after = book.acceptPosition(edit(id, { leverage: 4 }));
    expect(after.liquidationPrice).toBe(
      mainRulesOf('as-specified').liquidationPrice({ ...after, tickSize: pair.tickSize }),
    );
    expect(after.feeRate).toBe(terms.feeRate);
  });

  test.each([
    ['BUY', '95', { leverage: 100 }, null],
    ['BUY', '99.5', { leverage: 100 }, '99.5'],
    ['BUY', '95', { liquidationPrice: price('95') }, null],
    ['SELL', '105', { leverage: 100 }, null],
    ['SELL', '105', { createdAt: 7 }, '105'],
  ] as const)(
    '%s with a stop loss at %s, edited to %o, keeps the stop loss %s',
    (side, stop, changed, expected) => {
      const { book, position } = openedBook({ side, stopLossPrice: price(stop) });
      const after = book.acceptPosition(edit(position.id, changed));
      expect(after.stopLossPrice).toBe(expected === null ? null : price(expected));
      expect(after.initialStopLossPrice).toBe(price(stop));
    },
  );

  test('an override holds while the terms stay, and goes when they change or it is emptied', () => {
    const { book, position } = openedBook();
    const { id } = position;
    const at = (changed: PositionEdit) => book.acceptPosition(edit(id, changed)).liquidationPrice;
    expect(at({ liquidationPrice: price('95.123') })).toBe(price('95.123'));
    expect(at({ createdAt: 7 })).toBe(price('95.123'));
    expect(at({ liquidationPrice: price('95.123'), createdAt: 8 })).toBe(price('95.123'));
    expect(at({ leverage: 5 })).toBe(price('81'));
    expect(at({ leverage: 4, liquidationPrice: price('80') })).toBe(price('80'));
    // Empty never means 'never liquidated'.
    expect(at({ liquidationPrice: null })).toBe(price('76.25'));
    // A form that sends the whole row does not mean the override that it shows.
    expect(at({ liquidationPrice: price('80') })).toBe(price('80'));
    expect(at({ liquidationPrice: price('80'), leverage: 10 })).toBe(price('90.5'));
  });

  // Entry 100, tick 0.01: from where the margin is gone to one tick before the entry.
  test.each([
    ['BUY', 1, 'standard', '0.01', '99.99'],
    ['BUY', 2, 'standard', '50', '99.99'],
    ['BUY', 10, 'standard', '90', '99.99'],
    ['BUY', 3, 'standard', '66.67', '99.99'],
    ['BUY', 125, 'standard', '99.2', '99.99'],
    ['SELL', 1, 'standard', '100.01', '200'],
    ['SELL', 3, 'standard', '100.01', '133.33'],
    ['SELL', 10, 'standard', '100.01', '110'],
    ['BUY', 10, 'as-specified', '99', '99.99'],
    ['SELL', 10, 'as-specified', '100.01', '101'],
    ['BUY', 125, 'as-specified', '99.99', '99.99'],
    ['SELL', 125, 'as-specified', '100.01', '100.01'],
  ] as const)('of a %s at leverage %i under %s lies from %s to %s', (side, leverage, rules, min, max) => {
    const book = new Book('1000');
    const { id, liquidationPrice } = book.acceptPosition(open({ side, leverage }), contextAt({}, { rules }));
    const refusalAt = (at: bigint) => book.refusal(edit(id, { liquidationPrice: asPrice(at) }));
    const bounds = { code: 'edit_liquidation_price', min: price(min), max: price(max) };
    expect(refusalAt(price(min))).toBeNull();
    expect(refusalAt(price(max))).toBeNull();
    expect(refusalAt(price(min) - 1n)).toEqual(bounds);
    expect(refusalAt(price(max) + 1n)).toEqual(bounds);
    expect(refusalAt(0n)).toEqual(bounds);
    expect(refusalAt(-price('1'))).toEqual(bounds);
    expect(liquidationPrice >= price(min) && liquidationPrice <= price(max)).toBe(true);
  });

  test('on a coarse tick there is one price at least, the one that it opens with', () => {
    const book = new Book('1000');
    const { id, liquidationPrice } = book.acceptPosition(
      open({ symbol: coarsePair.symbol, size: size('5'), leverage: 125 }),
    );
    expect(liquidationPrice).toBe(price('99'));
    expect(book.refusal(edit(id, { liquidationPrice: price('99.5') }))).toMatchObject({
      code: 'edit_liquidation_price',
      min: price('99'),
      max: price('99'),
    });
  });

  test('the bounds are those of the terms after the edit', () => {
    const { book, position } = openedBook();
    const changed = { side: 'SELL', leverage: 2, liquidationPrice: price('149') };
    expect(book.acceptPosition(edit(position.id, changed)).liquidationPrice).toBe(price('149'));
  });

  test('for any terms the recomputed price is within the bounds of an override', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 100_000n }),
        fc.bigInt({ min: 1000n, max: 500_000n }),
        fc.integer({ min: 1, max: 125 }),
        fc.constantFrom('BUY', 'SELL'),
        fc.constantFrom('standard' as const, 'as-specified' as const),
        (ticks, steps, leverage, side, rules) => {
          const book = new Book('1000000000');
          const entryPrice = asPrice(ticks * 1_000_000n);
          const { id } = book.acceptPosition(open(), contextAt({}, { rules }));
          const changed = { entryPrice, size: asSize(steps * 100_000n), leverage, side };
          const recomputed = book.acceptPosition(edit(id, changed)).liquidationPrice;
          const override = edit(id, { liquidationPrice: asPrice(entryPrice * 10n) });
          const refusal = book.refusal(override);
          expect(refusal?.code).toBe('edit_liquidation_price');
          if (refusal?.code !== 'edit_liquidation_price') return;
          expect(recomputed >= refusal.min && recomputed <= refusal.max).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('A09 A21: the other side', () => {
  test('clears take profit, stop loss and the risk of the first stop', () => {
    const { book, position } = openedBook({ takeProfitPrice: price('120'), stopLossPrice: price('95') });
    const after = book.acceptPosition(edit(position.id, { side: 'SELL' }));
    expect(after).toMatchObject({
      side: 'SELL',
      takeProfitPrice: null,
      stopLossPrice: null,
      initialStopLossPrice: null,
    });
  });

  test('the same side keeps them', () => {
    const { book, position } = openedBook({ takeProfitPrice: price('120'), stopLossPrice: price('95') });
    const after = book.acceptPosition(edit(position.id, { side: 'BUY', leverage: 9 }));
    expect(after).toMatchObject({ takeProfitPrice: price('120'), stopLossPrice: price('95') });
  });

  test('A104: a changed liquidation price can warn again, an unchanged one cannot', () => {
    const { book, position } = openedBook();
    const { id } = position;
    book.accept({ kind: 'trigger', trigger: 'margin_warning', positionId: id, price: price('92') });
    expect(book.acceptPosition(edit(id, { createdAt: 5 })).marginWarned).toBe(true);
    expect(book.acceptPosition(edit(id, { liquidationPrice: price('91') })).marginWarned).toBe(false);
  });
});
