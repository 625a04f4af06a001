/** The order form's figures, all from the domain (A17): the order's value, cost and liquidation price. */
import {
  asPrice,
  type FeeRate,
  type Money,
  openingCost,
  orderValue,
  type PairLimits,
  type Price,
  parseDecimal,
  type RuleSet,
  type Side,
  type Size,
} from '@fulcrum/domain';

export interface OrderTerms {
  readonly limits: PairLimits;
  readonly rules: RuleSet;
  /** The rate of the opening and the closing fee (A07). */
  readonly feeRate: FeeRate;
  /** The price that the order is calculated at: the market's, or the order's own. Null while there is none. */
  readonly price: Price | null;
  readonly size: Size | null;
  readonly leverage: number;
}

export interface OrderSummary {
  readonly orderValue: Money | null;
  readonly requiredMargin: Money | null;
  readonly openingFee: Money | null;
  /** Margin and fee, which must be available. */
  readonly requiredTotal: Money | null;
  /** The entry is the order's price; both do not depend on the amount. */
  readonly liquidationLong: Price | null;
  readonly liquidationShort: Price | null;
}

/** A server price in exact units; null when there is none. */
export const toPrice = (price: number | null | undefined): Price | null =>
  price === null || price === undefined ? null : asPrice(parseDecimal(price));

const noSummary: OrderSummary = {
  orderValue: null,
  requiredMargin: null,
  openingFee: null,
  requiredTotal: null,
  liquidationLong: null,
  liquidationShort: null,
};

/** Value and margin exist only for a possible order: none above the pair's maximum amount. */
export function summarizeOrder(terms: OrderTerms): OrderSummary {
  const { limits, rules, feeRate, price, size: typed, leverage } = terms;
  if (price === null || price <= 0n) return noSummary;
  // That of a net position depends on what it already is.
  const liquidation = (side: Side) =>
    rules.liquidationPrice?.({ side, entryPrice: price, leverage, tickSize: limits.tickSize, feeRate }) ??
    null;
  const liquidations = { liquidationLong: liquidation('BUY'), liquidationShort: liquidation('SELL') };
  const size = typed !== null && typed <= limits.maxQty ? typed : null;
  if (size === null) return { ...noSummary, ...liquidations };
  const cost = openingCost(price, size, leverage, feeRate);
  return {
    ...liquidations,
    orderValue: orderValue(price, size),
    requiredMargin: cost.margin,
    openingFee: cost.fee,
    requiredTotal: cost.total,
  };
}
