/**
 * PnL, ROE and liquidation under the two rule sets of decision A01. `standard`: margin carries the leverage, so
 * nothing jumps at the close. `as-specified`: the documents' functions to the letter, where closing multiplies by the
 * leverage. A third one, `perpetual` (A113), has one net position a symbol: its results come from the exact value of
 * the position, and its liquidation from `perpetual/net-position.ts`. A position keeps the rule set that it was opened
 * under for its whole life.
 *
 * Invariants: unrealized PnL is the same in both sets; the liquidation price lies on the losing side of the entry; no
 * loss exceeds the margin (`settle`). Every contract is quanto: one quote unit of movement is one USDT per unit of
 * size (A25).
 *
 * Known limitation: the opening fee is paid from the available balance, so no liquidation price includes it; only the
 * closing fee is included (A07).
 */
import {
  asMoney,
  asPercent,
  asPrice,
  divideRounded,
  type FeeRate,
  type Money,
  multiply,
  multiplyDivide,
  NO_MONEY,
  type Percent,
  type Price,
  type Size,
  UNIT,
} from './money.ts';
import { roundToTick } from './pairs.ts';
import type { Side } from './states.ts';

/** Those that a main account may have (`RULES`). */
export const mainRuleSetNames = ['standard', 'as-specified'] as const;
export type MainRuleSetName = (typeof mainRuleSetNames)[number];
export const ruleSetNames = [...mainRuleSetNames, 'perpetual'] as const;
export type RuleSetName = (typeof ruleSetNames)[number];

/** The fields of a position that the formulas read. `leverage` is a whole number from 1 to 125. */
export interface PositionTerms {
  readonly side: Side;
  readonly entryPrice: Price;
  readonly size: Size;
  readonly leverage: number;
  /** USDT locked at the opening. */
  readonly margin: Money;
  /**
   * What was paid for the whole of a net position (received, for a SELL), USDT; `entryPrice` is this per unit of size, rounded. Null
   * or absent in the other rule sets.
   */
  readonly entryValue?: Money | null;
}

interface LiquidationTerms {
  readonly side: Side;
  readonly entryPrice: Price;
  readonly leverage: number;
  readonly tickSize: Price;
  /** Charged at the close, which the trader's margin has to bear as well (A07). */
  readonly feeRate: FeeRate;
}

export interface RuleSet {
  readonly name: RuleSetName;
  /** USDT at a mark price, without a leverage factor (RULE-05, RULE-06). */
  unrealizedPnl(position: PositionTerms, markPrice: Price): Money;
  /** USDT of a close at this price before the cap at the margin; book it through `settle`. */
  realizedPnl(position: PositionTerms, closePrice: Price): Money;
  /** What the price move times the size is multiplied by for `realizedPnl`. */
  pnlFactor(position: Pick<PositionTerms, 'leverage'>): bigint;
  /** Return on the margin of an open position (RULE-10), two decimals. */
  openRoe(position: PositionTerms, markPrice: Price): Percent;
  /** Return of a closed position from its booked PnL (RULE-11, A02), two decimals. */
  closedRoe(position: PositionTerms, realizedPnl: Money): Percent;
  /**
   * Absent for net positions, whose liquidation follows from their value.
   *
   * The price at which margin and realized PnL, less the closing fee, are 5 % of the margin (A04, A07). It is rounded
   * to the tick towards the entry (A107), but never onto it: a coarse tick must not liquidate a new position. Never
   * below one tick. With entry E, leverage L, fee rate f, and k = 1 (`standard`) or L (`as-specified`): BUY E(k −
   * 0.95/L)/(k − f), SELL E(k + 0.95/L)/(k + f).
   * @throws RangeError for a negative fee rate, or one that uses up the losable margin (0.95/L) by itself.
   */
  liquidationPrice?(terms: LiquidationTerms): Price;
}

/** The rule set of positions that are opened one by one, each with a liquidation price of its own. */
interface MainRuleSet extends RuleSet {
  liquidationPrice(terms: LiquidationTerms): Price;
}

/** Maintenance margin is 5 % of the required margin (A04), so 95 % of it may be lost. */
const LOSABLE_PERCENT = 95n;
const WHOLE_PERCENT = 100n;

/** The gain per unit of size; negative when the price moved against the position. */
const move = (side: Side, entryPrice: Price, exitPrice: Price): Price =>
  asPrice(side === 'BUY' ? exitPrice - entryPrice : entryPrice - exitPrice);

const unrealizedPnl = ({ side, entryPrice, size }: PositionTerms, markPrice: Price): Money =>
  multiply(move(side, entryPrice, markPrice), size);

