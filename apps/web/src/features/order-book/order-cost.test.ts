import { asFeeRate, asMoney, asPrice, asSize, type NetTerms, parseDecimal } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { costOfOrder, positionAfter, tradableSize } from './order-cost.ts';

const price = (text: string) => asPrice(parseDecimal(text));
const size = (text: string) => asSize(parseDecimal(text));
const money = (text: string) => asMoney(parseDecimal(text));
const book = {
  mid: price('100'),
  bids: [
    { price: price('99'), size: size('1') },
    { price: price('98'), size: size('2') },
  ],
  asks: [
    { price: price('101'), size: size('1') },
    { price: price('103'), size: size('2') },
  ],
};
const takerFee = asFeeRate(parseDecimal('0.001'));

describe('A114: what an order costs on the shown book', () => {
  test('spread, depth and fee are its value beside that of the middle', () => {
    expect(costOfOrder(book, 'BUY', size('2'), { limit: null, takerFee })).toEqual({
      filled: size('2'),
      value: money('204'),
      price: price('102'),
      spread: money('2'),
      impact: money('2'),
      fee: money('0.204'),
      total: money('4.204'),
    });
    expect(costOfOrder(book, 'SELL', size('2'), { limit: null, takerFee })).toMatchObject({
      price: price('98.5'),
      spread: money('2'),
      impact: money('1'),
    });
  });

  test('a limit takes what is within it, and nothing is no cost', () => {
    expect(costOfOrder(book, 'BUY', size('9'), { limit: price('101'), takerFee })).toMatchObject({
      filled: size('1'),
      impact: 0n,
    });
    expect(costOfOrder(book, 'BUY', size('9'), { limit: price('100'), takerFee })).toBeNull();
    expect(costOfOrder({ ...book, bids: [] }, 'SELL', size('1'), { limit: null, takerFee })).toBeNull();
  });
});

describe('A113: what becomes of the position', () => {
  const terms = { leverage: 20, market: 'crypto', tickSize: price('0.01') } as const;
  const long: NetTerms = { side: 'BUY', size: size('1'), entryValue: money('100'), margin: money('5') };

  test('the same side adds, with margin for what it adds', () => {
    const { margin, liquidation } = positionAfter(
      null,
      'BUY',
      { filled: size('1'), value: money('100') },
      terms,
    );
    expect(margin).toBe(money('5'));
    // (100 − 5) ÷ (1 − 0.004), up to the tick.
    expect(liquidation).toBe(price('95.39'));
    const more = positionAfter(long, 'BUY', { filled: size('1'), value: money('100') }, terms);
    expect(more).toEqual({ margin: money('5'), liquidation: price('95.39') });
  });

  test('an order that only reduces trades at most the position of the other side', () => {
    expect(tradableSize(size('3'), 'SELL', true, long)).toBe(size('1'));
    expect(tradableSize(size('0.4'), 'SELL', true, long)).toBe(size('0.4'));
    expect(tradableSize(size('3'), 'BUY', true, long)).toBe(0n);
    expect(tradableSize(size('3'), 'BUY', true, null)).toBe(0n);
    expect(tradableSize(size('3'), 'SELL', false, long)).toBe(size('3'));
  });

  test('the other side reduces for nothing, closes, or opens on its own side', () => {
    const half = positionAfter(long, 'SELL', { filled: size('0.5'), value: money('50') }, terms);
    expect(half).toEqual({ margin: 0n, liquidation: price('95.39') });
    const all = positionAfter(long, 'SELL', { filled: size('1'), value: money('100') }, terms);
    expect(all).toEqual({ margin: 0n, liquidation: null });
    const flipped = positionAfter(long, 'SELL', { filled: size('3'), value: money('300') }, terms);
    expect(flipped.margin).toBe(money('10'));
    expect(flipped.liquidation).toBeGreaterThan(price('100'));
  });
});
