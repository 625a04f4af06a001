import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requiredMargin } from '../margin.ts';
import { asMoney, asPrice, asSize } from '../money.ts';
import { rulesOf } from '../rules.ts';
import { balanceOf } from './account.ts';
import type { PositionEdit } from './commands.ts';
import {
  Book,
  close,
  coarsePair,
  contextAt,
  edit,
  feeRate,
  marketOf,
  money,
  open,
  pair,
  price,
  size,
} from './testing.ts';

/** BUY 1 at 100 and leverage 10: margin 10, liquidated at 90.5, 990 available. */
function opened(more: Parameters<typeof open>[0] = {}) {
  const book = new Book('1000');
  return { book, position: book.acceptPosition(open(more)) };
}
/** The same, closed at 104 for +4. */
function closed() {
  const { book, position } = opened();
  return { book, position: book.acceptPosition(close(position.id), contextAt('104')) };
}

describe('A09: who edits what', () => {
  test('an unknown position is not found', () => {
    expect(opened().book.refusal(edit('nobody', {}))).toEqual({ code: 'position_not_found' });
  });

  test.each(['', '   ', '\n\t'])('a reason is required: %j is none', (reason) => {
    const { book, position } = opened();
    expect(book.refusal(edit(position.id, { leverage: 5 }, { reason }))).toEqual({ code: 'reason_required' });
  });

  test('the second of two editors is told what there is now', () => {
    const { book, position } = opened();
    const seen = position.version;
    const first = book.acceptPosition(edit(position.id, { leverage: 5 }, { expectedVersion: seen }));
    expect(first.version).toBe(seen + 1);
    expect(book.refusal(edit(position.id, { leverage: 2 }, { expectedVersion: seen }))).toEqual({
      code: 'changed_meanwhile',
      expectedVersion: seen,
      current: first,
    });
    expect(book.refusal(edit(position.id, { leverage: 2 }, { expectedVersion: null }))).toBeNull();
    expect(book.refusal(edit(position.id, { leverage: 2 }, { expectedVersion: seen + 1 }))).toBeNull();
  });

  test('a pair that is no more cannot say which values there are', () => {
    const { book, position } = opened();
    const market = { ...marketOf({}), pair: () => undefined };
    expect(book.refusal(edit(position.id, { leverage: 2 }), contextAt({}, { market }))?.code).toBe(
      'unknown_symbol',
    );
  });

  test('the market may be shut, the price old or none', () => {
    for (const quote of [{ marketOpen: false }, { stale: true }, null]) {
      const { book, position } = opened();
      expect(book.refusal(edit(position.id, { leverage: 2 }), contextAt(quote))).toBeNull();
    }
  });
});

describe('A09: what an edit leaves alone', () => {
  test('an edit that changes nothing leaves the position, its version and the trader alone', () => {
    const { book, position } = opened({ takeProfitPrice: price('120') });
    const { entryPrice, leverage, side, liquidationPrice, createdAt } = position;
    const whole: PositionEdit = {
      entryPrice,
      size: position.size,
      leverage,
      side,
      liquidationPrice,
      createdAt,
      closePrice: null,
      realizedPnl: null,
      closedAt: null,
    };
    const { effects, subject } = book.accept(edit(position.id, whole));
    expect(effects).toMatchObject({ positions: [], ledger: [], transactions: [], notifications: [] });
    expect(subject).toEqual({ kind: 'position', position });
  });

  test('fees, fee rate, rules, protection and status stay; editedAt says when', () => {
    const book = new Book('1000');
    const position = book.acceptPosition(
      open({ takeProfitPrice: price('120'), stopLossPrice: price('95') }),
      contextAt({}, { feeRate: feeRate('0.001') }),
    );
    const context = contextAt({}, { feeRate: feeRate('0.005'), rules: 'as-specified' });
    const after = book.acceptPosition(edit(position.id, { size: size('2') }), context);
    expect(after).toEqual({
      ...position,
      size: size('2'),
      margin: money('20'),
      editedAt: context.now,
      updatedAt: context.now,
      version: 2,
      accountVersion: position.accountVersion + 1,
    });
    expect(book.transactions.filter(({ type }) => type === 'fee')).toHaveLength(1);
  });

  test('A23: a position that was split keeps its share of the margin while its terms stay', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(open({ size: size('0.1'), leverage: 7 }));
    book.accept(close(id, { size: size('0.037') }));
    const rest = book.position(id);
    const after = book.acceptPosition(edit(id, { createdAt: 5 }));
    expect(after.margin).toBe(rest?.margin);
    expect(rest?.margin).not.toBe(requiredMargin(price('100'), size('0.063'), 7));
  });
});

