/**
 * An example position on real candles of this server, computed with the engine's rules: the result of a long opened
 * some bars ago. Invariant: it ends in a liquidation exactly when a later bar reached that price.
 */
import type { Candle } from '@fulcrum/contract';
import {
  asFeeRate,
  asPrice,
  asSize,
  isLiquidated,
  type MainRuleSetName,
  mainRulesOf,
  parseDecimal,
  requiredMargin,
  settle,
  toNumber,
} from '@fulcrum/domain';

export interface ExamplePosition {
  readonly leverage: number;
  readonly size: number;
  readonly entryPrice: number;
  readonly liquidationPrice: number;
  readonly isLiquidated: boolean;
  /** USDT: unrealized, or the booked liquidation result. */
  readonly pnl: number;
  /** Per cent, by the rules for an open or a closed position. */
  readonly roe: number;
  /** USDT that a liquidation books, negative. */
  readonly liquidationLoss: number;
}

interface ExampleTerms {
  readonly rules: MainRuleSetName;
  /** The fee of a close, as a fraction of its value (A07). */
  readonly feeRate: number;
  readonly leverage: number;
  readonly size: number;
  readonly tickSize: number;
  /** How many bars before the last one it was opened, at that bar's close. */
  readonly barsAgo: number;
}

/** `candles` oldest first, at least `barsAgo` + 1 of them; null when there are fewer. */
export function getExampleLong(candles: readonly Candle[], terms: ExampleTerms): ExamplePosition | null {
  const entryBar = candles.at(-1 - terms.barsAgo);
  const lastBar = candles.at(-1);
  if (!entryBar || !lastBar) return null;

  const rules = mainRulesOf(terms.rules);
  const entryPrice = asPrice(parseDecimal(entryBar.close));
  const size = asSize(parseDecimal(terms.size));
  const margin = requiredMargin(entryPrice, size, terms.leverage);
  const position = { side: 'BUY', entryPrice, size, leverage: terms.leverage, margin } as const;
  const tickSize = asPrice(parseDecimal(terms.tickSize));
  const liquidationPrice = rules.liquidationPrice({
    side: 'BUY',
    entryPrice,
    leverage: terms.leverage,
    tickSize,
    feeRate: asFeeRate(parseDecimal(terms.feeRate)),
  });
  const liquidated = candles
    .slice(-terms.barsAgo)
    .some((bar) => isLiquidated('BUY', liquidationPrice, asPrice(parseDecimal(bar.low))));
  const lastPrice = liquidated ? liquidationPrice : asPrice(parseDecimal(lastBar.close));
  const liquidation = settle(rules.realizedPnl(position, liquidationPrice), margin).realizedPnl;
  return {
    leverage: terms.leverage,
    size: terms.size,
    entryPrice: toNumber(entryPrice),
    liquidationPrice: toNumber(liquidationPrice),
    isLiquidated: liquidated,
    pnl: toNumber(liquidated ? liquidation : rules.unrealizedPnl(position, lastPrice)),
    roe: toNumber(liquidated ? rules.closedRoe(position, liquidation) : rules.openRoe(position, lastPrice)),
    liquidationLoss: toNumber(liquidation),
  };
}
