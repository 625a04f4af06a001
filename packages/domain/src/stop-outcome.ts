/**
 * Where a stop loss at a distance from the entry would have closed a position, and the result it would have booked. Pure and
 * exact. Invariant: an outcome exists only where a stop may stand, between entry and liquidation. Known limitation: a market
 * that gaps beyond the stop would have closed it at a worse price.
 */
import { feeOf } from './engine/opening.ts';
import { orderValue } from './margin.ts';
import {
  asMoney,
  asPrice,
  divideRounded,
  type FeeRate,
  type Money,
  type Percent,
  type Price,
  UNIT,
} from './money.ts';
import { rulesOf } from './rule-sets.ts';
import { type PositionTerms, type RuleSetName, settle } from './rules.ts';

interface StoppedPosition extends PositionTerms {
  readonly rules: RuleSetName;
  readonly feeRate: FeeRate;
  readonly liquidationPrice: Price;
  readonly tickSize: Price;
}

interface StopOutcome {
  readonly price: Price;
  /** After the fees of opening and closing; at least minus the margin and the opening's fee (A03, A07). */
  readonly net: Money;
}

const WHOLE_PERCENT = 100n * UNIT;

/** Null where a stop at `distance` per cent of the entry does not stand between entry and liquidation. */
export function stopOutcome(position: StoppedPosition, distance: Percent): StopOutcome | null {
  const { side, entryPrice, size, margin, liquidationPrice, tickSize, feeRate, rules } = position;
  const away = side === 'BUY' ? -distance : distance;
  // To the tick towards the entry: a stop never risks more than the chosen distance.
  const rounding = side === 'BUY' ? 'ceiling' : 'floor';
  const ticks = divideRounded(entryPrice * (WHOLE_PERCENT + away), WHOLE_PERCENT * tickSize, rounding);
  const price = asPrice(ticks * tickSize);
  const stands =
    side === 'BUY'
      ? price < entryPrice && price > liquidationPrice
      : price > entryPrice && price < liquidationPrice;
  if (!stands) return null;
  const { realizedPnl } = settle(rulesOf(rules).realizedPnl(position, price), margin);
  const due = feeOf(orderValue(price, size), feeRate);
  const left = margin + realizedPnl;
  const closing = due < left ? due : left;
  return { price, net: asMoney(realizedPnl - closing - feeOf(orderValue(entryPrice, size), feeRate)) };
}
