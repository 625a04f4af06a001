/**
 * The formulas behind the order form's estimates (shared/explained). Invariant: the figures of an explanation equal
 * those on screen, rounded the same way.
 */
import { type Side, toNumber } from '@fulcrum/domain';
import {
  type Explanation,
  liquidationFigures,
  liquidationFormula,
} from '../../../shared/explained/explanation.ts';
import { formatAmount, formatPrice, formatSize } from '../../../shared/numbers/index.ts';
import type { Outcome } from './protection.ts';
import type { OrderSummary, OrderTerms } from './summary.ts';

/** The display steps of figures. */
interface DisplaySteps {
  readonly tickSize: number;
  readonly stepSize: number;
  readonly baseAsset: string;
}

export function explainLiquidation(
  side: Side,
  terms: OrderTerms,
  summary: OrderSummary,
  steps: DisplaySteps,
): Explanation {
  const liquidation = side === 'BUY' ? summary.liquidationLong : summary.liquidationShort;
  return {
    formula: liquidationFormula(side, terms.rules.name, terms.feeRate),
    figures: liquidationFigures(side, terms, liquidation, steps),
    note: `At this mark price margin and PnL come to 5 % of the margin, and the position is liquidated. Rounded to the tick towards the entry${
      terms.feeRate === 0n ? '' : '; the fee is that of the close'
    }.`,
  };
}

export function explainMargin(terms: OrderTerms, summary: OrderSummary, steps: DisplaySteps): Explanation {
  const { price, size, leverage, feeRate } = terms;
  const { requiredMargin, openingFee, requiredTotal } = summary;
  const known = price !== null && size !== null && requiredMargin !== null;
  const fee =
    feeRate === 0n || openingFee === null || requiredTotal === null
      ? ''
      : ` With the fee of ${formatAmount(toNumber(openingFee))} USDT, ${formatAmount(toNumber(requiredTotal))} USDT must be available.`;
  return {
    formula: 'Amount × price ÷ leverage',
    figures: known
      ? `${formatSize(toNumber(size), steps.stepSize)} ${steps.baseAsset} × ${formatPrice(toNumber(price), steps.tickSize)} ÷ ${leverage} = ${formatAmount(toNumber(requiredMargin))} USDT`
      : null,
    note: `Locked while the position is open, and the most that it can lose.${fee}`,
  };
}

/**
 * The gain at the take profit per USDT lost at the stop loss; null where one of them is missing or the stop loses
 * nothing.
 */
export function getRewardToRisk(takeProfit: Outcome | null, stopLoss: Outcome | null): number | null {
  if (takeProfit === null || stopLoss === null || takeProfit.pnl <= 0n || stopLoss.pnl >= 0n) return null;
  return toNumber(takeProfit.pnl) / -toNumber(stopLoss.pnl);
}

export function explainRewardToRisk(takeProfit: Outcome | null, stopLoss: Outcome | null): Explanation {
  const ratio = getRewardToRisk(takeProfit, stopLoss);
  const known = ratio !== null && takeProfit !== null && stopLoss !== null;
  return {
    formula: 'PnL at Take Profit ÷ loss at Stop Loss',
    figures: known
      ? `${formatAmount(toNumber(takeProfit.pnl))} ÷ ${formatAmount(-toNumber(stopLoss.pnl))} = ${formatAmount(ratio)}`
      : null,
    note: 'Before fees. It does not show how likely either outcome is.',
  };
}
