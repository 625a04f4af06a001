/**
 * The cost of opening a position. Invariant: margin is rounded once, from the exact quotient, so the same trade costs
 * the same in every component.
 */
import { asMoney, divideRounded, type Money, multiply, type Price, type Size, UNIT } from './money.ts';

export const MIN_LEVERAGE = 1;
export const MAX_LEVERAGE = 125;
export const DEFAULT_LEVERAGE = 1;

/** Whether a leverage is a whole number within the bounds (RULE-04, A22). */
export const isLeverage = (leverage: number): boolean =>
  Number.isInteger(leverage) && leverage >= MIN_LEVERAGE && leverage <= MAX_LEVERAGE;

/** Amount × price in USDT (A17), rounded to 1e-8 half away from zero. */
export const orderValue = (price: Price, size: Size): Money => multiply(price, size);

/**
 * Amount × price / leverage in USDT (RULE-01, RULE-09), rounded to 1e-8 half away from zero (A16). Zero means that the
 * amount is too small to trade (A101).
 * @throws RangeError when it is not a leverage.
 */
export function requiredMargin(price: Price, size: Size, leverage: number): Money {
  if (!isLeverage(leverage)) {
    throw new RangeError(
      `leverage must be a whole number from ${MIN_LEVERAGE} to ${MAX_LEVERAGE}: ${leverage}`,
    );
  }
  return asMoney(divideRounded(price * size, UNIT * BigInt(leverage), 'half-away-from-zero'));
}

/** The least value in USDT whose margin at this leverage is not rounded to zero: below it an amount is too small to trade (A101). */
export const leastValueAt = (leverage: number): Money => asMoney((BigInt(leverage) + 1n) / 2n);

/** RULE-02, RULE-03: equal is enough. Compares exact figures, never shown ones (A16). */
export const coversMargin = (available: Money, required: Money): boolean => required <= available;