describe('A09: the margin of an open position follows its terms at once', () => {
  test.each([
    ['leverage', { leverage: 1 }, '100', '900'],
    ['leverage', { leverage: 100 }, '1', '999'],
    ['size', { size: size('2.5') }, '25', '975'],
    ['entry price', { entryPrice: price('50.005') }, '5.0005', '994.9995'],
    ['all of them', { entryPrice: price('200'), size: size('3'), leverage: 2 }, '300', '700'],
    ['side', { side: 'SELL' }, '10', '990'],
  ] as const)('%s: %o', (_what, changed, margin, available) => {
    const { book, position } = opened();
    const { effects } = book.accept(edit(position.id, changed));
    expect(book.position(position.id)?.margin).toBe(money(margin));
    expect(book.wallet).toMatchObject({ margin: money(margin), available: money(available) });
    expect(balanceOf(book.wallet)).toBe(money('1000'));
    expect(effects.transactions).toEqual([]);
    const moved = money(margin) - money('10');
    expect(effects.ledger.map(({ kind, sourceId, entries }) => ({ kind, sourceId, entries }))).toEqual(
      moved === 0n
        ? []
        : [
            {
              kind: 'adjustment',
              sourceId: position.id,
              entries: [
                { account: 'user:cash', amount: -moved },
                { account: 'user:margin', amount: moved },
              ],
            },
          ],
    );
  });

  test('100 at leverage 1 after 10 at leverage 10 are locked, not made: the close releases what was locked', () => {
    const { book, position } = opened();
    book.accept(edit(position.id, { leverage: 1 }));
    book.accept(close(position.id), contextAt('100'));
    expect(balanceOf(book.wallet)).toBe(money('1000'));
    expect(book.wallet.available).toBe(money('1000'));
  });

  test('what is available has to cover it, to the last unit', () => {
    const { book, position } = opened();
    const most = edit(position.id, { size: size('100') });
    book.accept(edit(position.id, { size: size('99.999') }));
    expect(book.refusal(most)).toBeNull();
    expect(book.refusal(edit(position.id, { size: size('100.001') }))).toEqual({
      code: 'edit_exceeds_available',
      required: money('0.0200'),
      available: money('0.01'),
    });
  });

  test.each([
    ['closePrice', { closePrice: price('100') }],
    ['realizedPnl', { realizedPnl: money('5') }],
    ['realizedPnl', { realizedPnl: money('0') }],
    ['closedAt', { closedAt: 5 }],
  ] as const)('%s is of a closed position', (field, changed) => {
    const { book, position } = opened();
    expect(book.refusal(edit(position.id, changed))).toEqual({ code: 'edit_field_of_closed', field });
  });
});

