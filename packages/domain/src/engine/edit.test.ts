import { describe, expect, test } from 'vitest';
import {
  Book,
  close,
  closedBook,
  contextAt,
  edit,
  feeRate,
  marketOf,
  money,
  open,
  openedBook,
  pair,
  price,
  size,
} from '../../test/engine.ts';
import { requiredMargin } from '../margin.ts';
import { asMoney, asPrice } from '../money.ts';
import type { PositionEdit } from './commands.ts';
import { balanceOf } from './types.ts';

describe('A09: who edits what', () => {
  test('an unknown position is not found', () => {
    expect(openedBook().book.refusal(edit('unknown', {}))).toEqual({ code: 'position_not_found' });
  });

  test.each(['', '   ', '\n\t'])('a reason is required: %j is none', (reason) => {
    const { book, position } = openedBook();
    expect(book.refusal(edit(position.id, { leverage: 5 }, { reason }))).toEqual({ code: 'reason_required' });
  });

  test('the second of two editors gets the current version', () => {
    const { book, position } = openedBook();
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

  test('a removed pair cannot state which values there are', () => {
    const { book, position } = openedBook();
    const market = { ...marketOf({}), pair: () => undefined };
    expect(book.refusal(edit(position.id, { leverage: 2 }), contextAt({}, { market }))?.code).toBe(
      'unknown_symbol',
    );
  });

  test('the market may be shut, the price old or none', () => {
    for (const quote of [{ marketOpen: false }, { stale: true }, null]) {
      const { book, position } = openedBook();
      expect(book.refusal(edit(position.id, { leverage: 2 }), contextAt(quote))).toBeNull();
    }
  });
});

describe('A09: what an edit does not change', () => {
  test('an edit that changes nothing changes neither the position nor its version, and notifies no trader', () => {
    const { book, position } = openedBook({ takeProfitPrice: price('120') });
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

  test('fees, fee rate, rules, protection and status stay; editedAt states when', () => {
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
    const { book, position } = openedBook();
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
    const { book, position } = openedBook();
    book.accept(edit(position.id, { leverage: 1 }));
    book.accept(close(position.id), contextAt('100'));
    expect(balanceOf(book.wallet)).toBe(money('1000'));
    expect(book.wallet.available).toBe(money('1000'));
  });

  test('what is available has to cover it, to the last unit', () => {
    const { book, position } = openedBook();
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
    const { book, position } = openedBook();
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
    const { book, position } = openedBook();
    expect(book.refusal(edit(position.id, changed))).toMatchObject({ code: 'edit_value_invalid', field });
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
    const { book, position } = closedBook();
    expect(book.refusal(edit(position.id, changed))).toMatchObject({ code: 'edit_value_invalid', field });
  });

  test('a price or a size beyond its bounds is refused with them', () => {
    const { book, position } = openedBook();
    expect(book.refusal(edit(position.id, { size: size('99999999') }))).toEqual({
      code: 'edit_value_invalid',
      field: 'size',
      bounds: { min: pair.minQty, max: pair.maxQty, step: pair.stepSize },
    });
    expect(book.refusal(edit(position.id, { entryPrice: price('1000000.01') }))).toEqual({
      code: 'edit_value_invalid',
      field: 'entryPrice',
      bounds: { min: pair.minPrice, max: pair.maxPrice, step: null },
    });
  });
  test('a size that would lock nothing', () => {
    const dust = { ...pair, minPrice: asPrice(1n), tickSize: asPrice(1n) };
    const { book, position } = openedBook();
    const market = { ...marketOf({}), pair: () => dust };
    const changed = { entryPrice: asPrice(1n), size: size('0.001') };
    expect(book.refusal(edit(position.id, changed), contextAt({}, { market }))).toEqual({
      code: 'edit_value_invalid',
      field: 'size',
    });
  });

  test('a value that it has already is none of the edit, even where the catalogue no longer takes it', () => {
    const { book, position } = openedBook();
    const strict = { ...pair, minPrice: price('500'), minQty: size('50') };
    const market = { ...marketOf({}), pair: () => strict };
    const { entryPrice } = position;
    const changed = { entryPrice, size: position.size, leverage: 5 };
    expect(book.refusal(edit(position.id, changed), contextAt({}, { market }))).toBeNull();
  });

  test('A26: a price between the ticks is a price', () => {
    const { book, position } = openedBook();
    const after = book.acceptPosition(edit(position.id, { entryPrice: price('100.12345678') }));
    expect(after.entryPrice).toBe(price('100.12345678'));
  });
});

describe('A104: the trader is notified', () => {
  test.each([
    ['that an open position was adjusted, though no funds changed', openedBook, { leverage: 5 }, null],
    [
      'that a closed one was, with what the balance changed by',
      closedBook,
      { realizedPnl: money('1') },
      '-3',
    ],
    ['that a closed one was, without an amount where there is none', closedBook, { createdAt: 5 }, null],
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
