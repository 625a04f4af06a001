/** Margin and liquidation of a net position (A113). All figures are USDT but where they are called prices or sizes. */
import { asMoney, asPrice, divideRounded, type Money, type Price, type Size, UNIT } from '../money.ts';
import { type MarketType, roundToTick } from '../pairs.ts';
import type { Side } from '../states.ts';
import { bracketOf, MAINTENANCE_RATE_UNIT } from './brackets.ts';

/** The greatest one that triggers wait for, which are floats: about 90 million. */
const greatestPrice = asPrice(BigInt(Number.MAX_SAFE_INTEGER));

/** The leverage of a symbol before the trader has chosen one. */
export const NET_LEVERAGE = 20;

export interface NetTerms {
  readonly side: Side;
  readonly size: Size;
  readonly entryValue: Money;
  readonly margin: Money;
}

/** The average entry price, rounded to 1e-8 half away from zero. */
export const entryPriceOf = ({ entryValue, size }: Pick<NetTerms, 'entryValue' | 'size'>): Price =>
  asPrice(divideRounded(entryValue * UNIT, size, 'half-away-from-zero'));

/** What a trade of this value locks, rounded down, so that the parts of an order never lock more than the whole would. */
export const initialMargin = (value: Money, leverage: number): Money => asMoney(value / BigInt(leverage));

/**
 * Where margin and result together are the maintenance margin of the position's value at its entry. With margin M, maintenance
 * amount c, rate r, size q and entry value V: BUY (V − M − c) / (q (1 − r)), SELL (V + M + c) / (q (1 + r)). This is
 * (wallet + cum − s·q·entry) / (q·mmr − s·q) of the exchange's documents, which clients compute again. It is rounded to
 * the tick towards the entry, and lies between one tick and the last tick before the entry; a SELL with much margin has the
 * greatest price.
 */
export function netLiquidationPrice(
  { side, size, entryValue, margin }: NetTerms,
  market: MarketType,
  tickSize: Price,
): Price {
  const { mmr, cum } = bracketOf(market, entryValue);
  const entry = entryPriceOf({ entryValue, size });
  const held = margin + cum;
  if (side === 'BUY') {
    const exact = (entryValue - held) * UNIT * MAINTENANCE_RATE_UNIT;
    const perTick = size * (MAINTENANCE_RATE_UNIT - mmr) * tickSize;
    const towardsEntry = divideRounded(exact, perTick, 'ceiling') * tickSize;
    const last = roundToTick(entry, tickSize, 'ceiling') - tickSize;
    const price = towardsEntry < last ? towardsEntry : last;
    return asPrice(price > tickSize ? price : tickSize);
  }
  const exact = (entryValue + held) * UNIT * MAINTENANCE_RATE_UNIT;
  const perTick = size * (MAINTENANCE_RATE_UNIT + mmr) * tickSize;
  const towardsEntry = divideRounded(exact, perTick, 'floor') * tickSize;
  const first = roundToTick(entry, tickSize, 'floor') + tickSize;
  const price = towardsEntry > first ? towardsEntry : first;
  const last = roundToTick(greatestPrice, tickSize, 'floor');
  return asPrice(price < last ? price : last);
}
