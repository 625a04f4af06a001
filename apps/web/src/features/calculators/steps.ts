/**
 * In which steps a calculator's figures are shown and walked. Those of the pair where the figures are the pair's, else what
 * the typed figures themselves suggest: nobody has to choose a market to divide two numbers.
 */
import {
  asPrice,
  asSize,
  decimalsOf,
  isOnStep,
  type PairLimits,
  type Price,
  type Size,
  toNumber,
  UNIT,
} from '@fulcrum/domain';

/** As figures are formatted in. */
export interface ShownSteps {
  readonly tickSize: number;
  readonly stepSize: number;
  /** Null while the figures are of no pair. */
  readonly baseAsset: string | null;
}

const stepOf = (decimals: number): bigint => UNIT / 10n ** BigInt(decimals);

const couldBePriceOf = (limits: PairLimits, price: Price): boolean =>
  price >= limits.minPrice && price <= limits.maxPrice && isOnStep(price, limits.tickSize);

/** What a market of such a price is usually quoted in, and never coarser than what was typed. */
function usualDecimals(price: Price): number {
  const usual = price >= 10n * UNIT ? 2 : price >= UNIT / 10n ? 5 : 8;
  return Math.max(usual, decimalsOf(price));
}

/** The tick that a price is reckoned on: the pair's when the price could be one of it. */
export function tickFor(limits: PairLimits | null, price: Price | null): Price {
  if (price === null) return limits?.tickSize ?? asPrice(stepOf(2));
  if (limits !== null && couldBePriceOf(limits, price)) return limits.tickSize;
  return asPrice(stepOf(usualDecimals(price)));
}

const fewDecimals = 4;
/** The step that shows a size of no pair: exactly where that is short. */
export function stepFor(size: Size | null): Size {
  if (size === null) return asSize(UNIT);
  const decimals = decimalsOf(size);
  if (decimals <= fewDecimals) return asSize(stepOf(decimals));
  return asSize(stepOf(size >= UNIT ? fewDecimals : 8));
}

interface ShownPair {
  readonly limits: PairLimits;
  readonly tickSize: number;
  readonly stepSize: number;
  readonly baseAsset: string;
}

/** `filledFrom` is the pair of the figures; `nearby` the selected one, whose tick may fit. */
export function shownSteps(
  filledFrom: ShownPair | null,
  nearby: ShownPair | null,
  price: Price | null,
  size: Size | null,
): ShownSteps {
  const limits = (filledFrom ?? nearby)?.limits ?? null;
  const tickSize = toNumber(tickFor(limits, price));
  // A size off the pair's step is shown as it is: rounded to the step it could read as zero.
  const isOfPair = filledFrom !== null && (size === null || isOnStep(size, filledFrom.limits.stepSize));
  return {
    tickSize,
    stepSize: isOfPair ? filledFrom.stepSize : toNumber(stepFor(size)),
    baseAsset: filledFrom?.baseAsset ?? null,
  };
}

/** What an arrow key walks in: the pair's step, else the last decimal that was typed. */
export const walkedStep = (ofPair: bigint | null, typed: bigint | null): bigint =>
  ofPair ?? (typed === null ? UNIT : stepOf(decimalsOf(typed)));
