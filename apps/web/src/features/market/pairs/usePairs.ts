/**
 * The catalogue: every pair in the house's order, with its limits in exact units. The prices that come with it go to the
 * price stream, so that each row has a figure before the first tick.
 */
import { asPrice, asSize, type PairLimits, parseDecimal } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  fromWire,
  rowsOf,
  type Supabase,
  type TradingPair,
  useSupabase,
} from '../../../shared/supabase/index.ts';
import type { LastPrice } from '../prices/price-stream.ts';
import { usePriceStream } from '../prices/usePrices.ts';

export interface Pair extends TradingPair {
  readonly limits: PairLimits;
}

const pairsLimit = 1_000;
/** How soon a market that opened or closed without a tick is noticed. */
const refetchEveryMs = 60_000;

function withLimits(pair: TradingPair): Pair {
  const { minPrice, maxPrice, tickSize, minQty, maxQty, stepSize } = pair;
  return {
    ...pair,
    limits: {
      minPrice: asPrice(parseDecimal(minPrice)),
      maxPrice: asPrice(parseDecimal(maxPrice)),
      tickSize: asPrice(parseDecimal(tickSize)),
      minQty: asSize(parseDecimal(minQty)),
      maxQty: asSize(parseDecimal(maxQty)),
      stepSize: asSize(parseDecimal(stepSize)),
    },
  };
}

/** The pair's last price when the catalogue was read; null before its first one. */
export function lastPriceOf(pair: TradingPair): LastPrice | null {
  const { price, pricedAt, source, state } = pair;
  if (price === null || pricedAt === null || source === null || state === null) return null;
  return {
    symbol: pair.symbol,
    price,
    price_change_percent: pair.priceChangePercent,
    volume: pair.volume ?? 0,
    quote_volume: pair.quoteVolume ?? 0,
    high_24h: pair.high24h,
    low_24h: pair.low24h,
    source,
    state,
    // One form for all times, because the stream compares them as text.
    priced_at: new Date(pricedAt).toISOString(),
    market_time: null,
    market_open: pair.marketOpen,
  };
}

/** The catalogue for whoever reads it outside of a render. */
export const pairsQuery = (supabase: Supabase) =>
  ({
    queryKey: ['trading_pairs'],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<readonly Pair[]> => {
      const request = supabase.rest.from('trading_pairs').select('*').order('sort_order').limit(pairsLimit);
      return (await rowsOf(request.abortSignal(signal))).map((row) => withLimits(fromWire(row)));
    },
  }) as const;

export function usePairs() {
  const supabase = useSupabase();
  const stream = usePriceStream();
  const { queryKey, queryFn } = pairsQuery(supabase);
  const query = useQuery<readonly Pair[]>({ queryKey, queryFn, refetchInterval: refetchEveryMs });
  const { data: pairs } = query;
  useEffect(() => {
    if (pairs) stream.take(pairs.flatMap((pair) => lastPriceOf(pair) ?? []));
  }, [pairs, stream]);
  return query;
}
