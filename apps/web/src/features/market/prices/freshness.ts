/**
 * Whether a price may be traded on (A37): its market is open and it is not older than 15 s (crypto) or 60 s, or than the
 * one age that the server was set to. The server decides again when an order arrives; this is what the screen says
 * beforehand.
 */
import type { Tick } from '@fulcrum/contract';
import { isMarketOpen, type MarketType } from '@fulcrum/domain';

export type Freshness = 'missing' | 'fresh' | 'stale' | 'closed';

const cryptoStaleAfterMs = 15_000;
const staleAfterMs = 60_000;

export interface MarketHours {
  readonly type: MarketType;
  readonly tradingHours: string;
}

/** A price as one reads it at some moment. */
export interface Sighting {
  readonly tick: Pick<Tick, 'market_open'> | undefined;
  /** The price's age on the server's clock. */
  readonly ageMs: number;
  /** The present on this one. */
  readonly nowMs: number;
  /** The server's own setting, null for the market's. */
  readonly staleAfterS: number | null;
}

const limitMs = (market: MarketHours, staleAfterS: number | null): number => {
  if (staleAfterS !== null) return staleAfterS * 1000;
  return market.type === 'crypto' ? cryptoStaleAfterMs : staleAfterMs;
};

export function freshnessOf(market: MarketHours, { tick, ageMs, nowMs, staleAfterS }: Sighting): Freshness {
  if (!tick) return 'missing';
  if (!tick.market_open) return 'closed';
  if (ageMs <= limitMs(market, staleAfterS)) return 'fresh';
  // A feed may fall silent at the bell without a last word: the hours tell a shut market from a lost one.
  return isMarketOpen(market.tradingHours, nowMs) ? 'stale' : 'closed';
}

/** `4 s`, `3 min`, `2 h`, `5 d`: an age as a caption says it. */
export function formatAge(ageMs: number): string {
  const seconds = Math.max(0, ageMs) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
