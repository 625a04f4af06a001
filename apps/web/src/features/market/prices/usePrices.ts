/** The price stream for components: one per client, joined while a mounted component needs it. */
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { LiveSource } from '../../../shared/numbers/index.ts';
import type { PriceStatus } from '../../../shared/prices/state-explanation.ts';
import { type Supabase, useSupabase } from '../../../shared/supabase/index.ts';
import { onEverySecond } from '../../../shared/time/seconds.ts';
import {
  type Freshness,
  getFreshness,
  getShownState,
  type MarketHours,
  type PriceObservation,
} from './freshness.ts';
import { isCutOff, subscribeToNetwork } from './network.ts';
import { createPriceStream, type FeedState, type PriceStream } from './price-stream.ts';

const streams = new WeakMap<Supabase, PriceStream>();

export function usePriceStream(): PriceStream {
  const supabase = useSupabase();
  const known = streams.get(supabase);
  if (known) return known;
  const created = createPriceStream(supabase.realtime);
  streams.set(supabase, created);
  return created;
}

/** Joins `prices` (null) or one symbol's own channel while the component is mounted. */
export function useFollowedPrices(symbol: string | null): void {
  const stream = usePriceStream();
  useEffect(() => stream.follow(symbol), [stream, symbol]);
}

/** The symbol's last price for a `LiveFigure`. */
export function usePriceSource(symbol: string, everyMs?: number): LiveSource {
  const stream = usePriceStream();
  return useMemo(() => stream.source(symbol, (tick) => tick.price, everyMs), [stream, symbol, everyMs]);
}

export function useChangeSource(symbol: string, everyMs?: number): LiveSource {
  const stream = usePriceStream();
  return useMemo(
    () => stream.source(symbol, (tick) => tick.price_change_percent, everyMs),
    [stream, symbol, everyMs],
  );
}

/**
 * A value derived from live prices that renders only when it changes. `sample` must be pure and its value comparable
 * as JSON. It runs after each price (at most every `everyMs`) and each second, because ages change too.
 */
export function useSampled<Value>(symbol: string, sample: () => Value, everyMs = 500): Value {
  const stream = usePriceStream();
  const cached = useRef<{ readonly text: string; readonly value: Value } | null>(null);
  const subscribe = useCallback(
    (changed: () => void) => {
      const offPrice = stream.subscribe(symbol, changed, everyMs);
      const offClock = onEverySecond(changed);
      return () => {
        offPrice();
        offClock();
      };
    },
    [stream, symbol, everyMs],
  );
  return useSyncExternalStore(subscribe, () => {
    const value = sample();
    const text = JSON.stringify(value);
    if (cached.current?.text !== text) cached.current = { text, value };
    return cached.current.value;
  });
}

/** The fields of a pair that decide the state of its price. */
export type PricedMarket = MarketHours & { readonly symbol: string };

function usePriceObservation(): (market: PricedMarket) => PriceObservation {
  const stream = usePriceStream();
  const { staleAfterS } = useSupabase().config;
  return useCallback(
    ({ symbol }) => ({
      tick: stream.latest(symbol),
      ageMs: stream.ageMs(symbol),
      nowMs: Date.now(),
      staleAfterS,
    }),
    [stream, staleAfterS],
  );
}

/** Reads whether a market's price may be traded on at this moment; for a sample of `useSampled`. */
export function useReadFreshness(): (market: PricedMarket) => Freshness {
  const observe = usePriceObservation();
  return useCallback((market) => getFreshness(market, observe(market)), [observe]);
}

/** Reads the state of a market's price at this moment, with its reason; stable, like the one above. */
export function useReadPriceStatus(): (market: PricedMarket) => PriceStatus {
  const stream = usePriceStream();
  const observe = usePriceObservation();
  return useCallback(
    (market) => {
      const observation = observe(market);
      const last = stream.latest(market.symbol);
      return {
        state: getShownState(getFreshness(market, observation), last?.state),
        source: last?.source ?? null,
        receivedAt: last ? observation.nowMs - observation.ageMs : null,
        marketTime: last?.market_time ? Date.parse(last.market_time) : null,
        isHeld: last?.held === true,
        nowMs: observation.nowMs,
      };
    },
    [stream, observe],
  );
}

/** Whether the symbol's price may be traded on now. */
export function useFreshness(market: PricedMarket): Freshness {
  const read = useReadFreshness();
  return useSampled(market.symbol, () => read(market));
}

export function useFeedState(): FeedState {
  const stream = usePriceStream();
  return useSyncExternalStore(onEverySecond, stream.state);
}

/** Whether prices that came each second have not come for some. */
export function useIsFeedLate(): boolean {
  const stream = usePriceStream();
  return useSyncExternalStore(onEverySecond, stream.isLate);
}

/** Whether nothing reaches this browser or leaves it. */
export const useIsCutOff = (): boolean => useSyncExternalStore(subscribeToNetwork, isCutOff);
