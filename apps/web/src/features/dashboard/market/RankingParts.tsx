/** What Top Movers and Market Heatmap say alike: that there are no prices yet, and what the prices are made of. */
import { stateWords } from '../../../shared/prices/state-words.ts';
import { Badge, EmptyState } from '../../../shared/ui/index.ts';
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

/** Where a market is traded; it is then the selected pair of every screen. */
export const tradingPathOf = (symbol: string): string => `/trading?symbol=${encodeURIComponent(symbol)}`;
