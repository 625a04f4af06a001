/**
 * The units of an amount: the base asset, USDT of order value, per cent of the available balance, margin and fee
 * together, or the per cent of it that the stop loss costs at most, before fees. The conversion is done only here, and the form always sends an amount of the base. Invariant: a converted
 * amount is rounded down to the pair's step, so it never costs more than entered.
 *
 * Known limitation: a converted figure in the field has two decimals. The reducer stores the entered figure, so that
 * switching units back and forth loses nothing.
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
  riskOfSize,
  type Size,
  sizeAtRisk,
  sizeDecimals,
  UNIT,
} from '@fulcrum/domain';
import { type ParsedAmount, parseAmount, stepAmount } from '../../../shared/decimals/amount.ts';
import type { AmountUnit } from '../../../shared/preferences/index.ts';

/** The terms of a conversion. */
export interface ConversionTerms {
  readonly limits: PairLimits;
  /** Null while there is no price: then only an amount of the base is known. */
  readonly price: Price | null;
  /** Null while it is not known. */
  readonly available: Money | null;
  readonly leverage: number;
  /** The opening fee, charged on top of the margin (A07). */
  readonly feeRate: FeeRate;
  /** What a unit of size loses at the stop loss; null without one. Of two sides the larger. */
  readonly stopLoss: Price | null;
}

const wholePercent = 100n;
/** The whole balance, as a share. */
export const WHOLE: Percent = asPercent(wholePercent * UNIT);
/**
 * The whole balance is sized at a price this much higher: at the exact price the next tick would make it too large.
 */
const wholeReservePerMille = 1n;

