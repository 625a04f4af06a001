/**
 * What an amount may be typed in: the base asset, USDT of order value, or per cent of the available balance, margin and
 * fee together. It is converted once, here, and what is sent is always an amount of the base. Invariant: a converted
 * amount is rounded down to the pair's step, so that it never needs more than was asked for.
 *
 * Known limitation: a figure converted for the field has two decimals; what was typed itself is kept by the reducer, so
 * that switching back and forth does not wear it down.
 */
import {
  asPercent,
  asSize,
  decimalsOf,
  divideRounded,
  type FeeRate,
  formatFixed,
  MONEY_DECIMALS,
  type Money,
  openingCost,
  orderValue,
  type PairLimits,
  type Percent,
  type Price,
  type Size,
  sizeDecimals,
  UNIT,
} from '@fulcrum/domain';
import { readAmount, stepAmount, type TypedAmount } from '../../../shared/decimals/amount.ts';
import type { AmountUnit } from '../../../shared/preferences/index.ts';

/** What an amount is converted at. */
export interface ConversionTerms {
  readonly limits: PairLimits;
  /** Null while there is none: then only an amount of the base is known. */
  readonly price: Price | null;
  /** Null while it is not known. */
  readonly available: Money | null;
  readonly leverage: number;
  /** The opening fee comes on top of the margin (A07). */
  readonly feeRate: FeeRate;
}

const wholePercent = 100n;
/** All of it, as a share. */
export const WHOLE: Percent = asPercent(wholePercent * UNIT);
/** The whole balance is sized at a price this much higher: at the exact one the next tick would make it too much. */
const wholeReservePerMille = 1n;

interface Affordable extends ConversionTerms {
  readonly price: Price;
  readonly available: Money;
  /** Per cent of what is available. */
  readonly share: Percent;
}

function affordableAt(
  { available, price, leverage, share, feeRate, limits }: Affordable,
  reservePerMille: bigint,
): bigint {
  // Per unit of size: price / leverage of margin and price × rate of fee, brought over the leverage.
  const buyingPower = available * BigInt(leverage) * share * UNIT * 1000n;
  const unitCost = UNIT + BigInt(leverage) * feeRate;
  const cost = wholePercent * price * (1000n + reservePerMille) * unitCost * limits.stepSize;
  return divideRounded(buyingPower, cost, 'floor') * limits.stepSize;
}

/**
 * The largest amount that a share of the available balance covers, down to the step and at most the pair's largest; it may
 * be below the smallest. Up to the whole balance a reserve of 0.1 % stays.
 */
export function affordableAmount(terms: Affordable): Size {
  const { available, price, share, limits } = terms;
  if (price <= 0n || available <= 0n || share <= 0n) return asSize(0n);
  const asked = affordableAt(terms, 0n);
  const most = share > WHOLE ? asked : affordableAt({ ...terms, share: WHOLE }, wholeReservePerMille);
  const size = asked < most ? asked : most;
  return size > limits.maxQty ? limits.maxQty : asSize(size);
}

/** The base amount that USDT of order value buy, down to the step. */
const sizeOfValue = (value: bigint, price: Price, stepSize: Size): Size =>
  asSize(divideRounded(value * UNIT, price * stepSize, 'floor') * stepSize);

export interface EnteredSize {
  /** The figure as it stands in the field, in the field's unit. */
  readonly typed: TypedAmount;
  /** In the base asset; null while there is none, or nothing to convert it at. */
  readonly size: Size | null;
}

/** Reads what stands in the field and converts it. */
export function readSize(text: string, unit: AmountUnit, terms: ConversionTerms): EnteredSize {
  const typed = readAmount(text);
  if (typed.kind !== 'amount') return { typed, size: null };
  const { price, available, limits } = terms;
  if (unit === 'base') return { typed, size: typed.size };
  if (price === null || price <= 0n) return { typed, size: null };
  if (unit === 'quote') return { typed, size: sizeOfValue(typed.size, price, limits.stepSize) };
  if (available === null) return { typed, size: null };
  const share = asPercent(typed.size);
  return { typed, size: affordableAmount({ ...terms, price, available, share }) };
}

const scaleOf = (decimals: number): bigint => UNIT / 10n ** BigInt(decimals);

