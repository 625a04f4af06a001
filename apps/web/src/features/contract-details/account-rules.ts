/**
 * What the rules of an account say of a pair's margin, liquidation, results and fees, in words. The domain computes the figures
 * of the example. Invariant: an account of net positions (A113) has the brackets of the pair's market and the fees of its fill
 * profile.
 */
import {
  type FeeRate,
  fillTerms,
  initialMargin,
  maintenanceBrackets,
  NO_FEE,
  netLiquidationPrice,
  orderValue,
  type Price,
  type QuotedProfile,
  type RuleSetName,
  rulesOf,
  type Side,
  toNumber,
} from '@fulcrum/domain';
import { feePercent, liquidationFigures, liquidationFormula } from '../../shared/explained/explanation.ts';
import { formatFigure, formatPrice, formatSize } from '../../shared/numbers/index.ts';
import type { Pair } from '../market/index.ts';

export interface AccountRules {
  readonly rules: RuleSetName;
  /** Of an account with a fill profile it is the taker's. */
  readonly feeRate: FeeRate;
  /** Null for an account whose orders fill at the price. */
  readonly profile: QuotedProfile | null;
}

const exampleLeverage = 25;

function describeMaintenance(rules: RuleSetName, type: Pair['type']): string {
  const [bracket] = maintenanceBrackets[type];
  if (rules !== 'perpetual' || !bracket) return '5 % of the required margin';
  const cap = formatFigure(toNumber(bracket.cap), 0);
  return `${Number(bracket.mmr) / 100} % of the value of a position of up to ${cap} USDT, more for a larger one`;
}

function describeFee({ feeRate, profile }: AccountRules): string {
  const makerFee = profile === null ? feeRate : fillTerms[profile].makerFee;
  if (makerFee !== feeRate) {
    return `${feePercent(feeRate)} of the value as a taker, ${feePercent(makerFee)} as a maker, at the opening and at the close`;
  }
  return feeRate === NO_FEE ? 'None' : `${feePercent(feeRate)} of the value, at the opening and at the close`;
}

/** The texts of the rows whose figures do not depend on the price. */
export const describeRules = (
  account: AccountRules,
  { type }: Pick<Pair, 'type'>,
): Record<'maintenanceMargin' | 'closingPnl' | 'fee', string> => ({
  maintenanceMargin: describeMaintenance(account.rules, type),
  closingPnl: `Price movement × amount${account.rules === 'as-specified' ? ' × leverage' : ''}, at most the margin is lost`,
  fee: describeFee(account),
});

export const describeLiquidation = (side: Side, { rules, feeRate }: AccountRules): string =>
  rules === 'perpetual'
    ? 'Where margin plus PnL equals the maintenance margin'
    : liquidationFormula(side, rules, feeRate);

/**
 * The liquidation price of a position that is opened at `price`, with its figures. That of a net position depends on its value:
 * the example has the smallest amount, and is the only position of its symbol.
 */
export function describeLiquidationExample(
  side: Side,
  { rules, feeRate }: AccountRules,
  pair: Pick<Pair, 'type' | 'baseAsset' | 'tickSize' | 'stepSize' | 'limits'>,
  price: Price,
): string | null {
  const { tickSize, minQty: size } = pair.limits;
  if (rules !== 'perpetual') {
    const facts = { rules: rulesOf(rules), price, leverage: exampleLeverage, feeRate };
    const terms = { side, entryPrice: price, leverage: exampleLeverage, tickSize, feeRate };
    return liquidationFigures(side, facts, facts.rules.liquidationPrice?.(terms) ?? null, pair);
  }
  const entryValue = orderValue(price, size);
  const margin = initialMargin(entryValue, exampleLeverage);
  const liquidation = netLiquidationPrice({ side, size, entryValue, margin }, pair.type, tickSize);
  const shown = (of: Price) => formatPrice(toNumber(of), pair.tickSize);
  return `${formatSize(toNumber(size), pair.stepSize)} ${pair.baseAsset} at ${shown(price)} with ${exampleLeverage}×: ${shown(liquidation)}`;
}
