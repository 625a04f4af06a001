/**
 * Converts a calculator's result to an order of a pair. The amount is rounded down to the pair's step; take profit
 * and stop loss move to the next tick towards the entry. Invariant: the order is never larger, and its stop never
 * farther, than calculated; every rounding is reported. Nothing is sent.
 */
import {
  asSize,
  divideRounded,
  formatFixed,
  type MainRuleSetName,
  type PairLimits,
  type PnlInputs,
  type PnlResult,
  type Price,
  priceDecimals,
  type RuleSetName,
  roundToTick,
  type Side,
  type Size,
  sizeDecimals,
  toDecimalString,
} from '@fulcrum/domain';
import type { OrderDraftFields } from '../../shared/order-draft/index.ts';
import type { Calculation } from './field-parsing.ts';

/** The rule set of the stated formulas: results and sizes of net positions are those of `standard`, their margin and liquidation not. */
export const toFormulas = (rules: RuleSetName): MainRuleSetName =>
  rules === 'perpetual' ? 'standard' : rules;

export interface CalculatedPosition {
  readonly side: Side;
  /** In the base asset: the size of the position. */
  readonly size: Size;
  readonly leverage: number;
  readonly entryPrice: Price;
  /** The exit price; null when the calculator has none. */
  readonly exitPrice: Price | null;
}
export interface OrderPair {
  readonly symbol: string;
  readonly baseAsset: string;
  readonly limits: PairLimits;
}
export type OrderDraftResult =
  | {
      readonly kind: 'order';
      readonly draft: OrderDraftFields;
      /** The rounded values; null when nothing was rounded. */
      readonly rounded: string | null;
    }
  | { readonly kind: 'too small'; readonly reason: string };

/**
 * The order whose close books the P/L calculator's result: the stated formulas multiply by leverage themselves (A01).
 */
export const getPnlOrderSize = (
  rules: MainRuleSetName,
  { inputs, result }: Calculation<PnlInputs, PnlResult>,
): Size => (rules === 'as-specified' ? inputs.size : result.positionSize);

/** Rounded to the tick, towards the entry; null when that is the entry itself or an invalid price. */
function roundExitToTick(
  exit: Price,
  entry: Price,
  { tickSize, minPrice, maxPrice }: PairLimits,
): Price | null {
  const price = roundToTick(exit, tickSize, exit < entry ? 'ceiling' : 'floor');
  if (exit < entry ? price >= entry : price <= entry) return null;
  return price < minPrice || price > maxPrice ? null : price;
}

export function toOrderDraft(
  { symbol, baseAsset, limits }: OrderPair,
  calculated: CalculatedPosition,
): OrderDraftResult {
  const { side, size, leverage, entryPrice, exitPrice } = calculated;
  const amount = asSize(divideRounded(size, limits.stepSize, 'floor') * limits.stepSize);
  const amountText = formatFixed(amount, sizeDecimals(limits));
  if (amount < limits.minQty) {
    const least = `${toDecimalString(limits.minQty)} ${baseAsset}`;
    return {
      kind: 'too small',
      reason: `${toDecimalString(size)} ${baseAsset} is too small for an order: ${symbol} starts at ${least}.`,
    };
  }
  const exit = exitPrice === null ? null : roundExitToTick(exitPrice, entryPrice, limits);
  const isGain = exit !== null && (side === 'BUY' ? exit > entryPrice : exit < entryPrice);
  const exitText = exit === null ? null : formatFixed(exit, priceDecimals(limits));
  const exitName = isGain ? 'Take profit' : 'Stop loss';
  const notes = [
    amount === size
      ? null
      : `Amount rounded down from ${toDecimalString(size)} to ${amountText} ${baseAsset}, the step of ${symbol}.`,
    exitPrice === null || exitPrice === exit
      ? null
      : exitText === null
        ? `${symbol} cannot end at ${toDecimalString(exitPrice)}.`
        : `${exitName} moved from ${toDecimalString(exitPrice)} to ${exitText}, the tick of ${symbol}.`,
  ].filter((note) => note !== null);
  return {
    kind: 'order',
    draft: {
      symbol,
      side,
      amount: amountText,
      leverage,
      takeProfit: isGain ? exitText : null,
      stopLoss: isGain ? null : exitText,
    },
    rounded: notes.length === 0 ? null : notes.join(' '),
  };
}
