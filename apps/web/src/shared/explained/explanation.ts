/**
 * The explanation of a figure: the formula in words, and with current figures. The domain computes the results; this module
 * formats them. Invariant: the figures of an explanation are those on screen, rounded the same way.
 */
import {
  type FeeRate,
  type Price,
  type RuleSet,
  type RuleSetName,
  type Side,
  toNumber,
} from '@fulcrum/domain';
import { formatPrice } from '../numbers/index.ts';

export interface Explanation {
  readonly formula: string;
  /** The formula with figures; null while one of them is missing. */
  readonly figures: string | null;
  readonly note: string;
}

/** A fee rate in per cent; a fraction in 1e-8 is a hundredth of its percentage. */
export const feePercent = (feeRate: FeeRate): string => `${toNumber(feeRate * 100n)} %`;

const losable = '95 %';

/**
 * The formula by rule set: `standard` uses the leverage in the margin alone, `as-specified` also in what a close books (A01,
 * A04, A07).
 */
const liquidationPattern = (
  side: Side,
  rules: RuleSetName,
  {
    entry,
    leverage,
    fee,
  }: { readonly entry: string; readonly leverage: string; readonly fee: string | null },
): string => {
  const sign = side === 'BUY' ? '−' : '+';
  if (rules === 'perpetual') return 'By its value';
  if (rules === 'standard') {
    const price = `${entry} × (1 ${sign} ${losable} ÷ ${leverage})`;
    return fee === null ? price : `${price} ÷ (1 ${sign} ${fee})`;
  }
  if (fee === null) return `${entry} × (1 ${sign} ${losable} ÷ ${leverage}²)`;
  return `${entry} × (${leverage} ${sign} ${losable} ÷ ${leverage}) ÷ (${leverage} ${sign} ${fee})`;
};

export const liquidationFormula = (side: Side, rules: RuleSetName, feeRate: FeeRate): string =>
  liquidationPattern(side, rules, {
    entry: 'Entry',
    leverage: 'leverage',
    fee: feeRate === 0n ? null : 'fee',
  });

interface LiquidationFacts {
  readonly rules: RuleSet;
  readonly price: Price | null;
  readonly leverage: number;
  readonly feeRate: FeeRate;
}

/** The formula of one side with figures; the domain computes the result. */
export function liquidationFigures(
  side: Side,
  { rules, price, leverage, feeRate }: LiquidationFacts,
  liquidation: Price | null,
  { tickSize }: { readonly tickSize: number },
): string | null {
  if (price === null || liquidation === null) return null;
  const left = liquidationPattern(side, rules.name, {
    entry: formatPrice(toNumber(price), tickSize),
    leverage: `${leverage}`,
    fee: feeRate === 0n ? null : feePercent(feeRate),
  });
  return `${left} = ${formatPrice(toNumber(liquidation), tickSize)}`;
}
