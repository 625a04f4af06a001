/**
 * Requests a polled source's price at once for a newly chosen pair, instead of at its next poll (A37). A failure
 * shows a notice with a retry and hides nothing; any newer price ends it (ERR-28).
 */
import { useQuery } from '@tanstack/react-query';
import { log } from '../../../shared/log/log.ts';
import { unwrap, useSupabase } from '../../../shared/supabase/index.ts';
import { type PricedMarket, usePriceStream, useSampled } from './usePrices.ts';

export interface FetchedPrice {
  readonly failed: boolean;
  readonly fetching: boolean;
  readonly retry: () => void;
}

/** What was known when the answer arrived; `pricedAt` is null without any price. */
interface Outcome {
  readonly failed: boolean;
  readonly pricedAt: string | null;
}

export function useFetchedPrice({ symbol, type }: Pick<PricedMarket, 'symbol' | 'type'>): FetchedPrice {
  const supabase = useSupabase();
  const stream = usePriceStream();
  const { kind } = supabase.config.feed;
  const requestsProviders = kind === 'live' || kind === 'auto';
  const isPolled = useSampled(symbol, () => {
    const source = stream.latest(symbol)?.source;
    // Without any price the source is unknown; crypto is never polled.
    return source === 'yahoo' || (source === undefined && requestsProviders && type !== 'crypto');
  });
  const {
    data: outcome,
    isFetching,
    refetch,
  } = useQuery<Outcome>({
    queryKey: ['fetch_price', symbol],
    enabled: isPolled,
    // Once for each time the pair is chosen.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
    queryFn: async ({ signal }) => {
      const pricedAt = () => stream.latest(symbol)?.priced_at ?? null;
      try {
        const request = supabase.rest.rpc('fetch_price', { p_symbol: symbol });
        stream.addPrices([await unwrap(request.abortSignal(signal))]);
        return { failed: false, pricedAt: pricedAt() };
      } catch (cause) {
        if (!signal.aborted) log.warn('The price could not be fetched', cause);
        return { failed: true, pricedAt: pricedAt() };
      }
    },
  });
  const failed = useSampled(
    symbol,
    () => outcome?.failed === true && (stream.latest(symbol)?.priced_at ?? null) === outcome.pricedAt,
  );
  return { failed, fetching: isFetching, retry: () => void refetch() };
}
