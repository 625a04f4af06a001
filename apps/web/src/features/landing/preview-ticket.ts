/**
 * What the preview's order form shows for what is typed into it: the product's own margin and liquidation formulas, under
 * the rules and the fee of this server. Nothing is sent.
 */
import { publicTexts } from '@fulcrum/contract/public-texts';
import {
  asFeeRate,
  asPrice,
  asSize,
  checkAmount,
  DecimalError,
  orderValue,
  type PairLimits,
  parseDecimal,
  type RuleSetName,
  requiredMargin,
  rulesOf,
  type Side,
  type Size,
  toNumber,
} from '@fulcrum/domain';

export interface TicketTerms {
  /** As typed. */
  readonly amount: string;
  /** A whole number from 1 to 125. */
  readonly leverage: number;
  /** What an order would be filled at. */
  readonly price: number;
  readonly limits: PairLimits;
  readonly rules: RuleSetName;
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

/** The typed amount; null when it is no decimal. A comma is taken for the decimal point. */
function readSize(amount: string): Size | null {
  try {
    return asSize(parseDecimal(amount.trim().replace(',', '.')));
  } catch (cause) {
    if (cause instanceof DecimalError) return null;
    throw cause;
  }
}

/** The figures, or what is wrong with the amount. */
export function readTicket(terms: TicketTerms): TicketFigures | { readonly objection: string } {
  const { leverage, limits, rules } = terms;
  const size = readSize(terms.amount);
  // What is no number lies in no range either.
  const range = checkAmount(limits, size ?? asSize(0n));
  if (range !== null || size === null) {
    const { min = '', max = '', step = '' } = range ?? {};
    return { objection: publicTexts.amountOutOfRange(min, max, step) };
  }
  const price = asPrice(parseDecimal(terms.price));
  const feeRate = asFeeRate(parseDecimal(terms.feeRate));
  const liquidation = (side: Side) =>
    toNumber(
      rulesOf(rules).liquidationPrice({
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
