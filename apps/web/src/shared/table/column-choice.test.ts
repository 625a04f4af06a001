import { expect, test } from 'vitest';
import { columnsSetting, parseColumnChoice, withColumn } from './column-choice.ts';
import { isColumnShown } from './columns.ts';

const fixed = { head: 'Username' };
const email = { head: 'Email', choice: 'shown' } as const;
const phone = { head: 'Phone', choice: 'hidden' } as const;

test('a column without a choice always shows; the others are as their table declares, or as chosen', () => {
  expect([fixed, email, phone].map((column) => isColumnShown(column, {}))).toEqual([true, true, false]);
  const chosen = { Username: false, Email: false, Phone: true };
  expect([fixed, email, phone].map((column) => isColumnShown(column, chosen))).toEqual([true, false, true]);
});

test('only what differs from the default is stored', () => {
  const chosen = withColumn(withColumn({}, phone, true), email, false);
  expect(chosen).toEqual({ Phone: true, Email: false });
  expect(withColumn(chosen, phone, false)).toEqual({ Email: false });
  expect(withColumn({ Email: false }, email, true)).toEqual({});
});

test('a stored value that is no choice is left out', () => {
  expect(parseColumnChoice({ Email: false, Role: 'yes', Phone: 1 })).toEqual({ Email: false });
  expect(parseColumnChoice('Email')).toEqual({});
  columnsSetting.apply({ users: { Email: false }, wallets: null });
  expect(columnsSetting.read()).toEqual({ users: { Email: false }, wallets: {} });
  columnsSetting.apply(null);
  expect(columnsSetting.read()).toEqual(columnsSetting.initial);
});
