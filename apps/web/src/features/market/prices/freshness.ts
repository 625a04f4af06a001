/**
 * Decides whether a price may be traded on (A37). Its market must be open, its source up to date, and the price not
 * older than 15 s (crypto) or 60 s, or than the server's own setting.
 *
 * The server sends its verdict with each price and within a second of a change. Between those messages this module
 * checks the age, and the stricter verdict applies. The server decides again when an order arrives.
 */
import type { PriceState, Tick } from '@fulcrum/contract';
import { getStaleAfterMs, isMarketOpen, type MarketType } from '@fulcrum/domain';
import type { ShownState } from '../../../shared/prices/state-labels.ts';

export type Freshness = 'missing' | 'fresh' | 'delayed' | 'stale' | 'closed';

export interface MarketHours {
  readonly type: MarketType;
  readonly tradingHours: string;
}

/** A price as observed at one moment. */
export interface PriceObservation {
  readonly tick: Pick<Tick, 'market_open' | 'state'> | undefined;
  /** The price's age on the server's clock. */
  readonly ageMs: number;
  /** The current time on this clock. */
  readonly nowMs: number;
  /** The server's own setting; null applies the market's. */
  readonly staleAfterS: number | null;
}

export function getFreshness(
  market: MarketHours,
  { tick, ageMs, nowMs, staleAfterS }: PriceObservation,
): Freshness {
  if (!tick) return 'missing';
  if (!tick.market_open || tick.state === 'closed') return 'closed';
  if (tick.state === 'stale') return 'stale';
  if (ageMs <= getStaleAfterMs(market.type, staleAfterS))
    return tick.state === 'delayed' ? 'delayed' : 'fresh';
  // A feed may fall silent at the close without a last message: the trading hours distinguish a closed market from a
  // lost feed.
  return isMarketOpen(market.tradingHours, nowMs) ? 'stale' : 'closed';
}

/** The state to show: the price's source while it is fresh, else the reason why it is not. */
export const getShownState = (freshness: Freshness, state: PriceState | undefined): ShownState =>
  freshness === 'fresh' ? (state ?? 'missing') : freshness;
