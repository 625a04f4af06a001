/**
 * The figures of the preview's order form, by the product's own margin and liquidation formulas, under the rules and
 * the fee of this server. Nothing is sent.
 */
import { publicTexts } from '@fulcrum/contract/public-texts';
import {
  asFeeRate,
  asPrice,
  asSize,
  checkAmount,
  DecimalError,
  type MainRuleSetName,
  mainRulesOf,
  orderValue,
  type PairLimits,
  parseDecimal,
  requiredMargin,
  type Side,
  type Size,
  toNumber,
} from '@fulcrum/domain';

export interface TicketTerms {
  /** As typed. */
  readonly amount: string;
  /** A whole number from 1 to 125. */
  readonly leverage: number;
  /** The price that an order would be filled at. */
  readonly price: number;
  readonly limits: PairLimits;
  readonly rules: MainRuleSetName;
  readonly feeRate: number;
}

export interface TicketFigures {
  readonly size: number;
  /** USDT. */
  readonly orderValue: number;
  readonly requiredMargin: number;
  readonly liquidationLong: number;
  readonly liquidationShort: number;
}

/** The entered amount; null for a text that is no decimal. A comma counts as the decimal point. */
function parseSize(amount: string): Size | null {
  try {
    return asSize(parseDecimal(amount.trim().replace(',', '.')));
  } catch (cause) {
    if (cause instanceof DecimalError) return null;
    throw cause;
  }
}

/** The figures, or the fault of the amount. */
export function calculateTicket(terms: TicketTerms): TicketFigures | { readonly objection: string } {
  const { leverage, limits, rules } = terms;
  const size = parseSize(terms.amount);
  // An unreadable amount is in no range either.
  const range = checkAmount(limits, size ?? asSize(0n));
  if (range !== null || size === null) {
    const { min = '', max = '', step = '' } = range ?? {};
    return { objection: publicTexts.amountOutOfRange(min, max, step) };
  }
  const price = asPrice(parseDecimal(terms.price));
  const feeRate = asFeeRate(parseDecimal(terms.feeRate));
  const liquidation = (side: Side) =>
    toNumber(
      mainRulesOf(rules).liquidationPrice({
        side,
        entryPrice: price,
        leverage,
        tickSize: limits.tickSize,
        feeRate,
      }),
    );
  return {
    size: toNumber(size),
    orderValue: toNumber(orderValue(price, size)),
    requiredMargin: toNumber(requiredMargin(price, size, leverage)),
    liquidationLong: liquidation('BUY'),
    liquidationShort: liquidation('SELL'),
  };
}