describe('A09: values that no position can have', () => {
  const wrong: readonly (readonly [keyof PositionEdit, PositionEdit])[] = [
    ['entryPrice', { entryPrice: null }],
    ['entryPrice', { entryPrice: price('0') }],
    ['entryPrice', { entryPrice: price('-1') }],
    ['entryPrice', { entryPrice: price('0.009') }],
    ['entryPrice', { entryPrice: price('1000000.01') }],
    ['size', { size: null }],
    ['size', { size: size('0') }],
    ['size', { size: size('-1') }],
    ['size', { size: size('0.0015') }],
    ['size', { size: size('1000.001') }],
    ['leverage', { leverage: null }],
    ['leverage', { leverage: 0 }],
    ['leverage', { leverage: 1.5 }],
    ['leverage', { leverage: 126 }],
    ['leverage', { leverage: Number.NaN }],
    ['side', { side: null }],
    ['side', { side: 'buy' }],
    ['side', { side: '' }],
    ['createdAt', { createdAt: null }],
    ['createdAt', { createdAt: -1 }],
    ['createdAt', { createdAt: 0.5 }],
    ['createdAt', { createdAt: Number.NaN }],
    ['createdAt', { createdAt: Number.MAX_SAFE_INTEGER }],
  ];
  test.each(wrong)('%s of an open position: %o', (field, changed) => {
    const { book, position } = opened();
    expect(book.refusal(edit(position.id, changed))).toEqual({ code: 'edit_value_invalid', field });
  });

  const wrongWhenClosed: readonly (readonly [keyof PositionEdit, PositionEdit])[] = [
    ...wrong,
    ['closePrice', { closePrice: null }],
    ['closePrice', { closePrice: price('0') }],
    ['closePrice', { closePrice: price('1000000.01') }],
    ['closedAt', { closedAt: null }],
    ['closedAt', { closedAt: -1 }],
    ['closedAt', { closedAt: Number.MAX_SAFE_INTEGER }],
    ['realizedPnl', { realizedPnl: money('1000000004.00000001') }],
  ];
  test.each(wrongWhenClosed)('%s of a closed position: %o', (field, changed) => {
    const { book, position } = closed();
    expect(book.refusal(edit(position.id, changed))).toEqual({ code: 'edit_value_invalid', field });
  });

  test('a size that would lock nothing', () => {
    const dust = { ...pair, minPrice: asPrice(1n), tickSize: asPrice(1n) };
    const { book, position } = opened();
    const market = { ...marketOf({}), pair: () => dust };
    const changed = { entryPrice: asPrice(1n), size: size('0.001') };
    expect(book.refusal(edit(position.id, changed), contextAt({}, { market }))).toEqual({
      code: 'edit_value_invalid',
      field: 'size',
    });
  });

  test('a value that it has already is none of the edit, even where the catalogue no longer takes it', () => {
    const { book, position } = opened();
    const strict = { ...pair, minPrice: price('500'), minQty: size('50') };
    const market = { ...marketOf({}), pair: () => strict };
    const { entryPrice } = position;
    const changed = { entryPrice, size: position.size, leverage: 5 };
    expect(book.refusal(edit(position.id, changed), contextAt({}, { market }))).toBeNull();
  });

  test('A26: a price between the ticks is a price', () => {
    const { book, position } = opened();
    const after = book.acceptPosition(edit(position.id, { entryPrice: price('100.12345678') }));
    expect(after.entryPrice).toBe(price('100.12345678'));
  });
});

describe('A09: when it was opened and closed', () => {
  test('it cannot have closed before it was opened, and the field that says so is named', () => {
    const { book, position } = closed();
    const { createdAt } = position;
    const closedAt = position.closing!.at;
    const refusalOf = (changed: PositionEdit) => book.refusal(edit(position.id, changed));
    expect(refusalOf({ createdAt: closedAt + 1 })).toEqual({
      code: 'edit_value_invalid',
      field: 'createdAt',
    });
    expect(refusalOf({ closedAt: createdAt - 1 })).toEqual({ code: 'edit_value_invalid', field: 'closedAt' });
    expect(refusalOf({ createdAt: closedAt, closedAt })).toBeNull();
    expect(refusalOf({ createdAt: 10, closedAt: 10 })).toBeNull();
    expect(refusalOf({ createdAt: 11, closedAt: 10 })).toEqual({
      code: 'edit_value_invalid',
      field: 'createdAt',
    });
  });

  test('neither lies in the future', () => {
    const { book, position } = closed();
    const context = contextAt();
    const { now } = context;
    expect(book.refusal(edit(position.id, { closedAt: now }), context)).toBeNull();
    expect(book.refusal(edit(position.id, { closedAt: now + 1 }), context)?.code).toBe('edit_value_invalid');
  });
});

