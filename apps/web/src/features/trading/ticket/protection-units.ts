/**
 * The units in which take profit and stop loss are typed: a price, or a distance from the entry. The form always sends
 * prices. A distance is converted for each side, so that one entry protects a long and a short; a price suits one side.
 */
import {
  convertDistance,
  type DistanceTerms,
  distanceOfPrice,
  distanceUnits,
  formatFixed,
  type PairLimits,
  type Price,
  type Protection,
  priceAtDistance,
  priceDecimals,
  type Side,
  toDecimalString,
  UNIT,
} from '@fulcrum/domain';
import { parseAmount } from '../../../shared/decimals/amount.ts';
import { formatUnreadablePrice, type ParsedPrice, parsePrice } from '../../../shared/decimals/price.ts';
import type { OrderTerms } from './summary.ts';

export const protectionUnits = ['price', ...distanceUnits] as const;
export type ProtectionUnit = (typeof protectionUnits)[number];

export const protectionUnitNames = {
  price: 'Price',
  percent: '% of price',
  roe: '% ROE',
  usdt: 'USDT',
} as const satisfies Record<ProtectionUnit, string>;

export type ProtectionField = 'takeProfit' | 'stopLoss';
const protectionKeys = {
  takeProfit: 'takeProfitPrice',
  stopLoss: 'stopLossPrice',
} as const satisfies Record<ProtectionField, keyof Protection>;

/** Take profit and stop loss as prices; both empty when there are none. */
export type TypedProtection = Readonly<Record<ProtectionField, ParsedPrice>>;
export type SidedProtection = Readonly<Record<Side, TypedProtection>>;

export const noProtection: TypedProtection = { takeProfit: { kind: 'empty' }, stopLoss: { kind: 'empty' } };
export const forBothSides = (protection: TypedProtection): SidedProtection => ({
  BUY: protection,
  SELL: protection,
});

/** What a field's text means, beside the text. */
export interface UnitTerms {
  readonly unit: ProtectionUnit;
  /** Null while the entry is not known: then a distance has no price. */
  readonly terms: DistanceTerms | null;
  readonly limits: PairLimits;
}

const minusPattern = /^\s*[-\u2212]\s*/;
type ParsedDistance =
  | { readonly kind: 'distance'; readonly distance: bigint }
  | Exclude<ParsedPrice, { readonly kind: 'price' }>;

/** A distance below zero lies at the other side of the entry, such as a stop loss in profit. */
function parseDistance(text: string): ParsedDistance {
  const isNegative = minusPattern.test(text);
  const typed = parseAmount(isNegative ? text.replace(minusPattern, '') : text);
  if (typed.kind !== 'amount') return isNegative && typed.kind === 'empty' ? malformed : typed;
  return { kind: 'distance', distance: isNegative ? -typed.size : typed.size };
}
const malformed = { kind: 'unreadable', reason: 'malformed' } as const;

/** The price that a text means for the side of `terms`. */
export function parseProtection(
  field: ProtectionField,
  text: string,
  { unit, terms, limits }: UnitTerms,
): ParsedPrice {
  if (unit === 'price') return parsePrice(text);
  const typed = parseDistance(text);
  if (typed.kind !== 'distance') return typed;
  const price = terms && priceAtDistance(protectionKeys[field], unit, typed.distance, terms, limits);
  return price === null ? { kind: 'empty' } : { kind: 'price', price };
}

/** What the distances of an order are measured from; null without a price. */
export const distanceTerms = (
  side: Side,
  { price, size, leverage, rules }: OrderTerms,
): DistanceTerms | null => price && { side, entryPrice: price, size, leverage, rules };

/** The form's texts as prices of each side. */
export function sideProtection(
  texts: Readonly<Record<ProtectionField, string>> & { readonly protectionUnit: ProtectionUnit },
  terms: OrderTerms,
): SidedProtection {
  const ofSide = (side: Side): TypedProtection => {
    const unitTerms = {
      unit: texts.protectionUnit,
      terms: distanceTerms(side, terms),
      limits: terms.limits,
    };
    return {
      takeProfit: parseProtection('takeProfit', texts.takeProfit, unitTerms),
      stopLoss: parseProtection('stopLoss', texts.stopLoss, unitTerms),
    };
  };
  return { BUY: ofSide('BUY'), SELL: ofSide('SELL') };
}

/** The prices of an order that no longer follows the market. */
export const fixedProtection = (order: {
  readonly takeProfitPrice: string | null;
  readonly stopLossPrice: string | null;
}): SidedProtection =>
  forBothSides({
    takeProfit: parsePrice(order.takeProfitPrice ?? ''),
    stopLoss: parsePrice(order.stopLossPrice ?? ''),
  });

/**
 * The text of the same end in `unit`. Empty and unreadable texts stay, so that the rule can report them. Null when it cannot
 * be converted: without a price, or to or from USDT without an amount.
 */
export function convertProtection(
  field: ProtectionField,
  text: string,
  { unit: from, terms, limits }: UnitTerms,
  unit: ProtectionUnit,
): string | null {
  if (from === unit || text.trim() === '') return text;
  if (from === 'price') {
    const typed = parsePrice(text);
    if (typed.kind !== 'price') return text;
    return formatProtection(field, typed.price, { unit, terms, limits }) || null;
  }
  const typed = parseDistance(text);
  if (typed.kind !== 'distance') return text;
  if (unit === 'price') {
    const price = terms && priceAtDistance(protectionKeys[field], from, typed.distance, terms, limits);
    return price && formatFixed(price, priceDecimals(limits));
  }
  const converted = terms && convertDistance(typed.distance, from, unit, terms);
  return converted === null ? null : toDecimalString(converted);
}

/** The text of a price in `unit`; empty when it cannot be converted. */
export function formatProtection(
  field: ProtectionField,
  price: Price,
  { unit, terms, limits }: UnitTerms,
): string {
  if (unit === 'price') return formatFixed(price, priceDecimals(limits));
  const distance = terms && distanceOfPrice(protectionKeys[field], unit, price, terms);
  return distance === null ? '' : toDecimalString(distance);
}

const examples = { price: '95600', percent: '2.5', roe: '50', usdt: '100' } as const;

/** The error text of a text that is no number; `name` starts the sentence. */
export const formatUnreadable = (
  name: string,
  typed: Extract<ParsedPrice, { kind: 'unreadable' }>,
  unit: ProtectionUnit,
): string => formatUnreadablePrice(name, typed, examples[unit]);

/** What an arrow key adds to a distance: the tenth of a per cent, whole ROE and whole USDT. */
const distanceSteps = { percent: UNIT / 10n, roe: UNIT, usdt: UNIT } as const;

/** Beyond every distance that has a price. */
const distanceMax = 1_000_000n * UNIT;

/** Bounds and step of the field, for arrow keys and screen readers. */
export const protectionGrid = (unit: ProtectionUnit, { minPrice, maxPrice, tickSize }: PairLimits) =>
  unit === 'price'
    ? { min: minPrice, max: maxPrice, step: tickSize }
    : { min: -distanceMax, max: distanceMax, step: distanceSteps[unit] };

/** The text after an arrow key; an empty field starts at the first step, and a distance does not pass zero. */
export function stepDistance(text: string, unit: Exclude<ProtectionUnit, 'price'>, steps: bigint): string {
  const typed = parseDistance(text);
  const step = distanceSteps[unit];
  const from = typed.kind === 'distance' ? typed.distance : 0n;
  const next = from + steps * step;
  return toDecimalString(next > 0n ? next : step);
}
