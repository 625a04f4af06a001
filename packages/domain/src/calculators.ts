/**
 * The three calculators of the dashboard. Invariant: the result is null while an input is missing or outside the
 * formula's range (CALC-01, A89). Outside are a leverage that is not a whole number from 1 to 125, a risk beyond its
 * bounds, a negative price or size, and a zero denominator.
 *
 * The P/L calculator follows the specification to the letter in both rule sets (A01). Its size is the trader's stake,
 * so the result is what the engine books in `standard` for an order of size × leverage. Risk and Position follow the
 * rule set (A04, A06, A07). Prices are quote units; one quote unit is one USDT per unit of size (A25). In `perpetual` (A113)
 * margin and liquidation are those of a new net position; all other results are those of `standard`.
 *
 * Known limitations: results ignore fees and the cap of a loss at the margin (A03), and a net position that is open already.
 */
import { feeOf } from './engine/opening.ts';
import { isBeyondLiquidation } from './engine/protection.ts';
import { isLeverage, orderValue, requiredMargin } from './margin.ts';
import {
  asFeeRate,
  asMoney,
  asPercent,
  asPrice,
  asSize,
  divideRounded,
  type FeeRate,
  type Money,
  multiplyDivide,
  type Percent,
  type Price,
  parseDecimal,
  type Size,
  UNIT,
} from './money.ts';
import type { MarketType } from './pairs.ts';
import { type Bracket, bracketOf, maintenanceMargin } from './perpetual/brackets.ts';
import { initialMargin, type NetTerms, netLiquidationPrice } from './perpetual/net-position.ts';
import { type MainRuleSetName, mainRulesOf, type RuleSetName } from './rules.ts';
import type { Side } from './states.ts';

/** The range of the risk slider, in per cent of the account (CALC-06). */
export const MIN_RISK_PERCENT = asPercent(parseDecimal('0.1'));
export const MAX_RISK_PERCENT = asPercent(parseDecimal('5'));
export const RISK_PERCENT_STEP = asPercent(parseDecimal('0.1'));
export const DEFAULT_RISK_PERCENT = asPercent(parseDecimal('1'));

/** The stated trading fee of 0.06 %, as a fraction (CALC-15). */
const STATED_FEE_RATE: FeeRate = asFeeRate(60_000n);

const WHOLE_PERCENT = 100n;
/** The maintenance margin, in per cent of the required margin (CALC-14, A04). */
const MAINTENANCE_PERCENT = 5n;
/** CALC-13: the placeholder of `as-specified`. */
const PLACEHOLDER_PERCENT = 80n;

/** The typed inputs; null where an input is empty or not numeric. */
type Entered<Inputs> = { readonly [Name in keyof Inputs]: Inputs[Name] | null };

interface Leveraged {
  readonly leverage: number;
}
/** Whether every input is there, none of them is negative and the leverage is one (A89, CALC-02). */
function isComplete<Inputs extends Leveraged>(entered: Entered<Inputs>): entered is Inputs {
  const { leverage } = entered;
  if (leverage === null || !isLeverage(leverage)) return false;
  return Object.values(entered).every(
    (value) => value !== null && !(typeof value === 'bigint' && value < 0n),
  );
}

export interface PnlInputs extends Leveraged {
  readonly side: Side;
  readonly entryPrice: Price;
  readonly exitPrice: Price;
  /** The stake, before leverage. */
  readonly size: Size;
}
export interface PnlResult {
  /** USDT, rounded to 1e-8 half away from zero. */
  readonly pnl: Money;
  /** Per cent of entry × size, two decimals. */
  readonly roi: Percent;
  /** Size × leverage: the size of an order with this result. */
  readonly positionSize: Size;
}

/**
 * CALC-03 to CALC-05: (exit − entry) × size × leverage for a long, (entry − exit) × size × leverage for a short. ROI
 * = pnl / (entry × size) × 100. The closes of `as-specified` use the same functions (RULE-07, RULE-08, RULE-11).
 */
