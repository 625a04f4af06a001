/**
 * The steps that a calculator's figures are shown in and arrow keys use. They are the pair's where the figures are
 * the pair's, else derived from the entered figures, so a calculation needs no pair.
 */
import {
  asPrice,
  asSize,
  decimalsOf,
  isOnStep,
  isOrderPrice,
  type PairLimits,
  type Price,
  type Size,
  toNumber,
  UNIT,
} from '@fulcrum/domain';

/** The formatting steps of figures. */
export interface DisplaySteps {
  readonly tickSize: number;
  readonly stepSize: number;
  /** Null while the figures belong to no pair. */
  readonly baseAsset: string | null;
}

const toStep = (decimals: number): bigint => UNIT / 10n ** BigInt(decimals);

/** The usual decimals of a market at such a price, and at least those entered. */
function usualDecimals(price: Price): number {
  const usual = price >= 10n * UNIT ? 2 : price >= UNIT / 10n ? 5 : 8;
  return Math.max(usual, decimalsOf(price));
}

/** The tick for calculations: the pair's if the price fits its grid. */
export function getTick(limits: PairLimits | null, price: Price | null): Price {
  if (price === null) return limits?.tickSize ?? asPrice(toStep(2));
  if (limits !== null && isOrderPrice(price, limits)) return limits.tickSize;
  return asPrice(toStep(usualDecimals(price)));
}

const fewDecimals = 4;
/** The step that shows a size of no pair: exactly, where that is short. */
export function getStep(size: Size | null): Size {
  if (size === null) return asSize(UNIT);
  const decimals = decimalsOf(size);
  if (decimals <= fewDecimals) return asSize(toStep(decimals));
  return asSize(toStep(size >= UNIT ? fewDecimals : 8));
}

interface DisplayPair {
  readonly limits: PairLimits;
  readonly tickSize: number;
  readonly stepSize: number;
  readonly baseAsset: string;
}

/** `filledFrom` is the pair of the figures; `nearby` the selected one, whose tick may fit. */
export function getDisplaySteps(
  filledFrom: DisplayPair | null,
  nearby: DisplayPair | null,
  price: Price | null,
  size: Size | null,
): DisplaySteps {
  const limits = (filledFrom ?? nearby)?.limits ?? null;
  const tickSize = toNumber(getTick(limits, price));
  // A size off the pair's step is shown as it is: rounded to the step it could read as zero.
  const isOfPair = filledFrom !== null && (size === null || isOnStep(size, filledFrom.limits.stepSize));
  return {
    tickSize,
    stepSize: isOfPair ? filledFrom.stepSize : toNumber(getStep(size)),
    baseAsset: filledFrom?.baseAsset ?? null,
  };
}

/** The step of an arrow key: the pair's, else the last entered decimal. */
export const getArrowKeyStep = (ofPair: bigint | null, typed: bigint | null): bigint =>
  ofPair ?? (typed === null ? UNIT : toStep(decimalsOf(typed)));
