import { describe, expect, test } from 'vitest';
import { amend, Book, contextAt, open, place } from '../test/engine.ts';
import { accountNameMax, checkAccountName, normaliseAccountName } from './accounts.ts';

describe('names of accounts', () => {
  test('A112: a name is trimmed, has a bound and no invisible characters', () => {
    expect(normaliseAccountName('  Scalping ')).toBe('Scalping');
    expect(checkAccountName('x'.repeat(accountNameMax))).toBeNull();
    expect(checkAccountName(' ')).toBe('Give the account a name.');
    expect(checkAccountName('x'.repeat(accountNameMax + 1))).toBe('A name has at most 40 characters.');
    expect(checkAccountName('a\u200bb')).toBe('The name must not contain invisible characters.');
  });
});

describe('A112: the greatest leverage of an account', () => {
  const capped = () => contextAt('100', { leverageMax: 10 });
  const refusal = { code: 'leverage_capped', max: 10 };

  test('bounds a click and an order of each type, and admits itself', () => {
    const book = new Book('1000');
    expect(book.refusal(open({ leverage: 11 }), capped())).toEqual(refusal);
    for (const type of ['LIMIT', 'MARKET']) {
      expect(book.refusal(place({ type, leverage: 10 }), capped())).toBeNull();
    }
    expect(book.refusal(place({ leverage: 11 }), capped())).toEqual(refusal);
    expect(book.refusal(open({ leverage: 10 }), capped())).toBeNull();
  });

  test('bounds the amendment of an order that was placed before', () => {
    const book = new Book('1000');
    const { id } = book.acceptOrder(place({ leverage: 20 }));
    expect(book.refusal(amend(id, '99'), capped())).toEqual(refusal);
  });
});
