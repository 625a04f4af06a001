/**
 * The market's last trades with ids: thousand of the instant (ms) and its rank among those of that instant, so ids ascend in time and
 * stay. Invariant: a trade that is shown twice has one id; where older trades of the oldest instant may have left the list, all of that
 * instant are left out.
 */
import {
  formatFixed,
  type MarketTrade,
  multiply,
  priceDecimals,
  sizeDecimals,
  type TradingPair,
} from '@fulcrum/domain';
import type { Market } from '../../../features/market/index.ts';

const idsPerInstant = 1_000;
/** As many are kept of a symbol. */
const cachedMax = 50;

export interface NumberedTrade extends MarketTrade {
  readonly id: number;
}

type Traded = ReturnType<Market['quotes']['trades']>;

/** The oldest first. */
export function numberTrades({ source, trades }: Traded): NumberedTrade[] {
  let [rank, lastAt] = [0, Number.NaN];
  const numbered = trades.toReversed().map((trade) => {
    rank = trade.at === lastAt ? rank + 1 : 0;
    lastAt = trade.at;
    return { ...trade, id: trade.at * idsPerInstant + rank };
  });
  // Modelled ones have an instant each.
  if (source === 'modelled' || numbered.length < cachedMax) return numbered;
  const whole = numbered.filter(({ at }) => at !== numbered[0]?.at);
  return whole.length > 0 ? whole : numbered;
}

export const toTrade = ({ id, price, size, side, at }: NumberedTrade, pair: TradingPair) => ({
  id,
  price: formatFixed(price, priceDecimals(pair)),
  qty: formatFixed(size, sizeDecimals(pair)),
  quoteQty: formatFixed(multiply(price, size), 8),
  time: at,
  isBuyerMaker: side === 'SELL',
  isRPITrade: false as const,
});

export const toAggregate = ({ id, price, size, side, at }: NumberedTrade, pair: TradingPair) => ({
  a: id,
  p: formatFixed(price, priceDecimals(pair)),
  q: formatFixed(size, sizeDecimals(pair)),
  f: id,
  l: id,
  T: at,
  m: side === 'SELL',
});

export interface TradesQuery {
  readonly fromId?: number | undefined;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly limit: number;
}

/** With a beginning the oldest from it on, else the newest; the oldest first. */
export function selectTrades(
  trades: readonly NumberedTrade[],
  { fromId, startTime, endTime, limit }: TradesQuery,
): readonly NumberedTrade[] {
  const within = trades.filter(
    ({ id, at }) =>
      (fromId === undefined || id >= fromId) &&
      (startTime === undefined || at >= startTime) &&
      (endTime === undefined || at <= endTime),
  );
  return fromId === undefined && startTime === undefined ? within.slice(-limit) : within.slice(0, limit);
}
