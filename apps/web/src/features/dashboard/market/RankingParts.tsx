/** Shared parts of the market row's widgets: the empty state without prices, and the mark of the price source. */
import { useSupabase } from '../../../shared/supabase/index.ts';
import { EmptyState } from '../../../shared/ui/index.ts';
import { usePriceStream, useSampled } from '../../market/index.ts';
import type { Ranking } from './useRanking.ts';

export function NoPrices() {
  return (
    <div className="grid min-h-0 grow place-items-center">
      <EmptyState title="No prices yet">They appear here as soon as the markets send them.</EmptyState>
    </div>
  );
}

export function RankingSourceBadge({ ranking }: { readonly ranking: Ranking<unknown> | undefined }) {
  const syntheticSource = ranking?.syntheticSource ?? null;
  return syntheticSource === null ? null : <SourceBadge syntheticSource={syntheticSource} />;
}

const sourceTexts = {
  simulated: 'Simulated: these figures follow from prices of a model, not of a market.',
  replay: 'Recorded day: these figures follow from prices that are played back.',
} as const;

/** A dot: the page's badges beside account and chart say the word, and every card repeats it on demand. */
function SourceBadge({ syntheticSource }: { readonly syntheticSource: 'simulated' | 'replay' }) {
  return (
    <span title={sourceTexts[syntheticSource]} className="inline-grid size-5 shrink-0 place-items-center">
      <span aria-hidden="true" className="size-1.5 rounded-full bg-warn" />
      <span className="sr-only">{sourceTexts[syntheticSource]}</span>
    </span>
  );
}

/** All crypto markets of one server have the same source, so one represents them. */
const referenceSymbol = 'BTCUSDT';

/** The badge for an index, which is calculated from bars of the crypto markets. */
export function IndexSourceBadge() {
  const { kind } = useSupabase().config.feed;
  const stream = usePriceStream();
  const source = useSampled(referenceSymbol, () => stream.latest(referenceSymbol)?.source ?? null, 10_000);
  if (kind === 'replay') return <SourceBadge syntheticSource="replay" />;
  if (kind !== 'simulated' && source !== 'simulated') return null;
  return <SourceBadge syntheticSource="simulated" />;
}

/** The trading path of a market, which also selects its pair on every screen. */
export const getTradingPath = (symbol: string): string => `/trading?symbol=${encodeURIComponent(symbol)}`;
