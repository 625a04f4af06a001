/**
 * The fact sheet of a closed trade: what its rows and the prices around it say, and nothing else. Pure and exact. Invariant: a fact
 * that cannot be known (no stop loss, no prices) is absent and never zero, so no rule can speak of it.
 *
 * Excursions are as Sweeney defined them (Campaign Trading, 1997): the farthest that prices went against a trade and in its favour while
 * it was open. Known limitation: bars know no order of their prices, so the bars of the open and of the close may hold
 * prices from before and after the trade; an excursion is then too large by what that bar moved.
 */
import { asMoney, asPercent, divideRounded, HUNDRED_PERCENT, type Money, type Price } from '../money.ts';
import { type ClosedTrade, rMultiple } from '../performance.ts';
import { rulesOf } from '../rule-sets.ts';
import { type PositionTerms, type RuleSetName, settle } from '../rules.ts';
import type { CloseReason, OrderType, Side } from '../states.ts';
import { dayMs, minuteMs } from '../time.ts';

/** A closed position with what was set and paid for it. */
export interface ReviewableTrade extends ClosedTrade, PositionTerms {
  readonly rules: RuleSetName;
  readonly closePrice: Price;
  readonly closeReason: CloseReason;
  /** The type of the order that closed it; null where none did. */
  readonly closedBy: OrderType | null;
  /** Whether, at any time while it was open, a stop order waited to reduce it. */
  readonly hadStopOrder: boolean;
  readonly firstStop: Price | null;
  /** At the close. */
  readonly lastStop: Price | null;
  /** Spread, impact and latency of its executions; null where none are stored. */
  readonly executionCosts: Money | null;
  /** Of the account right before the trade; null without a snapshot. */
  readonly equityBefore: Money | null;
}

export interface PriceRange {
  readonly high: Price;
  readonly low: Price;
}

/** What prices did; null where none are stored. */
export interface PricesAround {
  /** While the trade was open. */
  readonly during: PriceRange | null;
  /** For `followMsOf` after the close. */
  readonly after: PriceRange | null;
}

/** The last trade of the account that closed with a loss before this one opened. */
export interface LossBefore {
  readonly net: Money;
  readonly closedAt: number;
}

/** Money in USDT, prices, shares and ratios in 1e-8; `ms` in milliseconds. */
export type Fact =
  | { readonly unit: 'money' | 'price' | 'percent' | 'r'; readonly value: bigint }
  | { readonly unit: 'ms'; readonly value: number };

export const factNames = [
  'net',
  'held',
  'entryPrice',
  'exitPrice',
  'costs',
  'costShare',
  'risk',
  'r',
  'riskShare',
  'firstStop',
  'lastStop',
  'worstPrice',
  'worstResult',
  'bestPrice',
  'bestResult',
  'captured',
  'missedPrice',
  'missedResult',
  'sinceLoss',
  'lossBefore',
] as const;
export type FactName = (typeof factNames)[number];

export interface FactSheet {
  readonly id: string;
  readonly symbol: string;
  readonly side: Side;
  readonly closedAt: number;
  readonly closeReason: CloseReason;
  readonly closedBy: OrderType | null;
  readonly hadStopOrder: boolean;
  readonly facts: Readonly<Partial<Record<FactName, Fact>>>;
}

/** How long after the close prices count as what followed: as long as the trade was open, within a quarter of an hour and a day. */
export const followMsOf = ({ openedAt, closedAt }: Pick<ClosedTrade, 'openedAt' | 'closedAt'>): number =>
  Math.min(Math.max(closedAt - openedAt, 15 * minuteMs), dayMs);

const money = (value: bigint): Fact => ({ unit: 'money', value });
const price = (value: bigint): Fact => ({ unit: 'price', value });
/** Half away from zero. */
export const shareOf = (part: bigint, whole: bigint): Fact => ({
  unit: 'percent',
  value: asPercent(divideRounded(part * HUNDRED_PERCENT, whole, 'half-away-from-zero')),
});

/** The price of a range that is best, or worst, for a side. */
const bestOf = (side: Side, { high, low }: PriceRange): Price => (side === 'BUY' ? high : low);
const worstOf = (side: Side, { high, low }: PriceRange): Price => (side === 'BUY' ? low : high);

const highest = (...prices: readonly Price[]): Price =>
  prices.reduce((one, other) => (one > other ? one : other));
const lowest = (...prices: readonly Price[]): Price =>
  prices.reduce((one, other) => (one < other ? one : other));

/** What a close at that price would have booked, before fees and funding. */
const resultAt = (trade: ReviewableTrade, at: Price): Money =>
  settle(rulesOf(trade.rules).realizedPnl(trade, at), trade.margin).realizedPnl;

export function factsOf(
  trade: ReviewableTrade,
  { during, after }: PricesAround,
  lossBefore: LossBefore | null,
): FactSheet {
  const { id, symbol, side, entryPrice, closePrice, openedAt, closedAt, risk } = trade;
  const { closeReason, closedBy, hadStopOrder } = trade;
  const net = asMoney(trade.realizedPnl - trade.fees + trade.funding);
  const costs = trade.fees - trade.funding + (trade.executionCosts ?? 0n);
  // Spread, impact and latency are part of the prices: without them the result would have been better.
  const uncharged = trade.realizedPnl + (trade.executionCosts ?? 0n);
  const facts: Partial<Record<FactName, Fact>> = {
    net: money(net),
    held: { unit: 'ms', value: closedAt - openedAt },
    entryPrice: price(entryPrice),
    exitPrice: price(closePrice),
    costs: money(costs),
  };
  if (uncharged > 0n && costs > 0n) facts.costShare = shareOf(costs, uncharged);
  if (trade.firstStop !== null) facts.firstStop = price(trade.firstStop);
  if (trade.lastStop !== null) facts.lastStop = price(trade.lastStop);
  if (risk !== null) {
    facts.risk = money(risk);
    facts.r = { unit: 'r', value: rMultiple(net, risk) };
    if (trade.equityBefore !== null && trade.equityBefore > 0n)
      facts.riskShare = shareOf(risk, trade.equityBefore);
  }
  if (during !== null) {
    // Whatever the bars say, and whatever was corrected since: the trade had its own prices.
    const lived = {
      high: highest(during.high, entryPrice, closePrice),
      low: lowest(during.low, entryPrice, closePrice),
    };
    const [best, worst] = [bestOf(side, lived), worstOf(side, lived)];
    const bestResult = resultAt(trade, best);
    facts.worstPrice = price(worst);
    facts.worstResult = money(resultAt(trade, worst));
    facts.bestPrice = price(best);
    facts.bestResult = money(bestResult);
    if (bestResult > 0n) facts.captured = shareOf(trade.realizedPnl, bestResult);
  }
  if (after !== null) {
    const best = bestOf(side, after);
    const missed = resultAt(trade, best) - resultAt(trade, closePrice);
    if (missed > 0n) {
      facts.missedPrice = price(best);
      facts.missedResult = money(missed);
    }
  }
  if (lossBefore !== null && lossBefore.closedAt <= openedAt) {
    facts.sinceLoss = { unit: 'ms', value: openedAt - lossBefore.closedAt };
    facts.lossBefore = money(lossBefore.net);
  }
  return { id, symbol, side, closedAt, closeReason, closedBy, hadStopOrder, facts };
}
