/**
 * What a price is worth at an instant, from what was heard of it (A37, A98; docs/market.md). Invariant: no clock and no
 * memory of its own, so a price that nobody speaks of changes its state by the passing of time alone.
 */
import type { PriceState } from '@fulcrum/contract';
import { isMarketOpen, type TradingPair } from '@fulcrum/domain';
import type { Config } from '../../platform/config/index.ts';
import type { Source } from './feed.ts';

/** A37: an open market's price opens nothing from this age on. */
const staleAfterMs = { crypto: 15_000, other: 60_000 } as const;
/** A37: a provider whose own time is further behind than this is to look at only. */
const delayedAfterMs = 20 * 60_000;

/** What decides about a price beside the instant. Times in ms since the epoch. */
export interface HeardPrice {
  readonly source: Source;
  /** When the source was heard. */
  readonly pricedAt: number;
  /** What the source says of itself. */
  readonly marketTime: number;
  /** False when the source itself says that the market is shut. */
  readonly isOpenBySource: boolean;
  /** Whether something else speaks against trading on it: it is held back, or the price of a close. */
  readonly isWithheld: boolean;
}

export interface PriceStates {
  /** Whether the market trades: its hours where they are honoured, and the source's own word. */
  isOpen(pair: TradingPair, heard: HeardPrice, now: number): boolean;
  /** Whether nothing may open or fire on it for another reason than the hours: too old, withheld or delayed. */
  isStale(pair: TradingPair, heard: HeardPrice, now: number): boolean;
  /** The gravest that applies. */
  stateOf(pair: TradingPair, heard: HeardPrice, now: number): PriceState;
  /** Whether a live source's own time is too far behind. */
  isBehind(source: Source, marketTime: number, now: number): boolean;
}

/** Sources outside this machine, which show a market of this moment. */
export const isProvider = (source: Source): boolean => source === 'binance' || source === 'yahoo';

export function createPriceStates(config: Pick<Config, 'sessions' | 'staleAfterS'>): PriceStates {
  /** `SESSIONS` unset: a polled source stands still at night, the others never do (A98). */
  const honoursHours = (source: Source): boolean =>
    config.sessions === null ? source === 'yahoo' : config.sessions === 'honour';

  function isOpen(pair: TradingPair, { source, marketTime, isOpenBySource }: HeardPrice, now: number) {
    if (!isOpenBySource) return false;
    // A recorded day has its own hours.
    return !honoursHours(source) || isMarketOpen(pair.tradingHours, source === 'replay' ? marketTime : now);
  }

  /** As far ahead of now, after a clock that was set back, nobody knows how old it is. */
  function isTooOld({ type }: TradingPair, pricedAt: number, now: number): boolean {
    const byMarket = type === 'crypto' ? staleAfterMs.crypto : staleAfterMs.other;
    return Math.abs(now - pricedAt) > (config.staleAfterS === null ? byMarket : config.staleAfterS * 1000);
  }

  const isBehind = (source: Source, marketTime: number, now: number): boolean =>
    isProvider(source) && now - marketTime > delayedAfterMs;

  return {
    isOpen,
    isBehind,
    isStale: (pair, heard, now) =>
      heard.isWithheld ||
      isTooOld(pair, heard.pricedAt, now) ||
      isBehind(heard.source, heard.marketTime, now),
    stateOf(pair, heard, now) {
      if (!isOpen(pair, heard, now)) return 'closed';
      if (heard.isWithheld || isTooOld(pair, heard.pricedAt, now)) return 'stale';
      if (isBehind(heard.source, heard.marketTime, now)) return 'delayed';
      return heard.source === 'simulated' || heard.source === 'replay' ? heard.source : 'live';
    },
  };
}
