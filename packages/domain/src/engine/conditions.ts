/**
 * What a conditional order waits for (A113): a price, or a distance from the best price since. Invariant: a condition that is
 * met is met at every price beyond it, so a gap does not skip it.
 */
import { asPrice, divideRounded, HUNDRED_PERCENT, type Percent, type Price, UNIT } from '../money.ts';
import { isWaiting, type Side } from '../states.ts';
import type { Order } from './types.ts';

/** The distance of a trailing stop, per cent: from 0.1 to 20, in steps of 0.1. */
const trailStep = UNIT / 10n;
const trailMax = 20n * UNIT;

export const isTrailRate = (rate: bigint): rate is Percent =>
  rate >= trailStep && rate <= trailMax && rate % trailStep === 0n;

/** Where an order fires, or where it follows. */
export interface ConditionTrigger {
  readonly price: Price;
  /** `rises`: at this price and above; `falls`: at this price and below. */
  readonly when: 'rises' | 'falls';
}

type Conditional = Pick<
  Order,
  'type' | 'side' | 'rules' | 'status' | 'triggerPrice' | 'trailRate' | 'peakPrice' | 'triggeredAt'
>;

/** Whether the order waits to become one; false for an order without a condition, and once it is met. */
export const waitsForTrigger = ({
  type,
  rules,
  status,
  triggeredAt,
}: Pick<Order, 'type' | 'rules' | 'status' | 'triggeredAt'>): boolean =>
  rules === 'perpetual' && type !== 'MARKET' && type !== 'LIMIT' && triggeredAt === null && isWaiting(status);

/** The limit price of the order once it is met; null trades at the market. */
export const hasLimit = (type: Order['type']): boolean =>
  type === 'LIMIT' || type === 'STOP' || type === 'TAKE_PROFIT';

const against = (when: 'rises' | 'falls') => (when === 'rises' ? 'falls' : 'rises');
/** The way in which the market moves when a stop of this side fires. */
const stopFires = (side: Side) => (side === 'BUY' ? 'rises' : 'falls');

/**
 * Where a trailing stop fires: BUY peak × (1 + r), rounded up; SELL peak × (1 − r), rounded down. So the market has
 * moved by the whole distance.
 */
export function trailLevel(side: Side, peak: Price, rate: Percent): Price {
  const [factor, rounding] =
    side === 'BUY'
      ? ([HUNDRED_PERCENT + rate, 'ceiling'] as const)
      : ([HUNDRED_PERCENT - rate, 'floor'] as const);
  return asPrice(divideRounded(peak * factor, HUNDRED_PERCENT, rounding));
}

/** Where the order becomes one; null for a trailing stop that does not follow yet, and where there is no condition. */
export function conditionOf(order: Conditional): ConditionTrigger | null {
  const { type, side, triggerPrice, trailRate, peakPrice } = order;
  if (!waitsForTrigger(order)) return null;
  const stop = stopFires(side);
  if (trailRate !== null) {
    return peakPrice === null ? null : { price: trailLevel(side, peakPrice, trailRate), when: stop };
  }
  if (triggerPrice === null) return null;
  const isStop = type === 'STOP' || type === 'STOP_MARKET';
  return { price: triggerPrice, when: isStop ? stop : against(stop) };
}

/** Where the best price of a trailing stop moves: beyond the last one, or where it begins to follow. Null for any other order. */
export function followTriggerOf(order: Conditional): ConditionTrigger | null {
  const { side, triggerPrice, trailRate, peakPrice } = order;
  if (trailRate === null || !waitsForTrigger(order)) return null;
  const when = against(stopFires(side));
  if (peakPrice === null) {
    // Without a price to begin at, it follows from the first one that trades.
    return triggerPrice === null ? { price: asPrice(1n), when: 'rises' } : { price: triggerPrice, when };
  }
  if (when === 'falls' && peakPrice <= 1n) return null;
  return { price: asPrice(when === 'rises' ? peakPrice + 1n : peakPrice - 1n), when };
}