const TWO_DECIMALS = UNIT / 100n;
/** `part / whole` in per cent, rounded once to two decimals, half away from zero. */
function percentOf(part: bigint, whole: bigint): Percent {
  const hundredths = multiplyDivide(part, WHOLE_PERCENT * 100n, whole, 'half-away-from-zero');
  return asPercent(hundredths * TWO_DECIMALS);
}

const openRoe = (position: PositionTerms, markPrice: Price): Percent =>
  percentOf(unrealizedPnl(position, markPrice), position.margin);

/** `pnlFactor` is what a gain per unit is multiplied by at the close: 1 in `standard`, L in `as-specified`. */
function liquidationPriceAt(
  pnlFactor: bigint,
  { side, entryPrice, leverage, tickSize, feeRate }: LiquidationTerms,
): Price {
  const parts = WHOLE_PERCENT * BigInt(leverage);
  if (feeRate < 0n || feeRate * parts >= LOSABLE_PERCENT * UNIT) {
    throw new RangeError(`a fee rate is at least 0 and below 0.95 / ${leverage}: ${feeRate}e-8`);
  }
  // One division from the exact numerator to whole ticks: two roundings could cross a tick.
  if (side === 'BUY') {
    const exact = entryPrice * (pnlFactor * parts - LOSABLE_PERCENT) * UNIT;
    const perTick = parts * (pnlFactor * UNIT - feeRate) * tickSize;
    const towardsEntry = divideRounded(exact, perTick, 'ceiling') * tickSize;
    const lastBelowEntry = roundToTick(entryPrice, tickSize, 'ceiling') - tickSize;
    const price = towardsEntry < lastBelowEntry ? towardsEntry : lastBelowEntry;
    return asPrice(price > tickSize ? price : tickSize);
  }
  const exact = entryPrice * (pnlFactor * parts + LOSABLE_PERCENT) * UNIT;
  const perTick = parts * (pnlFactor * UNIT + feeRate) * tickSize;
  const towardsEntry = divideRounded(exact, perTick, 'floor') * tickSize;
  const firstAboveEntry = roundToTick(entryPrice, tickSize, 'floor') + tickSize;
  return asPrice(towardsEntry > firstAboveEntry ? towardsEntry : firstAboveEntry);
}

const standard: MainRuleSet = {
  name: 'standard',
  unrealizedPnl,
  realizedPnl: unrealizedPnl,
  pnlFactor: () => 1n,
  openRoe,
  closedRoe: ({ margin }, realizedPnl) => percentOf(realizedPnl, margin),
  liquidationPrice: (terms) => liquidationPriceAt(1n, terms),
};

const asSpecified: MainRuleSet = {
  name: 'as-specified',
  unrealizedPnl,
  /** The price move × size × leverage (RULE-07, RULE-08). */
  realizedPnl: ({ side, entryPrice, size, leverage }, closePrice) =>
    asMoney(
      multiplyDivide(
        move(side, entryPrice, closePrice) * BigInt(leverage),
        size,
        UNIT,
        'half-away-from-zero',
      ),
    ),
  pnlFactor: ({ leverage }) => BigInt(leverage),
  openRoe,
  // Price and size both carry 1e-8, so their product does twice: one factor moves to the other side of the fraction.
  closedRoe: ({ entryPrice, size }, realizedPnl) => percentOf(realizedPnl * UNIT, entryPrice * size),
  liquidationPrice: (terms) => liquidationPriceAt(BigInt(terms.leverage), terms),
};

const mainRuleSets: Readonly<Record<MainRuleSetName, MainRuleSet>> = {
  standard,
  'as-specified': asSpecified,
};
export const mainRulesOf = (name: MainRuleSetName): MainRuleSet => mainRuleSets[name];

/** Whether a mark price has reached the liquidation price (A05): at it is reached. */
export const isLiquidated = (side: Side, liquidationPrice: Price, markPrice: Price): boolean =>
  side === 'BUY' ? markPrice <= liquidationPrice : markPrice >= liquidationPrice;

export interface Settlement {
  /** What the trader's balance changes by; never below minus the margin. */
  readonly realizedPnl: Money;
  /** The loss beyond the margin, which the house's insurance bears; zero or positive. */
  readonly toInsurance: Money;
}

/** Isolated margin (A03): splits a close's PnL into what the trader bears and what insurance bears. */
export function settle(pnl: Money, margin: Money): Settlement {
  if (pnl >= -margin) return { realizedPnl: pnl, toInsurance: NO_MONEY };
  return { realizedPnl: asMoney(-margin), toInsurance: asMoney(-pnl - margin) };
}
