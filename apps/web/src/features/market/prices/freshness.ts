/**
 * Whether a price may be traded on (A37): its market is open, its source keeps up, and it is not older than 15 s (crypto)
 * or 60 s, or than the one age that the server was set to. The server says so with each price and again within a second of
 * a change; between its words the age is watched here, and the graver of both counts. The server decides once more when an
 * order arrives.
 */
import type { PriceState, Tick } from '@fulcrum/contract';
import { isMarketOpen, type MarketType } from '@fulcrum/domain';
import type { ShownState } from '../../../shared/prices/state-words.ts';

export type Freshness = 'missing' | 'fresh' | 'delayed' | 'stale' | 'closed';

const cryptoStaleAfterMs = 15_000;
const staleAfterMs = 60_000;

export interface MarketHours {
  readonly type: MarketType;
  readonly tradingHours: string;
}

/** A price as one reads it at some moment. */
export interface Sighting {
  readonly tick: Pick<Tick, 'market_open' | 'state'> | undefined;
  /** The price's age on the server's clock. */
  readonly ageMs: number;
  /** The present on this one. */
  readonly nowMs: number;
  /** The server's own setting, null for the market's. */
  readonly staleAfterS: number | null;
}

const limitMs = (market: Pick<MarketHours, 'type'>, staleAfterS: number | null): number => {
  if (staleAfterS !== null) return staleAfterS * 1000;
  return market.type === 'crypto' ? cryptoStaleAfterMs : staleAfterMs;
};

export function freshnessOf(market: MarketHours, { tick, ageMs, nowMs, staleAfterS }: Sighting): Freshness {
  if (!tick) return 'missing';
  if (!tick.market_open || tick.state === 'closed') return 'closed';
  if (tick.state === 'stale') return 'stale';
  if (ageMs <= limitMs(market, staleAfterS)) return tick.state === 'delayed' ? 'delayed' : 'fresh';
  // A feed may fall silent at the bell without a last word: the hours tell a shut market from a lost one.
  return isMarketOpen(market.tradingHours, nowMs) ? 'stale' : 'closed';
}

/** The state to show: what the price is made of as long as it is fresh, else why it is not. */
export const shownState = (freshness: Freshness, state: PriceState | undefined): ShownState =>
  freshness === 'fresh' ? (state ?? 'missing') : freshness;

const youngShare = 0.5;
/** Whether a price that the server calls stale is young: then it is held back, not lost. */
export const isHeldBack = (
  market: Pick<MarketHours, 'type'>,
  { tick, ageMs, staleAfterS }: Sighting,
): boolean => tick?.state === 'stale' && ageMs < limitMs(market, staleAfterS) * youngShare;
