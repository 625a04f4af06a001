import type { Candle } from '@fulcrum/contract';
import { expect, test } from 'vitest';
import { getExampleLong } from './example.ts';

const bar = (close: number, low = close): Candle => ({
  open_time: '',
  open: close,
  high: close,
  low,
  close,
  volume: 1,
  quote_volume: close,
  gap: false,
});
const terms = { rules: 'standard', feeRate: 0, leverage: 50, size: 0.4, tickSize: 0.01, barsAgo: 1 } as const;

test('the example position follows the rules of the product', () => {
  expect(getExampleLong([bar(96_840), bar(97_482.6)], terms)).toEqual({
    leverage: 50,
    size: 0.4,
    entryPrice: 96_840,
    liquidationPrice: 95_000.04,
    isLiquidated: false,
    pnl: 257.04,
    roe: 33.18,
    liquidationLoss: -735.984,
  });
});
test('a bar that reached the liquidation price ended the position, whatever followed', () => {
  const example = getExampleLong([bar(96_840), bar(97_482.6, 95_000.04)], terms);
  expect(example?.isLiquidated).toBe(true);
  expect(example?.pnl).toBe(-735.984);
});
test('A07: with a fee the margin must also cover the close, so the liquidation comes earlier', () => {
  const example = getExampleLong([bar(96_840), bar(97_482.6)], { ...terms, feeRate: 0.0006 });
  // 96840 × (1 − 0.95/50) / (1 − 0.0006) = 95057.0742…
  expect(example?.liquidationPrice).toBe(95_057.08);
});
test('A01: under the rules as specified a liquidation books the result of its close', () => {
  const literal = { ...terms, rules: 'as-specified', leverage: 10 } as const;
  const [open, reached] = [bar(100), bar(100, 99.05)];
  const example = getExampleLong([open, reached], literal);
  // 0.95 of 0.4 × 0.4 × 10: the close multiplies by the leverage.
  expect(example).toMatchObject({ liquidationPrice: 99.05, liquidationLoss: -3.8, isLiquidated: true });
  expect(example?.pnl).toBe(-3.8);
  // RULE-11: of the order's value.
  expect(example?.roe).toBe(-9.5);
});
test('too few candles give no example', () => {
  expect(getExampleLong([bar(1)], terms)).toBeNull();
});
