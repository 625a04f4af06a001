/**
 * Trades of a market whose trades nobody streams (A114), for looking only: each price of the market is one trade. A pure function of two
 * prices in a row, their instants, the volume of a minute by the model, and two draws from the day's key. Nobody traded them.
 */
import { asSize, type Price, type Size } from '../money.ts';
import type { PairLimits } from '../pairs.ts';
import type { Side } from '../states.ts';
import { minuteMs } from '../time.ts';

/** A trade of the market, of no account of ours. */
export interface MarketTrade {
  readonly price: Price;
  readonly size: Size;
  /** The side of the taker's order. */
  readonly side: Side;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A price of the market at its instant, milliseconds since the epoch. */
export interface PricedInstant {
  readonly price: Price;
  readonly at: number;
}

/** Where the price before is not known, or long ago. */
const usualGapMs = 1_000;
const drawUnit = 1n << 32n;

/**
 * The trade that made `now` of `before`. A price that rose was bought, one that fell was sold, and one that stands is of the side that
 * the first draw chooses. The size is what trades in the time since, times a half to one and a half by the second draw.
 */
export function modelledTrade(
  now: PricedInstant,
  before: PricedInstant | null,
  minuteVolume: Size,
  { stepSize, minQty, maxQty }: PairLimits,
  [sideDraw, sizeDraw]: readonly [number, number],
): MarketTrade {
  const gapMs = before === null ? usualGapMs : now.at - before.at;
  const tradedMs = gapMs > 0 && gapMs <= minuteMs ? gapMs : usualGapMs;
  const parts = drawUnit / 2n + BigInt(sizeDraw);
  const exact = (minuteVolume * BigInt(tradedMs) * parts) / (BigInt(minuteMs) * drawUnit);
  const bounded = exact < minQty ? minQty : exact > maxQty ? maxQty : exact;
  const isEven = before === null || now.price === before.price;
  const isBought = isEven ? sideDraw % 2 === 0 : now.price > before.price;
  return {
    ...{ price: now.price, at: now.at, side: isBought ? 'BUY' : 'SELL' },
    size: asSize(bounded - (bounded % stepSize)),
  };
}
