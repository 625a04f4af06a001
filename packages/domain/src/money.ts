/**
 * Exact decimal arithmetic for money, prices and amounts: a `bigint` in units of 1e-8, which is what `numeric(28,8)`
 * stores. Invariant: only functions whose comment states a rounding round, and each states the direction. The brands
 * prevent adding a price to an amount of money. The sum of two branded values is a plain `bigint`; `asMoney` and its
 * siblings brand it again.
 *
 * Known limitation: a JSON number carries 15 significant digits safely, so on the wire a figure from ten million up
 * may lose its last decimals. The stored figure does not.
 */

declare const unit: unique symbol;

/** USDT in 1e-8; may be negative (a loss). */
export type Money = bigint & { readonly [unit]: 'Money' };
/** Quote units per base unit in 1e-8. */
export type Price = bigint & { readonly [unit]: 'Price' };
/** Base units in 1e-8. */
export type Size = bigint & { readonly [unit]: 'Size' };
/** Per cent in 1e-8: 12.5 % is `12_50000000n`. */
export type Percent = bigint & { readonly [unit]: 'Percent' };

/** A fraction in 1e-8: 0.06 % is `60_000n`. */
export type FeeRate = bigint & { readonly [unit]: 'FeeRate' };

/** One whole unit. */
export const UNIT = 100_000_000n;
/** 100 as a `Percent`. */
export const HUNDRED_PERCENT = 100n * UNIT;
const UNIT_AS_NUMBER = Number(UNIT);
/** USDT figures in texts and on screen (RULE-36). */
export const MONEY_DECIMALS = 2;
const FRACTION_DIGITS = 8;
const INTEGER_DIGITS = 20;
/** The first magnitude that `numeric(28,8)` cannot hold, in 1e-8. */
const MAGNITUDE_LIMIT = 10n ** BigInt(INTEGER_DIGITS + FRACTION_DIGITS);

export const asMoney = (units: bigint): Money => units as Money;
export const asPrice = (units: bigint): Price => units as Price;
export const asSize = (units: bigint): Size => units as Size;
export const asPercent = (units: bigint): Percent => units as Percent;
export const asFeeRate = (units: bigint): FeeRate => units as FeeRate;
export const NO_MONEY = asMoney(0n);
export const NO_FEE = asFeeRate(0n);

type DecimalFault = 'malformed' | 'too_fine' | 'too_large';

/** Why a text or number is not a valid decimal. */
export class DecimalError extends Error {
  readonly fault: DecimalFault;
  constructor(fault: DecimalFault, input: string | number) {
    super(
      `not a decimal of at most ${INTEGER_DIGITS} integer and ${FRACTION_DIGITS} fraction digits: ${fault}`,
    );
    this.name = 'DecimalError';
    this.fault = fault;
    this.cause = input;
  }
}

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;
const SHORTEST = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;
/** No accepted decimal is longer, leading and trailing zeros included. */
const TEXT_LIMIT = 64;

/**
 * Reads a decimal into 1e-8 units. A string must be plain (`-12.5`, no exponent, no blanks, no grouping). A number is
 * read by its shortest form, so `0.1` is exactly 0.1 and `1e-7` is valid. Zeros after the eighth decimal are allowed;
 * any other digit there is refused rather than rounded.
 * @throws DecimalError when the input is malformed, finer than 1e-8 or beyond `numeric(28,8)`.
 */
export function parseDecimal(input: string | number): bigint {
  const text = String(input);
  if (text.length > TEXT_LIMIT) throw new DecimalError('malformed', input);
  const match = (typeof input === 'number' ? SHORTEST : PLAIN).exec(text);
  if (!match) throw new DecimalError('malformed', input);
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;

  const digits = BigInt(whole + fraction);
  const shift = FRACTION_DIGITS - fraction.length + Number(exponent);
  // A larger shift is a number near 1e300 or 1e-300; the power is too expensive to compute.
  if (shift > INTEGER_DIGITS + FRACTION_DIGITS) throw new DecimalError('too_large', input);
  const scale = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && digits % scale !== 0n) throw new DecimalError('too_fine', input);
  const magnitude = shift < 0 ? digits / scale : digits * scale;
  if (magnitude >= MAGNITUDE_LIMIT) throw new DecimalError('too_large', input);
  return sign === '-' ? -magnitude : magnitude;
}

const absolute = (units: bigint): bigint => (units < 0n ? -units : units);

/** The shortest plain decimal: no exponent, no trailing zeros, `-` only before a digit that counts. Exact. */
export function toDecimalString(units: bigint): string {
  const magnitude = absolute(units);
  const fraction = (magnitude % UNIT).toString().padStart(FRACTION_DIGITS, '0').replace(/0+$/, '');
  const whole = `${units < 0n ? '-' : ''}${magnitude / UNIT}`;
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** The JSON number nearest to the exact value (see the limitation above). */
export function toNumber(units: bigint): number {
  const whole = Number(units);
  // Up to 2^53 both are exact as floats, so the quotient is the nearest one (IEEE 754). It is much faster than
  // through a text.
  return Number.isSafeInteger(whole) ? whole / UNIT_AS_NUMBER : Number(toDecimalString(units));
}

/** The same for a figure that is not known: null. */
export const toNumberOrNull = (units: bigint | null | undefined): number | null =>
  units == null ? null : toNumber(units);

/**
 * A figure as the user's texts print it: ungrouped, a dot, exactly `decimals` (0 to 8) digits, half away from zero.
 * The minus is ASCII and never precedes a zero.
 */
export function formatFixed(units: bigint, decimals: number): string {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > FRACTION_DIGITS) {
    throw new RangeError(`decimals must be a whole number from 0 to ${FRACTION_DIGITS}: ${decimals}`);
  }
  const scale = 10n ** BigInt(decimals);
  const rounded = divideRounded(units * scale, UNIT, 'half-away-from-zero');
  const magnitude = absolute(rounded);
  const whole = `${rounded < 0n ? '-' : ''}${magnitude / scale}`;
  return decimals === 0 ? whole : `${whole}.${(magnitude % scale).toString().padStart(decimals, '0')}`;
}

/** `floor` goes towards minus infinity, `ceiling` towards plus infinity. */
export type Rounding = 'half-away-from-zero' | 'floor' | 'ceiling';

/** `numerator / denominator` as a whole number of units. @throws RangeError when the denominator is not positive. */
export function divideRounded(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  if (denominator <= 0n) throw new RangeError('the denominator must be positive');
  const quotient = numerator / denominator;
  const remainder = numerator % denominator;
  if (remainder === 0n) return quotient;
  const away = numerator < 0n ? -1n : 1n;
  switch (rounding) {
    case 'half-away-from-zero':
      return 2n * absolute(remainder) >= denominator ? quotient + away : quotient;
    case 'floor':
      return numerator < 0n ? quotient - 1n : quotient;
    case 'ceiling':
      return numerator < 0n ? quotient : quotient + 1n;
  }
}

/** `left × right / divisor` with one rounding at the end. The caller chooses the units: nothing is rescaled. */
export function multiplyDivide(left: bigint, right: bigint, divisor: bigint, rounding: Rounding): bigint {
  return divideRounded(left * right, divisor, rounding);
}

/** Price × size in USDT, rounded to 1e-8 half away from zero (A16). The price may be a difference of two. */
export function multiply(price: Price, size: Size): Money {
  return asMoney(multiplyDivide(price, size, UNIT, 'half-away-from-zero'));
}
