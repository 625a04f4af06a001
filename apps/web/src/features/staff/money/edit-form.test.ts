import { describe, expect, test } from 'vitest';
import { type EditTexts, parseForm, rebase, stepFieldText, toEditTexts } from './edit-form.ts';

const closed = {
  status: 'closed',
  side: 'BUY',
  entry_price: 90_410,
  close_price: 91_385.5,
  size: 0.25,
  leverage: 10,
  realized_pnl: -243.88,
  liquidation_price: 1e-7,
  created_at: '2026-11-18T09:06:12.345+00:00',
  closed_at: '2026-11-20T13:52:04+00:00',
} as const;
const open = { ...closed, status: 'open', close_price: null, realized_pnl: null, closed_at: null } as const;
const read = (changes: Partial<EditTexts>) => parseForm(closed, { ...toEditTexts(closed), ...changes });

describe('the typed values', () => {
  test('fields show plain decimals and UTC', () => {
    expect(toEditTexts(closed)).toMatchObject({
      liquidation_price: '0.0000001',
      realized_pnl: '-243.88',
      created_at: '2026-11-18 09:06:12',
    });
    expect(toEditTexts(open)).toMatchObject({ close_price: '', realized_pnl: '', closed_at: '' });
  });

  test('an equal value in another notation is no change, nor is a time whose fraction is not shown', () => {
    expect(read({})).toEqual({ changes: {}, changed: [], errors: {} });
    expect(read({ entry_price: ' 90410.000 ', realized_pnl: '\u2212243.880' }).changed).toEqual([]);
  });

  test('a change is exact; an emptied field is null', () => {
    expect(read({ close_price: '91445.123456789' }).errors.close_price).toMatch('at most 8 decimals');
    expect(
      read({
        close_price: '91445.50000001',
        realized_pnl: '',
        liquidation_price: '',
        side: 'SELL',
        leverage: '125',
        closed_at: '2026-11-20 13:52',
      }).changes,
    ).toEqual({
      close_price: '91445.50000001',
      realized_pnl: null,
      liquidation_price: null,
      side: 'SELL',
      leverage: 125,
      closed_at: '2026-11-20T13:52:00.000Z',
    });
  });

  test('ADMIN-71, ADMIN-72: the request contains every changed column and nothing else', () => {
    const typed = {
      side: 'SELL',
      entry_price: '90000',
      close_price: '91000',
      size: '0.5',
      leverage: '20',
      realized_pnl: '12.5',
      liquidation_price: '',
      created_at: '2026-11-18 10:00',
      closed_at: '2026-11-20 14:00',
    };
    expect(read(typed).changes).toEqual({
      side: 'SELL',
      entry_price: '90000',
      close_price: '91000',
      size: '0.5',
      leverage: 20,
      realized_pnl: '12.5',
      liquidation_price: null,
      created_at: '2026-11-18T10:00:00.000Z',
      closed_at: '2026-11-20T14:00:00.000Z',
    });
  });

  test.each([
    ['size', '0', 'Size must be above 0.'],
    ['size', '', 'Size cannot be empty.'],
    ['entry_price', '-1', 'Entry Price must be above 0.'],
    ['entry_price', '1e5', 'Entry Price must be a number with at most 8 decimals.'],
    ['close_price', '', 'Close Price cannot be empty.'],
    ['closed_at', '', 'Closed At cannot be empty.'],
    ['leverage', '126', 'Leverage must be a whole number from 1 to 125.'],
    ['leverage', '1.5', 'Leverage must be a whole number from 1 to 125.'],
    ['created_at', '2026-02-30 10:00', 'Created At must be a time such as 2026-11-18 09:06.'],
    ['created_at', 'yesterday', 'Created At must be a time such as 2026-11-18 09:06.'],
  ] as const)('ADMIN-67, A09: %s "%s" has the error %s', (field, text, error) => {
    const { errors: wrong, changes, changed } = read({ [field]: text });
    expect(wrong).toEqual({ [field]: error });
    expect(changes).toEqual({});
    expect(changed).toEqual([field]);
  });

  test('A09: the closing fields of an open position are disabled', () => {
    const texts = {
      ...toEditTexts(open),
      close_price: '5',
      realized_pnl: '5',
      closed_at: '2026-11-20 13:52',
    };
    expect(parseForm(open, texts).changed).toEqual([]);
  });

  test('X-14: arrow keys step by 0.000001 of a price and 0.01 of a size or PnL, and stop at the bounds', () => {
    for (const price of ['entry_price', 'close_price', 'liquidation_price'] as const)
      expect(stepFieldText(price, '90410', 1n)).toBe('90410.000001');
    expect(stepFieldText('size', '1', 1n)).toBe('1.01');
    expect(stepFieldText('realized_pnl', '0', -1n)).toBe('-0.01');
    expect(stepFieldText('size', '0.01', -1n)).toBe('0.01');
    expect(stepFieldText('realized_pnl', '0', -10n)).toBe('-0.1');
    expect(stepFieldText('leverage', '124', 10n)).toBe('125');
    expect(stepFieldText('size', 'x', 1n)).toBe('x');
  });
});

test('A09: on another user’s version my changes stay, and untouched fields take the new values', () => {
  const mine = { ...toEditTexts(closed), realized_pnl: '258.88' };
  const theirs = { ...closed, leverage: 20, realized_pnl: 100 };
  expect(rebase(closed, theirs, mine)).toMatchObject({
    leverage: '20',
    realized_pnl: '258.88',
    size: '0.25',
  });
});
