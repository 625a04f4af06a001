import { asPrice, asSize, parseDecimal } from '@fulcrum/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ladderOf, mostSteps, placedText } from './ladder.ts';

const price = (text: string) => asPrice(parseDecimal(text));
const size = (text: string) => asSize(parseDecimal(text));
const limits = { tickSize: price('0.01'), stepSize: size('0.001') };

test('A113: a ladder has equal parts at equal distances, and the last part takes the rest', () => {
  const steps = ladderOf(size('0.01'), { from: price('110'), to: price('120') }, 3, limits);
  expect(steps).toEqual([
    { price: price('110'), size: size('0.003') },
    { price: price('115'), size: size('0.003') },
    { price: price('120'), size: size('0.004') },
  ]);
  expect(ladderOf(size('0.002'), { from: price('110'), to: price('120') }, 3, limits)).toBeNull();
});

test('A113: the message names which orders of a ladder wait, and which filled at once', () => {
  expect(placedText(['NEW'])).toBe('The limit order waits');
  expect(placedText(['FILLED'])).toBe('The limit order filled at once');
  expect(placedText(['NEW', 'NEW'])).toBe('2 limit orders wait');
  expect(placedText(['FILLED', 'FILLED'])).toBe('2 limit orders filled at once');
  expect(placedText(['FILLED', 'NEW', 'NEW'])).toBe('1 limit order filled at once, 2 wait');
});

test('property: the parts add up, each is a whole number of steps at a whole number of ticks between the two prices', () => {
  const figure = (max: number) => fc.integer({ min: 1, max });
  fc.assert(
    fc.property(figure(100_000), figure(100_000), figure(100_000), figure(mostSteps), (n, a, b, count) => {
      const [whole, from, to] = [
        asSize(BigInt(n) * limits.stepSize),
        asPrice(BigInt(a) * limits.tickSize),
        asPrice(BigInt(b) * limits.tickSize),
      ];
      const steps = ladderOf(whole, { from, to }, count, limits);
      if (steps === null) {
        expect(n).toBeLessThan(count);
        return;
      }
      expect(steps.reduce((sum, step) => sum + step.size, 0n)).toBe(whole);
      for (const step of steps) {
        expect([step.size % limits.stepSize, step.price % limits.tickSize]).toEqual([0n, 0n]);
        expect(step.size > 0n).toBe(true);
        expect(step.price >= (from < to ? from : to) && step.price <= (from > to ? from : to)).toBe(true);
      }
    }),
  );
});
