/** Take profit and stop loss as the screens show them: the text of a fault, and the figures of the results. */
import { texts } from '@fulcrum/contract/texts';
import {
  asPercent,
  checkProtection,
  formatFixed,
  type Money,
  type PairLimits,
  type Percent,
  type PositionTerms,
  type Price,
  type Protection,
  type ProtectionFault,
  priceDecimals,
  type RuleSet,
  type Side,
  settle,
  toDecimalString,
} from '@fulcrum/domain';

export const protectionNames = {
  takeProfitPrice: 'Take profit',
  stopLossPrice: 'Stop loss',
} as const satisfies Record<keyof Protection, string>;

export function getFaultText(fault: ProtectionFault, limits: PairLimits): string {
  const decimals = priceDecimals(limits);
  switch (fault.code) {
    case 'off_tick':
    case 'out_of_range':
      return texts.protectionInvalid(
        protectionNames[fault.which],
        toDecimalString(limits.minPrice),
        toDecimalString(limits.maxPrice),
        toDecimalString(limits.tickSize),
      );
    case 'take_profit_side':
    case 'stop_loss_side':
      return texts.protectionSide(
        protectionNames[getFaultField(fault)],
        fault.mustBe,
        formatFixed(fault.reference, decimals),
      );
    case 'stop_loss_beyond_liquidation':
      return texts.stopLossBeyondLiquidation(formatFixed(fault.liquidationPrice, decimals));
  }
}

/** The field that a fault lies in. */
export function getFaultField(fault: ProtectionFault): keyof Protection {
  switch (fault.code) {
    case 'off_tick':
    case 'out_of_range':
      return fault.which;
    case 'take_profit_side':
      return 'takeProfitPrice';
    case 'stop_loss_side':
    case 'stop_loss_beyond_liquidation':
      return 'stopLossPrice';
  }
}

interface SidedTerms {
  readonly limits: PairLimits;
  readonly reference: Price;
  readonly liquidation: Readonly<Record<Side, Price>>;
}

/** The fault of a protection for an order of this side, or null. */
export const getSideFault = (
  side: Side,
  { limits, reference, liquidation }: SidedTerms,
  protection: Protection,
): ProtectionFault | null =>
  checkProtection({ side, reference, liquidationPrice: liquidation[side] }, protection, limits);

/**
 * The side that the prices are meant for: a take profit above the market is for a long, a stop loss above it for a
 * short.
 */
export function inferSide(reference: Price, { takeProfitPrice, stopLossPrice }: Protection): Side {
  if (takeProfitPrice !== null) return takeProfitPrice > reference ? 'BUY' : 'SELL';
  return stopLossPrice === null || stopLossPrice < reference ? 'BUY' : 'SELL';
}

export interface Outcome {
  /** USDT, the result of a close at the price before fees, at least minus the margin. */
  readonly pnl: Money;
  /** Per cent of the margin. */
  readonly roe: Percent;
}

/** The result of closing a position of these terms at `price`; null if it is unknown. */
export function getOutcome(rules: RuleSet, terms: PositionTerms | null, price: Price | null): Outcome | null {
  if (terms === null || price === null || terms.margin === 0n) return null;
  const pnl = settle(rules.realizedPnl(terms, price), terms.margin).realizedPnl;
  return { pnl, roe: asPercent(rules.closedRoe(terms, pnl)) };
}
