/** The order form's figures, all from the domain (A17): what the order is worth, costs and where it would be liquidated. */
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
  /** What opening and closing cost (A07). */
  readonly feeRate: FeeRate;
  /** What the order is reckoned at: the market's price, or the order's own. Null while there is none. */
  readonly price: Price | null;
  readonly size: Size | null;
  readonly leverage: number;
}

export interface OrderSummary {
  readonly orderValue: Money | null;
  readonly requiredMargin: Money | null;
  readonly openingFee: Money | null;
  /** Margin and fee: what has to be available. */
  readonly requiredTotal: Money | null;
  /** The entry is the order's price; both do not depend on the amount. */
  readonly liquidationLong: Price | null;
  readonly liquidationShort: Price | null;
}

/** A price of the wire in exact units; null when there is none. */
export const priceOf = (price: number | null | undefined): Price | null =>
  price === null || price === undefined ? null : asPrice(parseDecimal(price));

const noSummary: OrderSummary = {
  orderValue: null,
  requiredMargin: null,
  openingFee: null,
  requiredTotal: null,
  liquidationLong: null,
  liquidationShort: null,
};

/** Value and margin are those of an order that could exist: none above the pair's largest amount. */
export function summaryOf(terms: OrderTerms): OrderSummary {
  const { limits, rules, feeRate, price, size: typed, leverage } = terms;
  if (price === null || price <= 0n) return noSummary;
  const liquidation = (side: Side) =>
    rules.liquidationPrice({ side, entryPrice: price, leverage, tickSize: limits.tickSize, feeRate });
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
