/**
 * A calculator's result as an order of a pair: the amount goes down to the pair's step, take profit and stop loss go to the
 * next tick on the entry's side. Invariant: the order is never larger, and its stop never farther, than what was worked
 * out; whatever had to be rounded is told. Nothing is sent.
 */
import {
  asSize,
  divideRounded,
  formatFixed,
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
import type { Known } from './figures.ts';

export interface WorkedOut {
  readonly side: Side;
  /** In the base asset: what the position is to be. */
  readonly size: Size;
  readonly leverage: number;
  readonly entryPrice: Price;
  /** Where it is to end; null when the calculator asks for none. */
  readonly exitPrice: Price | null;
}
export interface OrderPair {
  readonly symbol: string;
  readonly baseAsset: string;
  readonly limits: PairLimits;
}
export type OrderFrom =
  | {
      readonly kind: 'order';
      readonly draft: OrderDraftFields;
      /** What was rounded; null when nothing had to be. */
      readonly rounded: string | null;
    }
  | { readonly kind: 'too small'; readonly reason: string };

/** The order whose close books what the P/L calculator says: that of the stated formulas multiplies by leverage itself (A01). */
export const pnlOrderSize = (rules: RuleSetName, { inputs, result }: Known<PnlInputs, PnlResult>): Size =>
  rules === 'as-specified' ? inputs.size : result.positionSize;

/** On the tick, towards the entry; null where that is the entry itself or no price of the pair. */
function exitOnTick(exit: Price, entry: Price, { tickSize, minPrice, maxPrice }: PairLimits): Price | null {
  const price = roundToTick(exit, tickSize, exit < entry ? 'ceiling' : 'floor');
  if (exit < entry ? price >= entry : price <= entry) return null;
  return price < minPrice || price > maxPrice ? null : price;
}

export function orderFrom({ symbol, baseAsset, limits }: OrderPair, worked: WorkedOut): OrderFrom {
  const { side, size, leverage, entryPrice, exitPrice } = worked;
  const amount = asSize(divideRounded(size, limits.stepSize, 'floor') * limits.stepSize);
  const amountText = formatFixed(amount, sizeDecimals(limits));
  if (amount < limits.minQty) {
    const least = `${toDecimalString(limits.minQty)} ${baseAsset}`;
    return {
      kind: 'too small',
      reason: `${toDecimalString(size)} ${baseAsset} is too small for an order: ${symbol} starts at ${least}.`,
    };
  }
  const exit = exitPrice === null ? null : exitOnTick(exitPrice, entryPrice, limits);
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
