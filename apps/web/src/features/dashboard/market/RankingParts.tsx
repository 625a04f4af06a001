/** Shared parts of the market row's widgets: the empty state without prices, and the badge of the price source. */
import { stateLabels } from '../../../shared/prices/state-labels.ts';
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

export function RankingSourceBadge({ ranking }: { readonly ranking: Ranking<unknown> | undefined }) {
  const syntheticSource = ranking?.syntheticSource ?? null;
  return syntheticSource === null ? null : <SourceBadge syntheticSource={syntheticSource} />;
}

/** Short, so that the card's title fits beside it. */
function SourceBadge({ syntheticSource }: { readonly syntheticSource: 'simulated' | 'replay' }) {
  const { label } = stateLabels[syntheticSource];
  if (syntheticSource === 'simulated') return <Badge tone="warn">{label}</Badge>;
  return (
    <abbr title={label} className="no-underline">
      <Badge tone="warn">Rec.</Badge>
    </abbr>
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
