/** The book that this account's orders fill on, read once a second while it is on screen. */
import { asPrice, asSize, parseDecimal, type QuotedBook } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../shared/query/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { unwrap } from '../../shared/supabase/index.ts';

const everyMs = 1_000;
const failedEveryMs = 5_000;

export type ShownBook = Pick<QuotedBook, 'quoteId' | 'source' | 'mid' | 'bids' | 'asks'>;

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
        ...{ bids: toLevels(book.bids), asks: toLevels(book.asks) },
      };
    },
  });
}
