/** Take profit and stop loss as the screens show them: what is wrong with them in words, what they would book in figures. */
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

export function faultText(fault: ProtectionFault, limits: PairLimits): string {
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
        protectionNames[faultField(fault)],
        fault.mustBe,
        formatFixed(fault.reference, decimals),
      );
    case 'stop_loss_beyond_liquidation':
      return texts.stopLossBeyondLiquidation(formatFixed(fault.liquidationPrice, decimals));
  }
}

/** Which of the two a fault lies in. */
export function faultField(fault: ProtectionFault): keyof Protection {
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

/** What is wrong with a protection for an order of this side, or null. */
export const sideFault = (
  side: Side,
  { limits, reference, liquidation }: SidedTerms,
  protection: Protection,
): ProtectionFault | null =>
  checkProtection({ side, reference, liquidationPrice: liquidation[side] }, protection, limits);

/** The side that the prices are meant for: a take profit above the market is a buyer's, a stop loss above it a seller's. */
export function meantSide(reference: Price, { takeProfitPrice, stopLossPrice }: Protection): Side {
  if (takeProfitPrice !== null) return takeProfitPrice > reference ? 'BUY' : 'SELL';
  return stopLossPrice === null || stopLossPrice < reference ? 'BUY' : 'SELL';
}

export interface Outcome {
  /** USDT, what a close at the price books before fees, at least minus the margin. */
  readonly pnl: Money;
  /** Per cent of the margin. */
  readonly roe: Percent;
}

/** What closing at `price` makes of a position of these terms; null where there is nothing to tell. */
export function outcomeAt(rules: RuleSet, terms: PositionTerms | null, price: Price | null): Outcome | null {
  if (terms === null || price === null || terms.margin === 0n) return null;
  const pnl = settle(rules.realizedPnl(terms, price), terms.margin).realizedPnl;
  return { pnl, roe: asPercent(rules.closedRoe(terms, pnl)) };
}
