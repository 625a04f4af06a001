/**
 * What a leverage means: the move that liquidates, and in how many of the last hours the market moved so far. It floats over the
 * fields below, so that nothing jumps.
 */
import { countMovedBars } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../shared/query/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { unwrap } from '../../shared/supabase/index.ts';

const hours = 24;
/** Fewer hours say little. */
const leastHours = 6;
const freshForMs = 600_000;

/** The last whole hours of the pair, or what there is of them. */
function useLastHours(symbol: string) {
  const { supabase } = useSignedIn();
  return useQuery({
    queryKey: queryKeys.lastHours(symbol),
    staleTime: freshForMs,
    queryFn: ({ signal }) =>
      unwrap(
        supabase.rest
          .rpc('get_candles', { p_symbol: symbol, p_timeframe: '1h', p_limit: hours + 1 })
          .abortSignal(signal),
      ).then((bars) => bars.slice(0, -1)),
  }).data;
}

interface LiquidationChanceProps {
  readonly symbol: string;
  /** The smaller distance of both liquidation prices, in per cent of the price, as shown. */
  readonly percent: string;
}

export default function LiquidationChance({ symbol, percent }: LiquidationChanceProps) {
  const bars = useLastHours(symbol);
  const moved = bars ? countMovedBars(bars, Number(percent.replaceAll(',', ''))) : 0;
  return (
    <p
      role="note"
      className="rise pointer-events-none absolute inset-x-0 top-full z-20 mt-1 rounded-panel border border-warn bg-raised px-3 py-2 text-12 text-text shadow-raised"
    >
      A move of <span className="font-semibold text-warn">{percent}%</span> ends it.{' '}
      {bars === undefined
        ? null
        : bars.length < leastHours
          ? 'This market has too few hours of history to count how often that happens.'
          : `${symbol} moved that far in ${moved} of the last ${bars.length} hours.`}
    </p>
  );
}