describe('A09 A04: the liquidation price', () => {
  test.each([
    ['BUY', { leverage: 5 }, '81'],
    ['BUY', { entryPrice: price('200') }, '181'],
    ['BUY', { side: 'SELL' }, '109.5'],
    ['SELL', { leverage: 125 }, '100.76'],
    ['SELL', { side: 'BUY', leverage: 1 }, '5'],
    ['BUY', { size: size('2') }, '90.5'],
  ] as const)('%s edited to %o is recomputed to %s', (side, changed, liquidationPrice) => {
    const { book, position } = opened({ side });
    const after = book.acceptPosition(edit(position.id, changed));
    expect(after.liquidationPrice).toBe(price(liquidationPrice));
  });

  test('A07: is recomputed with the fee rate and the rules of the opening', () => {
    const book = new Book('1000');
    const terms = { feeRate: feeRate('0.005'), rules: 'as-specified' } as const;
    const { id } = book.acceptPosition(open(), contextAt({}, terms));
    const after = book.acceptPosition(edit(id, { leverage: 4 }));
    expect(after.liquidationPrice).toBe(
      rulesOf('as-specified').liquidationPrice({ ...after, tickSize: pair.tickSize }),
    );
    expect(after.feeRate).toBe(terms.feeRate);
  });

  test('an override holds while the terms stay, and goes when they change or it is emptied', () => {
    const { book, position } = opened();
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
    const { book, position } = opened();
    const changed = { side: 'SELL', leverage: 2, liquidationPrice: price('149') };
    expect(book.acceptPosition(edit(position.id, changed)).liquidationPrice).toBe(price('149'));
  });

  test('whatever the terms, what is recomputed keeps to the bounds of an override', () => {
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
  test('clears take profit, stop loss and the risk that the first stop told', () => {
    const { book, position } = opened({ takeProfitPrice: price('120'), stopLossPrice: price('95') });
    const after = book.acceptPosition(edit(position.id, { side: 'SELL' }));
    expect(after).toMatchObject({
      side: 'SELL',
      takeProfitPrice: null,
      stopLossPrice: null,
      initialStopLossPrice: null,
    });
  });

  test('the same side keeps them', () => {
    const { book, position } = opened({ takeProfitPrice: price('120'), stopLossPrice: price('95') });
    const after = book.acceptPosition(edit(position.id, { side: 'BUY', leverage: 9 }));
    expect(after).toMatchObject({ takeProfitPrice: price('120'), stopLossPrice: price('95') });
  });

  test('A104: of a changed liquidation price the trader is warned anew, of an old one not', () => {
    const { book, position } = opened();
    const { id } = position;
    book.accept({ kind: 'trigger', trigger: 'margin_warning', positionId: id, price: price('92') });
    expect(book.acceptPosition(edit(id, { createdAt: 5 })).marginWarned).toBe(true);
    expect(book.acceptPosition(edit(id, { liquidationPrice: price('91') })).marginWarned).toBe(false);
  });
});

describe('RULE-34 A09 A11: the result of a closed position', () => {
  test.each([
    ['10', '1010'],
    ['0', '1000'],
    ['-10', '990'],
    ['4.00000001', '1004.00000001'],
  ])('+4 corrected to %s makes the balance %s', (result, balance) => {
    const { book, position } = closed();
    const { effects } = book.accept(edit(position.id, { realizedPnl: money(result) }));
    expect(balanceOf(book.wallet)).toBe(money(balance));
    expect(book.wallet.available).toBe(money(balance));
    const difference = money(result) - money('4');
    expect(effects.ledger).toMatchObject([
      {
        kind: 'adjustment',
        sourceId: position.id,
        entries: [
          { account: 'user:cash', amount: difference },
          { account: 'house:pnl', amount: -difference },
        ],
      },
    ]);
    // The line of the close is amended; no deposit is made of it.
    expect(effects.transactions).toEqual([]);
    expect(effects.amended).toEqual([{ positionId: position.id, amount: money(result) }]);
    expect(book.transactions.map(({ amount }) => amount)).toEqual([money('1000'), money(result)]);
  });

  test('empty is zero', () => {
    const { book, position } = closed();
    const after = book.acceptPosition(edit(position.id, { realizedPnl: null }));
    expect(after.closing?.realizedPnl).toBe(0n);
    expect(balanceOf(book.wallet)).toBe(money('1000'));
  });

  test('a loss beyond the margin is refused, the margin itself is not', () => {
    const { book, position } = closed();
    expect(book.refusal(edit(position.id, { realizedPnl: money('-10.00000001') }))).toEqual({
      code: 'edit_loss_beyond_margin',
      margin: money('10'),
    });
    expect(book.refusal(edit(position.id, { realizedPnl: money('-10') }))).toBeNull();
  });

  test('the margin that counts is that of the edited terms', () => {
    const { book, position } = closed();
    book.accept(edit(position.id, { realizedPnl: money('-8') }));
    expect(book.refusal(edit(position.id, { leverage: 20 }))).toEqual({
      code: 'edit_loss_beyond_margin',
      margin: money('5'),
    });
    const wider = edit(position.id, { leverage: 2, realizedPnl: money('-50') });
    expect(book.acceptPosition(wider)).toMatchObject({
      margin: money('50'),
      closing: { realizedPnl: money('-50') },
    });
    expect(book.wallet).toMatchObject({ margin: 0n, available: money('950') });
  });

  test('what was earned and spent cannot be taken back beyond what is available', () => {
    const { book, position } = closed();
    book.accept({ kind: 'adjust', amount: money('-1003'), reason: 'spent' });
    expect(book.refusal(edit(position.id, { realizedPnl: money('2.5') }))).toEqual({
      code: 'edit_exceeds_available',
      required: money('1.5'),
      available: money('1'),
    });
    expect(book.refusal(edit(position.id, { realizedPnl: money('3') }))).toBeNull();
  });

  test('a changed close price corrects no result by itself, and the position keeps how it closed', () => {
    const { book, position } = closed();
    const after = book.acceptPosition(
      edit(position.id, { closePrice: price('150'), closedAt: position.createdAt }),
    );
    expect(after.closing).toEqual({ ...position.closing, price: price('150'), at: position.createdAt });
    expect(balanceOf(book.wallet)).toBe(money('1004'));
  });

  test('terms of a closed position lock nothing', () => {
    const { book, position } = closed();
    const after = book.acceptPosition(edit(position.id, { size: size('500'), leverage: 1 }));
    expect(after.margin).toBe(money('50000'));
    expect(book.wallet).toMatchObject({ margin: 0n, available: money('1004') });
  });

  test('A23: the part of a position is corrected as any other', () => {
    const { book, position } = opened({ size: size('2') });
    const part = book.acceptPosition(close(position.id, { size: size('1') }), contextAt('104'));
    book.accept(edit(part.id, { realizedPnl: money('6') }));
    expect(book.transactions.at(-1)).toMatchObject({ type: 'position_closed', amount: money('6') });
    expect(book.wallet).toMatchObject({ margin: money('10'), available: money('996') });
  });
});

describe('A104: the trader is told', () => {
  test.each([
    ['that an open position was adjusted, though no funds changed', opened, { leverage: 5 }, null],
    ['that a closed one was, with what the balance changed by', closed, { realizedPnl: money('1') }, '-3'],
    ['that a closed one was, without an amount where there is none', closed, { createdAt: 5 }, null],
  ] as const)('%s', (_what, make, changed, amount) => {
    const { book, position } = make();
    const { effects } = book.accept(edit(position.id, changed));
    expect(effects.notifications).toMatchObject([
      {
        kind: 'position_adjusted',
        position: effects.positions[0]?.after,
        order: null,
        amount: amount === null ? null : asMoney(money(amount)),
      },
    ]);
  });
});
