import { expect, test } from 'vitest';
import {
  getFilledText,
  getOrderLabel,
  getPriceText,
  getRemainingText,
  getSizeText,
  getTermsText,
} from './labels.ts';

const trailing = { price: null, triggerPrice: null, triggeredAt: null, trailRate: 2, peakPrice: null };

test('A113: a trailing stop names its distance and where it follows from', () => {
  expect(getPriceText(trailing, 0.01)).toBe('2 % from the next price');
  expect(getPriceText({ ...trailing, triggerPrice: 2_000 }, 0.01)).toBe('2 % once at 2,000.00');
  expect(getPriceText({ ...trailing, triggerPrice: 2_000, peakPrice: 2_100 }, 0.01)).toBe(
    '2 % from 2,100.00',
  );
  expect(getPriceText({ ...trailing, trailRate: null, price: 95 }, 0.01)).toBe('95.00');
});

test('A113: a stop of an account with net positions has a limit, a plain one has none', () => {
  expect(getOrderLabel({ type: 'STOP', rules: 'perpetual', side: 'SELL' })).toBe('Stop limit sell');
  expect(getOrderLabel({ type: 'STOP', rules: 'standard', side: 'BUY' })).toBe('Stop buy');
});

test('A113: what closes the position has no size of its own', () => {
  expect(getSizeText({ size: 0 }, 0.001)).toBe('Whole position');
  expect(getSizeText({ size: 0.5 }, 0.001)).toBe('0.500');
});

test('A113: an order names its end, and that it only reduces', () => {
  const expiresAt = '2026-12-05T10:42:00Z';
  expect(getTermsText({ reduceOnly: true, size: 1, expiresAt })).toMatch(
    /^Reduce only · until Dec 0[456], 2026 \d\d:\d\d$/,
  );
  expect(getTermsText({ reduceOnly: true, size: 0, expiresAt: null })).toBe('');
});

test('A113: an order that is filled in part states what is filled, and what still waits', () => {
  expect(getFilledText({ size: 60, filledSize: 35.0361 }, 0.0001)).toBe('35.0361 filled');
  expect(getRemainingText({ size: 60, filledSize: 35.0361 }, 0.0001)).toBe('24.9639');
  expect(getFilledText({ size: 60, filledSize: 0 }, 0.0001)).toBe('');
  expect(getFilledText({ size: 60, filledSize: 60 }, 0.0001)).toBe('');
  expect(getFilledText({ size: 0, filledSize: 0 }, 0.0001)).toBe('');
  expect(getRemainingText({ size: 0, filledSize: 0 }, 0.0001)).toBe('Whole position');
});
