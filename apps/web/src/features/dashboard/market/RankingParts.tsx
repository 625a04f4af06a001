/** What the widgets of the market row say alike: that there are no prices yet, and what the prices are made of. */
import { stateWords } from '../../../shared/prices/state-words.ts';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { Badge, EmptyState } from '../../../shared/ui/index.ts';
import { usePriceStream, useSampled } from '../../market/index.ts';
import type { Ranking } from './useRanking.ts';

export function NoPrices() {
  return (
    <div className="grid min-h-0 grow place-items-center">
      <EmptyState title="No prices yet">They appear here as soon as the markets send them.</EmptyState>
    </div>
  );
}

export function MadeOf({ ranking }: { readonly ranking: Ranking<unknown> | undefined }) {
  const madeOf = ranking?.madeOf ?? null;
  return madeOf === null ? null : <Badge tone="warn">{stateWords[madeOf].word}</Badge>;
}

/** The crypto markets of one server have one source, so one of them tells it. */
const tellingSymbol = 'BTCUSDT';

/** The same of an index, which is made of the bars of the crypto markets. */
export function MadeOfPrices() {
  const { kind } = useSupabase().config.feed;
  const stream = usePriceStream();
  const source = useSampled(tellingSymbol, () => stream.latest(tellingSymbol)?.source ?? null, 10_000);
  if (kind === 'replay') return <Badge tone="warn">{stateWords.replay.word}</Badge>;
  if (kind !== 'simulated' && source !== 'simulated') return null;
  return <Badge tone="warn">{stateWords.simulated.word}</Badge>;
}

/** Where a market is traded; it is then the selected pair of every screen. */
export const tradingPathOf = (symbol: string): string => `/trading?symbol=${encodeURIComponent(symbol)}`;
