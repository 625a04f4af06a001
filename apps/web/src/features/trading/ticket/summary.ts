/** The order form's figures, all from the domain (A17): what the order is worth, costs and where it would be liquidated. */
import {
  asPrice,
  type Money,
  orderValue,
  type PairLimits,
  type Price,
  parseDecimal,
  type RuleSet,
  requiredMargin,
  type Size,
} from '@fulcrum/domain';

export interface OrderTerms {
  readonly limits: PairLimits;
  readonly rules: RuleSet;
  /** Null while there is none. */
  readonly price: Price | null;
  readonly size: Size | null;
  readonly leverage: number;
}

export interface OrderSummary {
  readonly orderValue: Money | null;
  readonly requiredMargin: Money | null;
  /** The entry is the current price; both do not depend on the amount. */
  readonly liquidationLong: Price | null;
  readonly liquidationShort: Price | null;
}

/** A price of the wire in exact units; null when there is none. */
export const priceOf = (price: number | null | undefined): Price | null =>
  price === null || price === undefined ? null : asPrice(parseDecimal(price));

/** Value and margin are those of an order that could exist: none above the pair's largest amount. */
export function summaryOf({ limits, rules, price, size: typed, leverage }: OrderTerms): OrderSummary {
  const size = typed !== null && typed <= limits.maxQty ? typed : null;
  if (price === null) {
    return { orderValue: null, requiredMargin: null, liquidationLong: null, liquidationShort: null };
  }
  const terms = { entryPrice: price, leverage, tickSize: limits.tickSize };
  return {
    orderValue: size === null ? null : orderValue(price, size),
    requiredMargin: size === null ? null : requiredMargin(price, size, leverage),
    liquidationLong: rules.liquidationPrice({ ...terms, side: 'BUY' }),
    liquidationShort: rules.liquidationPrice({ ...terms, side: 'SELL' }),
  };
}