interface Affordable extends Omit<ConversionTerms, 'stopLoss'> {
  readonly price: Price;
  readonly available: Money;
  /** Per cent of the available balance. */
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
 * The largest amount that a share of the available balance covers, rounded down to the step and at most the pair's
 * maximum. It may be below the minimum. A reserve of 0.1 % applies near the whole balance.
 */
export function getAffordableAmount(terms: Affordable): Size {
  const { available, price, share, limits } = terms;
  if (price <= 0n || available <= 0n || share <= 0n) return asSize(0n);
  const requested = affordableAt(terms, 0n);
  const most = share > WHOLE ? requested : affordableAt({ ...terms, share: WHOLE }, wholeReservePerMille);
  const size = requested < most ? requested : most;
  return size > limits.maxQty ? limits.maxQty : asSize(size);
}

/** The base amount for a USDT order value, rounded down to the step. */
const sizeOfValue = (value: bigint, price: Price, stepSize: Size): Size =>
  asSize(divideRounded(value * UNIT, price * stepSize, 'floor') * stepSize);

export interface EnteredSize {
  /** The figure in the field, in the field's unit. */
  readonly typed: ParsedAmount;
  /** In the base asset; null without an amount, or without a price to convert it at. */
  readonly size: Size | null;
}

/** Parses the field and converts its amount. */
export function parseSize(text: string, unit: AmountUnit, terms: ConversionTerms): EnteredSize {
  const typed = parseAmount(text);
  if (typed.kind !== 'amount') return { typed, size: null };
  const { price, available, limits } = terms;
  if (unit === 'base') return { typed, size: typed.size };
  if (price === null || price <= 0n) return { typed, size: null };
  if (unit === 'quote') return { typed, size: sizeOfValue(typed.size, price, limits.stepSize) };
  if (available === null) return { typed, size: null };
  const share = asPercent(typed.size);
  if (unit === 'risk') {
    const { stopLoss: loss } = terms;
    return { typed, size: loss === null ? null : sizeAtRisk({ available, risk: share, loss }, limits) };
  }
  return { typed, size: getAffordableAmount({ ...terms, price, available, share }) };
}

const toScale = (decimals: number): bigint => UNIT / 10n ** BigInt(decimals);

/** Rounded up to the cent if that is still the same amount, else down. */
function valueText(size: Size, price: Price, { stepSize }: PairLimits): string {
  const cent = toScale(MONEY_DECIMALS);
  // Computed from the exact product: a product rounded up to 1e-8 first could represent a larger amount.
  const inCents = (rounding: 'ceiling' | 'floor') =>
    divideRounded(price * size, UNIT * cent, rounding) * cent;
  const above = inCents('ceiling');
  const cents = sizeOfValue(above, price, stepSize) === size ? above : inCents('floor');
  return formatFixed(cents, MONEY_DECIMALS);
}

const percentDecimals = 2;
function shareText(size: Size, { price, available, leverage, feeRate }: Affordable): string {
  const cost = openingCost(price, size, leverage, feeRate).total;
  const step = toScale(percentDecimals);
  const share = divideRounded(cost * WHOLE, available * step, 'floor') * step;
  return formatFixed(share, decimalsOf(share));
}

/** Formats a base amount in `unit` for the field; empty when it cannot be converted. */
export function formatSizeInUnit(size: Size, unit: AmountUnit, terms: ConversionTerms): string {
  const { price, available, limits } = terms;
  if (unit === 'base') return formatFixed(size, sizeDecimals(limits));
  if (price === null || price <= 0n) return '';
  if (unit === 'quote') return valueText(size, price, limits);
  if (available === null || available <= 0n) return '';
  if (unit === 'risk') {
    const risk = terms.stopLoss === null ? null : riskOfSize(size, terms.stopLoss, available);
    return risk === null ? '' : formatFixed(risk, decimalsOf(risk));
  }
  return shareText(size, { ...terms, price, available, share: WHOLE });
}

/**
 * The field's text after a change of unit: the same amount. Unreadable text stays, so that the rule can report it. An
 * amount that cannot be converted is cleared.
 */
export function convertAmountText(
  entered: { readonly text: string; readonly unit: AmountUnit },
  unit: AmountUnit,
  terms: ConversionTerms,
): string {
  if (entered.unit === unit) return entered.text;
  const { typed, size } = parseSize(entered.text, entered.unit, terms);
  if (typed.kind !== 'amount') return entered.text;
  if (size === null) return '';
  const { stepSize } = terms.limits;
  return formatSizeInUnit(asSize(divideRounded(size, stepSize, 'floor') * stepSize), unit, terms);
}

/** Bounds and step of the entered value, for arrow keys and screen readers. */
export interface AmountGrid {
  readonly min: bigint;
  readonly max: bigint;
  readonly step: bigint;
}

const wholeUnits = (units: bigint, rounding: 'floor' | 'ceiling'): bigint =>
  divideRounded(units, UNIT, rounding) * UNIT;

/** The tenth of a per cent, as in the risk calculator (CALC-06). */
const riskStep = UNIT / 10n;

/** For the base asset the pair's own (TRADE-42); else whole USDT, whole per cent and tenths of a per cent at risk. */
export function getAmountGrid(
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
    case 'risk':
      return { min: riskStep, max: WHOLE, step: riskStep };
  }
}

/** The field's text after an arrow key; an empty field starts at the minimum. */
export function stepAmountText(
  typed: ParsedAmount,
  unit: AmountUnit,
  steps: bigint,
  terms: Pick<ConversionTerms, 'limits' | 'price'>,
): string {
  const { min, max, step } = getAmountGrid(unit, terms);
  const bounds = { minQty: asSize(min), maxQty: asSize(max), stepSize: asSize(step) };
  const next = typed.kind === 'amount' ? stepAmount(typed.size, steps, bounds) : bounds.minQty;
  if (unit === 'risk') return formatFixed(next, 1);
  return formatFixed(next, unit === 'base' ? sizeDecimals(terms.limits) : 0);
}

/** The text that a share button enters. Below the minimum amount, the form shows the cost of that minimum. */
export function formatShareInUnit(share: Percent, unit: AmountUnit, terms: ConversionTerms): string | null {
  // The same text as on the button.
  if (unit === 'percent' || unit === 'risk') return formatFixed(share, decimalsOf(share));
  const { price, available, limits } = terms;
  if (price === null || available === null) return null;
  const size = getAffordableAmount({ ...terms, price, available, share });
  return formatSizeInUnit(size < limits.minQty ? limits.minQty : size, unit, terms);
}
