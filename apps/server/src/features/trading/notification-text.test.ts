import { parseDecimal } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { averageText } from './notification-text.ts';

test('A104: an average has eight digits, and a price of the market all of its own', () => {
  const textOf = (price: string) => averageText(parseDecimal(price));
  expect(['90', '1961.97666667', '64005.12345678', '1.0842'].map(textOf)).toEqual([
    '90.00',
    '1961.9767',
    '64005.123',
    '1.0842',
  ]);
  expect(textOf('0.00001234')).toBe('0.00001234');
});