export function calculatePnl(entered: Entered<PnlInputs>): PnlResult | null {
  if (!isComplete<PnlInputs>(entered) || entered.entryPrice === 0n || entered.size === 0n) return null;
  const { side, entryPrice, exitPrice, size, leverage } = entered;
  const literal = mainRulesOf('as-specified');
  const terms = { side, entryPrice, size, leverage, margin: asMoney(0n) };
  const pnl = literal.realizedPnl(terms, exitPrice);
  return {
    pnl,
    roi: literal.closedRoe(terms, pnl),
    positionSize: asSize(size * BigInt(leverage)),
  };
}

export interface RiskInputs extends Leveraged {
  readonly account: Money;
  readonly riskPercent: Percent;
  readonly entryPrice: Price;
  readonly stopPrice: Price;
}
export interface RiskResult {
  /** A stop below the entry is a long's, one above it a short's. */
  readonly side: Side;
  /** USDT, rounded to 1e-8 half away from zero. */
  readonly riskAmount: Money;
  /** Rounded down to 1e-8, so that the stop never costs more than the risk amount. */
  readonly positionSize: Size;
  readonly margin: Money;
  /** The account does not cover the margin: the engine would refuse such an order. */
  readonly exceedsAccount: boolean;
}

const isRiskPercent = (percent: Percent): boolean =>
  percent >= MIN_RISK_PERCENT && percent <= MAX_RISK_PERCENT;

/**
 * CALC-07 to CALC-09: risk amount = account × risk / 100. Position size = risk amount / |entry − stop|, in
 * `as-specified` times leverage (A06). Margin = size × entry / leverage.
 */
export function calculateRisk(rules: MainRuleSetName, entered: Entered<RiskInputs>): RiskResult | null {
  if (!isComplete<RiskInputs>(entered) || !isRiskPercent(entered.riskPercent)) return null;
  const { account, riskPercent, entryPrice, stopPrice, leverage } = entered;
  if (entryPrice === 0n || entryPrice === stopPrice) return null;
  const side: Side = stopPrice < entryPrice ? 'BUY' : 'SELL';
  const distance = side === 'BUY' ? entryPrice - stopPrice : stopPrice - entryPrice;
  const riskAmount = asMoney(
    multiplyDivide(account, riskPercent, WHOLE_PERCENT * UNIT, 'half-away-from-zero'),
  );
  const factor = rules === 'as-specified' ? BigInt(leverage) : 1n;
  const positionSize = asSize(divideRounded(riskAmount * factor * UNIT, distance, 'floor'));
  const margin = requiredMargin(entryPrice, positionSize, leverage);
  return { side, riskAmount, positionSize, margin, exceedsAccount: margin > account };
}

/** What happens to a position of this size before its stop is reached. */
export interface StopOutlook {
  /** The liquidation price when it comes before the stop; null when the stop comes first. */
  readonly liquidatedAt: Price | null;
  /** The fees of the opening and of the close at the stop, lost beside the risk amount (A07). */
  readonly fees: Money;
}

/** By the engine's own functions, in every rule set (A04, A113). */
export function stopOutlook(
  circumstances: PositionCircumstances,
  { entryPrice, stopPrice, leverage }: RiskInputs,
  { side, positionSize }: RiskResult,
): StopOutlook {
  const liquidation = liquidationOf(circumstances, { side, price: entryPrice, size: positionSize, leverage });
  const feeAt = (price: Price) => feeOf(orderValue(price, positionSize), circumstances.feeRate);
  const isLiquidatedFirst = liquidation !== null && isBeyondLiquidation(side, stopPrice, liquidation);
  return {
    liquidatedAt: isLiquidatedFirst ? liquidation : null,
    fees: asMoney(feeAt(entryPrice) + feeAt(stopPrice)),
  };
}

