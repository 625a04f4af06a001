/**
 * Market Sentiment (DASH-11 to DASH-14, A90): twelve hourly points by the domain's formula, the last one of the running hour.
 * Points of past hours are computed when a bar comes in, the running one every `runningMs` while clients request it.
 */
import type { MarketSentiment } from '@fulcrum/contract';
import {
  ALWAYS_OPEN,
  barStart,
  hourMs,
  marketSentiment,
  SENTIMENT_LOOKBACK_HOURS,
  SENTIMENT_POINTS,
} from '@fulcrum/domain';
import { memoizeWithTtl } from '../../../platform/cache/memoize-with-ttl.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import type { KnownMarket, KnownMarkets, MarketBars } from '../bars/index.ts';

const runningMs = 2_000;
/** Decimals of a value without a unit. */
const decimals = 100;

interface SentimentDependencies {
  readonly bars: MarketBars;
  readonly timers: Clock;
}

export function createSentiment({ bars, timers }: SentimentDependencies) {
  let past: { readonly version: string; readonly values: readonly (number | null)[] } | null = null;

  /** Of the hours before the running one, oldest first. */
  function pastValues({ markets, version }: KnownMarkets): readonly (number | null)[] {
    if (past?.version === version) return past.values;
    const values = Array.from({ length: SENTIMENT_POINTS - 1 }, (_, index) =>
      roundedOrNull(sentimentOf(markets, SENTIMENT_POINTS - 1 - index)?.value),
    );
    past = { version, values };
    return values;
  }

  const answer = memoizeWithTtl<MarketSentiment>(timers, async () => {
    const known = await bars.read();
    const { markets, now } = known;
    const running = sentimentOf(markets, 0);
    const hour = barStart('1h', now, ALWAYS_OPEN);
    const values = [...pastValues(known), roundedOrNull(running?.value)];
    return {
      answer: {
        points: values.map((value, index) => ({
          hour: new Date(hour - (values.length - 1 - index) * hourMs).toISOString(),
          value,
        })),
        breadth: roundedOrNull(running?.breadth),
        momentum: roundedOrNull(running?.momentum),
        markets: markets.length,
        as_of: new Date(now).toISOString(),
      },
      ttlMs: runningMs,
    };
  });

  return { get_market_sentiment: (): Promise<MarketSentiment> => answer() };
}

const sentimentOf = (markets: readonly KnownMarket[], hoursBack: number) =>
  marketSentiment(markets.map((market) => getCloses(market, hoursBack)));

/** Up to the hour so many before the running one. */
function getCloses({ running, bars, price }: KnownMarket, hoursBack: number): (number | null)[] {
  const hours = bars('1h');
  const last = running - hoursBack * hourMs;
  return Array.from({ length: SENTIMENT_LOOKBACK_HOURS + 1 }, (_, index) => {
    const name = last - (SENTIMENT_LOOKBACK_HOURS - index) * hourMs;
    return name === running ? price : (hours.get(name)?.close ?? null);
  });
}

const roundedOrNull = (value: number | undefined): number | null =>
  value === undefined ? null : Math.round(value * decimals) / decimals;
