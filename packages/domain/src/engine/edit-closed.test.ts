import { describe, expect, test } from 'vitest';
import { close, closedBook, contextAt, edit, money, openedBook, price, size } from '../../test/engine.ts';
import type { PositionEdit } from './commands.ts';
import { balanceOf } from './types.ts';

describe('A09: when it was opened and closed', () => {
  test('it cannot have closed before it was opened, and the field that contradicts it is named', () => {
    const { book, position } = closedBook();
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
    const { book, position } = closedBook();
    const context = contextAt();
    const { now } = context;
    expect(book.refusal(edit(position.id, { closedAt: now }), context)).toBeNull();
    expect(book.refusal(edit(position.id, { closedAt: now + 1 }), context)?.code).toBe('edit_value_invalid');
  });
});

describe('RULE-34 A09 A11: the result of a closed position', () => {
  test.each([
    ['10', '1010'],
    ['0', '1000'],
    ['-10', '990'],
    ['4.00000001', '1004.00000001'],
  ])('+4 corrected to %s makes the balance %s', (result, balance) => {
    const { book, position } = closedBook();
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
    const { book, position } = closedBook();
    const after = book.acceptPosition(edit(position.id, { realizedPnl: null }));
    expect(after.closing?.realizedPnl).toBe(0n);
    expect(balanceOf(book.wallet)).toBe(money('1000'));
  });

  test('a loss beyond the margin is refused, the margin itself is not', () => {
    const { book, position } = closedBook();
    expect(book.refusal(edit(position.id, { realizedPnl: money('-10.00000001') }))).toEqual({
      code: 'edit_loss_beyond_margin',
      margin: money('10'),
    });
    expect(book.refusal(edit(position.id, { realizedPnl: money('-10') }))).toBeNull();
  });

  test('the margin that counts is that of the edited terms', () => {
    const { book, position } = closedBook();
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
    const { book, position } = closedBook();
    book.accept({ kind: 'adjust', amount: money('-1003'), reason: 'spent' });
    expect(book.refusal(edit(position.id, { realizedPnl: money('2.5') }))).toEqual({
      code: 'edit_exceeds_available',
      required: money('1.5'),
      available: money('1'),
    });
    expect(book.refusal(edit(position.id, { realizedPnl: money('3') }))).toBeNull();
  });

  test('a changed close price corrects no result by itself, and the position keeps how it closed', () => {
    const { book, position } = closedBook();
    const after = book.acceptPosition(
      edit(position.id, { closePrice: price('150'), closedAt: position.createdAt }),
    );
    expect(after.closing).toEqual({ ...position.closing, price: price('150'), at: position.createdAt });
    expect(balanceOf(book.wallet)).toBe(money('1004'));
  });

  test('terms of a closed position lock nothing', () => {
    const { book, position } = closedBook();
    const after = book.acceptPosition(edit(position.id, { size: size('500'), leverage: 1 }));
    expect(after.margin).toBe(money('50000'));
    expect(book.wallet).toMatchObject({ margin: 0n, available: money('1004') });
  });

  test('A23: the part of a position is corrected as any other', () => {
    const { book, position } = openedBook({ size: size('2') });
    const part = book.acceptPosition(close(position.id, { size: size('1') }), contextAt('104'));
    book.accept(edit(part.id, { realizedPnl: money('6') }));
    expect(book.transactions.at(-1)).toMatchObject({ type: 'position_closed', amount: money('6') });
    expect(book.wallet).toMatchObject({ margin: money('10'), available: money('996') });
  });
});
