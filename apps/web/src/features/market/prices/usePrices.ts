/** The price stream for components: one per client, joined while something on screen needs it. */
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { LiveSource } from '../../../shared/numbers/index.ts';
import type { PriceStanding } from '../../../shared/prices/state-explanation.ts';
import { type Supabase, useSupabase } from '../../../shared/supabase/index.ts';
import { onEverySecond } from '../../../shared/time/seconds.ts';
import {
  type Freshness,
  freshnessOf,
  isHeldBack,
  type MarketHours,
  type Sighting,
  shownState,
} from './freshness.ts';
import { createPriceStream, type FeedState, type PriceStream } from './price-stream.ts';

const streams = new WeakMap<Supabase, PriceStream>();

export function usePriceStream(): PriceStream {
  const supabase = useSupabase();
  const known = streams.get(supabase);
  if (known) return known;
  const made = createPriceStream(supabase.realtime);
  streams.set(supabase, made);
  return made;
}

/** Keeps `prices` (null) or one symbol's own channel joined while the component is mounted. */
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
 * A value derived from live prices that renders only when it really changed. `sample` has to be pure and its value
 * comparable as JSON; it is taken after each price (at most every `everyMs`) and each second, because ages change too.
 */
export function useSampled<Value>(symbol: string, sample: () => Value, everyMs = 500): Value {
  const stream = usePriceStream();
  const held = useRef<{ readonly text: string; readonly value: Value } | null>(null);
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
    if (held.current?.text !== text) held.current = { text, value };
    return held.current.value;
  });
}

/** A pair, as far as its price is judged. */
export type PricedMarket = MarketHours & { readonly symbol: string };

function useSighting(): (market: PricedMarket) => Sighting {
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
export function useFreshnessReading(): (market: PricedMarket) => Freshness {
  const sight = useSighting();
  return useCallback((market) => freshnessOf(market, sight(market)), [sight]);
}

/** Reads what a market's price is worth at this moment, and why; stable, like the one above. */
export function useStandingReading(): (market: PricedMarket) => PriceStanding {
  const stream = usePriceStream();
  const sight = useSighting();
  return useCallback(
    (market) => {
      const sighting = sight(market);
      const last = stream.latest(market.symbol);
      return {
        state: shownState(freshnessOf(market, sighting), last?.state),
        source: last?.source ?? null,
        heardAt: last ? sighting.nowMs - sighting.ageMs : null,
        marketTime: last?.market_time ? Date.parse(last.market_time) : null,
        isHeld: isHeldBack(market, sighting),
        nowMs: sighting.nowMs,
      };
    },
    [stream, sight],
  );
}

/** Whether the symbol's price may be traded on now. */
export function useFreshness(market: PricedMarket): Freshness {
  const read = useFreshnessReading();
  return useSampled(market.symbol, () => read(market));
}

export function useFeedState(): FeedState {
  const stream = usePriceStream();
  return useSyncExternalStore(onEverySecond, stream.state);
}
