/**
 * The state of a price at an instant, from its ticks (A37, A98; docs/market.md). Invariant: no clock and no state of its own,
 * so the state of a price without new ticks changes with time alone.
 */
import type { PriceState } from '@fulcrum/contract';
import {
  delayedAfterMinutes,
  getStaleAfterMs,
  isMarketOpen,
  minuteMs,
  type TradingPair,
} from '@fulcrum/domain';
import type { Config } from '../../platform/config/index.ts';
import type { Source } from './feed.ts';

/** What decides about a price beside the instant. Times in ms since the epoch. */
export interface PriceObservation {
  readonly source: Source;
  /** Receive time. */
  readonly pricedAt: number;
  /** State according to the source. */
  readonly marketTime: number;
  /** False when the source states that the market is closed. */
  readonly isOpenBySource: boolean;
  /** Whether something else speaks against trading on it: it is held back, or the price of a close. */
  readonly isWithheld: boolean;
}

interface PriceStates {
  /** Whether the market trades: by its hours where they are honoured, and by its source. */
  isOpen(pair: TradingPair, observation: PriceObservation, now: number): boolean;
  /** Whether nothing may open or fire on it for another reason than the hours: too old, held or delayed. */
  isStale(pair: TradingPair, observation: PriceObservation, now: number): boolean;
  /** The gravest that applies. */
  getState(pair: TradingPair, observation: PriceObservation, now: number): PriceState;
  /** Whether a live source's own time is too far behind. */
  isDelayed(source: Source, marketTime: number, now: number): boolean;
}

/** Sources outside this machine, which show a market of this moment. */
export const isProvider = (source: Source): boolean => source === 'binance' || source === 'yahoo';

/** `SESSIONS` unset: a polled source closes at night, the others never do (A98). */
export const honoursHours = ({ sessions }: Pick<Config, 'sessions'>, source: Source | null): boolean =>
  sessions === null ? source === 'yahoo' : sessions === 'honour';

export function createPriceStates(config: Pick<Config, 'sessions' | 'staleAfterS'>): PriceStates {
  function isOpen(pair: TradingPair, { source, marketTime, isOpenBySource }: PriceObservation, now: number) {
    if (!isOpenBySource) return false;
    // A recorded day has its own hours.
    return (
      !honoursHours(config, source) || isMarketOpen(pair.tradingHours, source === 'replay' ? marketTime : now)
    );
  }

  /** A time this far ahead of now, after the clock was set back, means that the age is unknown. */
  function isTooOld({ type }: TradingPair, pricedAt: number, now: number): boolean {
    return Math.abs(now - pricedAt) > getStaleAfterMs(type, config.staleAfterS);
  }

  const isDelayed = (source: Source, marketTime: number, now: number): boolean =>
    isProvider(source) && now - marketTime > delayedAfterMinutes * minuteMs;

  return {
    isOpen,
    isDelayed,
    isStale: (pair, observation, now) =>
      observation.isWithheld ||
      isTooOld(pair, observation.pricedAt, now) ||
      isDelayed(observation.source, observation.marketTime, now),
    getState(pair, observation, now) {
      if (!isOpen(pair, observation, now)) return 'closed';
      if (observation.isWithheld || isTooOld(pair, observation.pricedAt, now)) return 'stale';
      if (isDelayed(observation.source, observation.marketTime, now)) return 'delayed';
      return observation.source === 'simulated' || observation.source === 'replay'
        ? observation.source
        : 'live';
    },
  };
}
