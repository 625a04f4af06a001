import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adjust, Book, money, open } from '../../test/engine.ts';
import { asMoney } from '../money.ts';
import { balanceOf } from './types.ts';

describe('A12 CALL-52: staff adjust the funds', () => {
  test.each([
    ['250.5', 'deposit', 'Deposit', '1250.5'],
    ['-250.5', 'withdrawal', 'Withdrawal', '749.5'],
    ['-1000', 'withdrawal', 'Withdrawal', '0'],
    ['0.00000001', 'deposit', 'Deposit', '1000.00000001'],
    ['1000000000', 'deposit', 'Deposit', '1000001000'],
  ] as const)(
    'RULE-33 RULE-35 A10: %s is one completed %s with its sign',
    (amount, type, description, balance) => {
      const book = new Book('1000');
      const { effects, subject } = book.accept(adjust(amount));
      const [group] = effects.ledger;
      expect(effects.ledger).toEqual([
        {
          id: group?.id,
          kind: type,
          sourceId: group?.id,
          entries: [
            { account: 'user:cash', amount: money(amount) },
            { account: 'external', amount: -money(amount) },
          ],
        },
      ]);
      expect(effects.transactions).toEqual([{ id: group?.id, type, amount: money(amount), description }]);
      expect(effects.notifications).toMatchObject([{ kind: 'funds_changed', amount: money(amount) }]);
      expect(subject).toEqual({ kind: 'account' });
      expect(balanceOf(book.wallet)).toBe(money(balance));
    },
  );

  test.each(['0', '1000000000.00000001', '-1000000000.00000001'])('%s is no amount', (amount) => {
    expect(new Book('2000000000').refusal(adjust(amount))).toEqual({ code: 'funds_amount_invalid' });
  });

  test('RULE-35: what is locked cannot be withdrawn', () => {
    const book = new Book('1000');
    book.accept(open());
    expect(book.refusal(adjust('-990.00000001'))).toEqual({
      code: 'funds_beyond_available',
      available: money('990'),
    });
    book.accept(adjust('-990'));
    expect(book.wallet).toMatchObject({ available: 0n, margin: money('10') });
  });

  const set = (balance: string) => ({ ...adjust(balance), sets: 'balance' }) as const;

  test('the balance is set, whatever is bound as margin', () => {
    const book = new Book('1000');
    book.accept(open());
    expect(book.accept(set('400')).effects.transactions).toMatchObject([{ amount: money('-600') }]);
    expect(book.wallet).toMatchObject({ available: money('390'), margin: money('10') });
    expect(book.refusal(set('400'))).toEqual({ code: 'funds_unchanged' });
    expect(book.refusal(set('9'))).toEqual({ code: 'funds_beyond_available', available: money('390') });
    expect(book.refusal(set('-1'))).toEqual({ code: 'funds_amount_invalid' });
    expect(book.refusal(set('1000000400.00000001'))).toEqual({ code: 'funds_amount_invalid' });
  });

  test.each(['', ' ', '\t\n'])('%j is no reason', (reason) => {
    expect(new Book('1').refusal({ ...adjust('1'), reason })).toEqual({ code: 'reason_required' });
  });

  test('A72: a restricted account is adjusted as any other', () => {
    const book = new Book('1000');
    book.restricted = true;
    expect(book.refusal(adjust('-1'))).toBeNull();
  });

  test('A10: any sequence leaves a balance that is the sum of the lines, never below zero', () => {
    const limit = money('3000000000');
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -limit, max: limit }), { maxLength: 30 }), (amounts) => {
        const book = new Book('0');
        let expected = 0n;
        for (const amount of amounts) {
          const command = { ...adjust('1'), amount: asMoney(amount) };
          const allowed =
            amount !== 0n &&
            amount <= money('1000000000') &&
            amount >= -money('1000000000') &&
            expected + amount >= 0n;
          expect(book.refusal(command) === null).toBe(allowed);
          if (!allowed) continue;
          book.accept(command);
          expected += amount;
        }
        expect(balanceOf(book.wallet)).toBe(expected);
        expect(book.transactions.reduce((sum, line) => sum + line.amount, 0n)).toBe(expected);
      }),
    );
  });
});
