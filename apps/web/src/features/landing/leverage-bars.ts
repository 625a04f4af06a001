/** The price move that liquidates a position at each leverage, by the product's own formula. */
import {
  asFeeRate,
  asPrice,
  MAX_LEVERAGE,
  type MainRuleSetName,
  mainRulesOf,
  parseDecimal,
  type Side,
  toNumber,
  UNIT,
} from '@fulcrum/domain';

export const shownLeverages = [5, 10, 25, 50, MAX_LEVERAGE] as const;

export interface LeverageBar {
  readonly leverage: number;
  /** For a long, in per cent of the entry. */
  readonly distancePercent: number;
  /** Share of the longest bar, 0 to 1. */
  readonly share: number;
}

/** An entry whose per cents are whole units, and a tick too fine to round them. */
const entryPrice = asPrice(100n * UNIT);
const tickSize = asPrice(1n);

function getLiquidationDistance(leverage: number, rules: MainRuleSetName, feeRate: number): number {
  const price = mainRulesOf(rules).liquidationPrice({
    side: 'BUY',
    entryPrice,
    leverage,
    tickSize,
    feeRate: asFeeRate(parseDecimal(feeRate)),
  });
  return toNumber(asPrice(entryPrice - price));
}

export function getLeverageBars(rules: MainRuleSetName, feeRate: number): readonly LeverageBar[] {
  const distances = shownLeverages.map((leverage) => ({
    leverage,
    distancePercent: getLiquidationDistance(leverage, rules, feeRate),
  }));
  const longest = Math.max(...distances.map(({ distancePercent }) => distancePercent));
  return distances.map((bar) => ({ ...bar, share: bar.distancePercent / longest }));
}

/**
 * The formula in words. 5 % of the margin must remain (A04), so 95 % of it may be lost. Under the rules as specified
 * a close multiplies by the leverage (A01), and the margin must also cover the closing fee (A07).
 */
export function getLiquidationFormula(side: Side, rules: MainRuleSetName, feeRate: number): string {
  const sign = side === 'BUY' ? '−' : '+';
  const factor = rules === 'standard' ? '1' : 'leverage';
  if (feeRate > 0) return `entry × (${factor} ${sign} 0.95 ÷ leverage) ÷ (${factor} ${sign} ${feeRate})`;
  return `entry × (1 ${sign} 0.95 ÷ ${rules === 'standard' ? 'leverage' : 'leverage²'})`;
}
