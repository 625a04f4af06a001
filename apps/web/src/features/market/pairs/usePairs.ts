/**
 * The catalogue: every pair in the fixed display order, with its limits in exact units. Its prices go to the price
 * stream, so each row has a figure before the first tick.
 */
import { asPrice, asSize, type PairLimits, parseDecimal } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  fromWire,
  type Supabase,
  type TradingPair,
  unwrap,
  useSupabase,
} from '../../../shared/supabase/index.ts';
import type { LastPrice } from '../prices/price-stream.ts';
import { usePriceStream } from '../prices/usePrices.ts';

export interface Pair extends TradingPair {
  readonly limits: PairLimits;
}

const pairsLimit = 1_000;
/** How soon the screen notices that a market opened or closed without a tick. */
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

/** The pair's last price when the catalogue was read; null before the first price. */
export function toLastPrice(pair: TradingPair): LastPrice | null {
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
    // All times have one format, because the stream compares them as text.
    priced_at: new Date(pricedAt).toISOString(),
    market_time: null,
    market_open: pair.marketOpen,
  };
}

/** The catalogue query, for code outside of a render. */
export const pairsQuery = (supabase: Supabase) =>
  ({
    queryKey: ['trading_pairs'],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<readonly Pair[]> => {
      const request = supabase.rest.from('trading_pairs').select('*').order('sort_order').limit(pairsLimit);
      return (await unwrap(request.abortSignal(signal))).map((row) => withLimits(fromWire(row)));
    },
  }) as const;

export function usePairs() {
  const supabase = useSupabase();
  const stream = usePriceStream();
  const { queryKey, queryFn } = pairsQuery(supabase);
  const query = useQuery<readonly Pair[]>({ queryKey, queryFn, refetchInterval: refetchEveryMs });
  const { data: pairs } = query;
  useEffect(() => {
    if (pairs) stream.addPrices(pairs.flatMap((pair) => toLastPrice(pair) ?? []));
  }, [pairs, stream]);
  return query;
}
