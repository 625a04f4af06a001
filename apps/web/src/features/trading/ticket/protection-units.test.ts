import { asPrice, asSize, parseDecimal, rulesOf } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { convertProtection, type ProtectionUnit, stepDistance } from './protection-units.ts';

const limits = {
  minPrice: asPrice(1n),
  maxPrice: asPrice(10n ** 20n),
  tickSize: asPrice(parseDecimal('0.01')),
  minQty: asSize(parseDecimal('0.001')),
  maxQty: asSize(parseDecimal('9000')),
  stepSize: asSize(parseDecimal('0.001')),
};
const terms = {
  side: 'BUY',
  entryPrice: asPrice(parseDecimal('60000')),
  leverage: 10,
  size: asSize(parseDecimal('0.5')),
  rules: rulesOf('standard'),
} as const;
const convert = (text: string, from: ProtectionUnit, to: ProtectionUnit, of: typeof terms | null = terms) =>
  convertProtection('stopLoss', text, { unit: from, terms: of, limits }, to);

test('one stop loss in four units', () => {
  expect(convert('58800.00', 'price', 'percent')).toBe('2');
  expect(convert('2', 'percent', 'roe')).toBe('20');
  expect(convert('20', 'roe', 'usdt')).toBe('600');
  expect(convert('600', 'usdt', 'price')).toBe('58800.00');
});

test('what is empty or unreadable stays, and what cannot be converted is refused', () => {
  expect([convert('', 'percent', 'usdt', null), convert('x', 'percent', 'roe')]).toEqual(['', 'x']);
  expect(convert('2', 'percent', 'roe', null)).toBeNull();
  const unsized = { unit: 'percent', terms: { ...terms, size: null }, limits } as const;
  expect(convertProtection('stopLoss', '2', unsized, 'usdt')).toBeNull();
  expect(convertProtection('stopLoss', '2', unsized, 'roe')).toBe('20');
});

test('arrow keys step a distance, and not through zero', () => {
  expect(stepDistance('2', 'percent', 1n)).toBe('2.1');
  expect(stepDistance('', 'roe', 1n)).toBe('1');
  expect(stepDistance('1', 'usdt', -1n)).toBe('1');
});
