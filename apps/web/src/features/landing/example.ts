/**
 * An example position on real candles of this server, computed with the rules that its engine trades by: what would have
 * become of a long opened some bars ago. Invariant: it ends in a liquidation exactly when a later bar reached that price.
 */
import type { Candle } from '@fulcrum/contract';
import {
  asPrice,
  asSize,
  parseDecimal,
  type RuleSetName,
  requiredMargin,
  rulesOf,
  toNumber,
} from '@fulcrum/domain';

export interface ExamplePosition {
  readonly leverage: number;
  readonly size: number;
  readonly entryPrice: number;
  readonly liquidationPrice: number;
  readonly isLiquidated: boolean;
  /** USDT. */
  readonly pnl: number;
  /** Per cent of the margin. */
  readonly roe: number;
  /** USDT that the liquidation takes. */
  readonly liquidationLoss: number;
}

interface ExampleTerms {
  readonly rules: RuleSetName;
  readonly leverage: number;
  readonly size: number;
  readonly tickSize: number;
  /** How many bars before the last one it was opened, at that bar's close. */
  readonly barsAgo: number;
}

/** `candles` oldest first, at least `barsAgo` + 1 of them; null when there are fewer. */
export function exampleLong(candles: readonly Candle[], terms: ExampleTerms): ExamplePosition | null {
  const entryBar = candles.at(-1 - terms.barsAgo);
  const lastBar = candles.at(-1);
  if (!entryBar || !lastBar) return null;

  const rules = rulesOf(terms.rules);
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
  });
  const isLiquidated = candles.slice(-terms.barsAgo).some((bar) => parseDecimal(bar.low) <= liquidationPrice);
  const lastPrice = isLiquidated ? liquidationPrice : asPrice(parseDecimal(lastBar.close));
  return {
    leverage: terms.leverage,
    size: terms.size,
    entryPrice: toNumber(entryPrice),
    liquidationPrice: toNumber(liquidationPrice),
    isLiquidated,
    pnl: toNumber(rules.unrealizedPnl(position, lastPrice)),
    roe: toNumber(rules.openRoe(position, lastPrice)),
    liquidationLoss: toNumber(rules.unrealizedPnl(position, liquidationPrice)),
  };
}