/** To the cent above where that is still the same amount, else to the cent below. */
function valueText(size: Size, price: Price, { stepSize }: PairLimits): string {
  const cent = scaleOf(MONEY_DECIMALS);
  // From the exact product: one that was rounded up to 1e-8 first could stand for a larger amount.
  const inCents = (rounding: 'ceiling' | 'floor') =>
    divideRounded(price * size, UNIT * cent, rounding) * cent;
  const above = inCents('ceiling');
  const kept = sizeOfValue(above, price, stepSize) === size ? above : inCents('floor');
  return formatFixed(kept, MONEY_DECIMALS);
}

const percentDecimals = 2;
function shareText(size: Size, { price, available, leverage, feeRate }: Affordable): string {
  const cost = openingCost(price, size, leverage, feeRate).total;
  const step = scaleOf(percentDecimals);
  const share = divideRounded(cost * WHOLE, available * step, 'floor') * step;
  return formatFixed(share, decimalsOf(share));
}

/** A base amount as the field would show it in `unit`; empty when it cannot be told. */
export function textOfSize(size: Size, unit: AmountUnit, terms: ConversionTerms): string {
  const { price, available, limits } = terms;
  if (unit === 'base') return formatFixed(size, sizeDecimals(limits));
  if (price === null || price <= 0n) return '';
  if (unit === 'quote') return valueText(size, price, limits);
  if (available === null || available <= 0n) return '';
  return shareText(size, { ...terms, price, available, share: WHOLE });
}

/**
 * What stands in the field once its unit is another one: the same amount. What cannot be read stays as it is, for the rule
 * that says so; what cannot be converted goes.
 */
export function textInUnit(
  entered: { readonly text: string; readonly unit: AmountUnit },
  unit: AmountUnit,
  terms: ConversionTerms,
): string {
  if (entered.unit === unit) return entered.text;
  const { typed, size } = readSize(entered.text, entered.unit, terms);
  if (typed.kind !== 'amount') return entered.text;
  if (size === null) return '';
  const { stepSize } = terms.limits;
  return textOfSize(asSize(divideRounded(size, stepSize, 'floor') * stepSize), unit, terms);
}

/** Bounds and step of what is typed, for arrow keys and for those who hear the field. */
export interface AmountGrid {
  readonly min: bigint;
  readonly max: bigint;
  readonly step: bigint;
}

const wholeUnits = (units: bigint, rounding: 'floor' | 'ceiling'): bigint =>
  divideRounded(units, UNIT, rounding) * UNIT;

/** In the base the pair's own (TRADE-42); elsewhere whole USDT and whole per cent. */
export function gridOf(
  unit: AmountUnit,
  { limits, price }: Pick<ConversionTerms, 'limits' | 'price'>,
): AmountGrid {
  const { minQty, maxQty, stepSize, minPrice, maxPrice } = limits;
  switch (unit) {
    case 'base':
      return { min: minQty, max: maxQty, step: stepSize };
    case 'quote':
      return {
        min: wholeUnits(orderValue(price ?? minPrice, minQty), 'ceiling'),
        max: wholeUnits(orderValue(price ?? maxPrice, maxQty), 'floor'),
        step: UNIT,
      };
    case 'percent':
      return { min: UNIT, max: WHOLE, step: UNIT };
  }
}

/** What an arrow key makes of the field; an empty one starts at the least. */
export function steppedText(
  typed: TypedAmount,
  unit: AmountUnit,
  steps: bigint,
  terms: Pick<ConversionTerms, 'limits' | 'price'>,
): string {
  const { min, max, step } = gridOf(unit, terms);
  const bounds = { minQty: asSize(min), maxQty: asSize(max), stepSize: asSize(step) };
  const next = typed.kind === 'amount' ? stepAmount(typed.size, steps, bounds) : bounds.minQty;
  return formatFixed(next, unit === 'base' ? sizeDecimals(terms.limits) : 0);
}

/** What a share button puts into the field; below the smallest amount the form says what even that would cost. */
export function textOfShare(share: Percent, unit: AmountUnit, terms: ConversionTerms): string | null {
  // As it stands on the button.
  if (unit === 'percent') return formatFixed(share, 0);
  const { price, available, limits } = terms;
  if (price === null || available === null) return null;
  const size = affordableAmount({ ...terms, price, available, share });
  return textOfSize(size < limits.minQty ? limits.minQty : size, unit, terms);
}
