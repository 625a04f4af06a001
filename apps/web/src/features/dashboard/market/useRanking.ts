/**
 * A ranking of the crypto markets (A40) from the price stream's present values, recalculated every ten seconds while
 * visible (DASH-16, DASH-18). Its only server request is the catalogue, unless that is already cached. Between two
 * rankings no row moves; each row updates its own live figures.
 */
import { isRankedMarket, type MarketFigures } from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../shared/query/index.ts';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { useWidget, type WidgetReading } from '../../../shared/widget/index.ts';
import {
  type LastPrice,
  type Pair,
  pairsQuery,
  toLastPrice,
  useFeedState,
  useFollowedPrices,
  usePairs,
  usePriceStream,
} from '../../market/index.ts';

const everyMs = 10_000;

export interface RankedMarket extends MarketFigures {
  readonly pair: Pair;
}

export interface Ranking<Ranked> {
  readonly ranked: Ranked;
  /** When the newest of its prices was made, ms since the epoch; null without prices. */
  readonly pricedAt: number | null;
  /** The source of the prices, where they are not live. */
  readonly syntheticSource: 'simulated' | 'replay' | null;
}

interface RankingQuery<Ranked> {
  readonly name: string;
  /** The ranking's name in the log. */
  readonly what: string;
  readonly rank: (markets: readonly RankedMarket[]) => Ranked;
}

/** `staleSince` is null while prices arrive. */
export function useRanking<Ranked>({
  name,
  what,
  rank,
}: RankingQuery<Ranked>): WidgetReading<Ranking<Ranked>> & { readonly staleSince: number | null } {
  const supabase = useSupabase();
  const stream = usePriceStream();
  const cache = useQueryClient();
  const feed = useFeedState();
  // The catalogue's prices go to the stream, so the first ranking does not wait for a tick of each market.
  usePairs();
  useFollowedPrices(null);

  const read = async (): Promise<Ranking<Ranked>> => {
    const pairs = (await cache.ensureQueryData(pairsQuery(supabase))).filter(isRankedMarket);
    const last = new Map<Pair, LastPrice>();
    for (const pair of pairs) {
      const price = stream.latest(pair.symbol) ?? toLastPrice(pair);
      if (price !== null) last.set(pair, price);
    }
    const prices = [...last.values()];
    const source = prices.find((price) => price.source === 'simulated' || price.source === 'replay')?.source;
    return {
      ranked: rank(
        [...last].map(([pair, tick]) => ({
          pair,
          symbol: pair.symbol,
          price: tick.price,
          priceChangePercent: tick.price_change_percent,
          quoteVolume: tick.quote_volume,
        })),
      ),
      pricedAt:
        prices.length === 0 ? null : Math.max(...prices.map(({ priced_at }) => Date.parse(priced_at))),
      syntheticSource: source === 'simulated' || source === 'replay' ? source : null,
    };
  };
  const reading = useWidget({ queryKey: queryKeys.widget(name), what, everyMs, read });
  const { figures } = reading;
  return { ...reading, staleSince: feed === 'silent' ? (figures?.pricedAt ?? null) : null };
}