export interface PositionInputs extends Leveraged {
  readonly side: Side;
  readonly price: Price;
  readonly size: Size;
}
/** What a position depends on beside its inputs: the account's rules and fee, and the pair's tick and, for `perpetual`, market. */
export type PositionCircumstances = {
  /** What the account is charged, a fraction; may be zero (A07). In `perpetual` it is the taker's. */
  readonly feeRate: FeeRate;
  readonly tickSize: Price;
} & ({ readonly rules: MainRuleSetName } | { readonly rules: 'perpetual'; readonly market: MarketType });
export interface PositionResult {
  readonly value: Money;
  readonly requiredMargin: Money;
  /** The engine's in `standard`; in `as-specified` a placeholder, which the engine does not know. */
  readonly liquidationPrice: Price;
  readonly maintenanceMargin: Money;
  /** The source of the maintenance margin in `perpetual`; absent in the other rule sets. */
  readonly bracket?: Bracket;
  readonly fee: Money;
}

/** A net position without another one before it, as the engine opens it (A113). */
function newNetPosition({ side, price, size, leverage }: PositionInputs): NetTerms {
  const entryValue = orderValue(price, size);
  return { side, size, entryValue, margin: initialMargin(entryValue, leverage) };
}

/** Where the engine liquidates a new position; null for a net position of no size. */
function liquidationOf(circumstances: PositionCircumstances, inputs: PositionInputs): Price | null {
  const { feeRate, tickSize } = circumstances;
  if (circumstances.rules === 'perpetual') {
    if (inputs.size === 0n) return null;
    return netLiquidationPrice(newNetPosition(inputs), circumstances.market, tickSize);
  }
  const { side, price: entryPrice, leverage } = inputs;
  return mainRulesOf(circumstances.rules).liquidationPrice({
    side,
    entryPrice,
    leverage,
    tickSize,
    feeRate,
  });
}

/**
 * The rate of the fee line: the server's rate, or the stated rate where the server charges nothing. In `as-specified`
 * it is always the stated rate (A01, A07). `isCharged` states whether the server charges that fee.
 */
export function calculatorFee({
  rules,
  feeRate,
}: {
  readonly rules: RuleSetName;
  readonly feeRate: FeeRate;
}): {
  readonly rate: FeeRate;
  readonly isCharged: boolean;
} {
  const rate = rules === 'as-specified' || feeRate === 0n ? STATED_FEE_RATE : feeRate;
  return { rate, isCharged: rate === feeRate };
}

/**
 * CALC-11 to CALC-15: value = price × size; required margin = value / leverage; maintenance margin = 5 % of it, in `perpetual`
 * that of the value's bracket. The fee is that of the opening. The liquidation price comes from the engine's function (A04, A113),
 * in `as-specified` it is 0.8 × price. A net position of no size has no result.
 */
export function calculatePosition(
  circumstances: PositionCircumstances,
  entered: Entered<PositionInputs>,
): PositionResult | null {
  if (!isComplete<PositionInputs>(entered) || entered.price === 0n) return null;
  const { price, size, leverage } = entered;
  const value = orderValue(price, size);
  const liquidationPrice =
    circumstances.rules === 'as-specified'
      ? asPrice(multiplyDivide(price, PLACEHOLDER_PERCENT, WHOLE_PERCENT, 'half-away-from-zero'))
      : liquidationOf(circumstances, entered);
  if (liquidationPrice === null) return null;
  const common = { value, liquidationPrice, fee: feeOf(value, calculatorFee(circumstances).rate) };
  if (circumstances.rules === 'perpetual') {
    const { market } = circumstances;
    return {
      ...common,
      requiredMargin: newNetPosition(entered).margin,
      maintenanceMargin: maintenanceMargin(market, value),
      bracket: bracketOf(market, value),
    };
  }
  const margin = requiredMargin(price, size, leverage);
  return {
    ...common,
    requiredMargin: margin,
    maintenanceMargin: asMoney(
      multiplyDivide(margin, MAINTENANCE_PERCENT, WHOLE_PERCENT, 'half-away-from-zero'),
    ),
  };
}
