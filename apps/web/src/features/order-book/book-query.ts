/** The book that this account's orders fill on and the market's last trades, read once a second while they are on screen. */
import { asPrice, asSize, type BookSource, parseDecimal, type QuotedBook, type Side } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../shared/query/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { unwrap } from '../../shared/supabase/index.ts';

const everyMs = 1_000;
const failedEveryMs = 5_000;

/** A trade of the market, as figures to show. */
export interface ShownTrade {
  readonly price: number;
  readonly size: number;
  /** The side of the taker's order. */
  readonly side: Side;
  /** ISO 8601 UTC. */
  readonly time: string;
}

export interface ShownBook extends Pick<QuotedBook, 'quoteId' | 'source' | 'mid' | 'bids' | 'asks'> {
  /** The newest first. */
  readonly trades: readonly ShownTrade[];
  readonly tradesSource: 'live' | 'modelled';
}

/** What a screen calls each source, and what it is. */
export const bookSourceNames = {
  live: ['Live', "The exchange's own levels, as the fills of this account meet them."],
  live_best: [
    'Live best price',
    'The best prices are those of the exchange; the levels behind them are modelled.',
  ],
  modelled: ['Modelled', "Computed from the price, its volatility and the day's volume."],
} as const satisfies Record<BookSource, readonly [name: string, meaning: string]>;

interface WireLevel {
  readonly price: number;
  readonly size: number;
}
const toLevels = (levels: readonly WireLevel[]) =>
  levels.map(({ price, size }) => ({
    price: asPrice(parseDecimal(price)),
    size: asSize(parseDecimal(size)),
  }));

export function useOrderBook(symbol: string) {
  const { accountId, supabase } = useSignedIn();
  return useQuery<ShownBook>({
    queryKey: queryKeys.orderBook(accountId, symbol),
    // A server in trouble is asked less often.
    refetchInterval: ({ state }) => (state.status === 'error' ? failedEveryMs : everyMs),
    staleTime: everyMs,
    retry: false,
    queryFn: async ({ signal }) => {
      const book = await unwrap(supabase.rest.rpc('get_book', { p_symbol: symbol }).abortSignal(signal));
      return {
        ...{ quoteId: book.quote_id, source: book.source, mid: asPrice(parseDecimal(book.mid)) },
        ...{ bids: toLevels(book.bids), asks: toLevels(book.asks), tradesSource: book.trades_source },
        trades: book.trades.map(({ traded_at: time, ...trade }) => ({ ...trade, time })),
      };
    },
  });
}
