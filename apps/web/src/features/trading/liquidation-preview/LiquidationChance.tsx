/**
 * What the chosen leverage means: the move that liquidates, and in how many of the last hours the market moved so far. It
 * floats over the fields below, so that nothing jumps.
 */
import { countMovedBars, toNumber } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { formatFigure } from '../../../shared/numbers/index.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrap } from '../../../shared/supabase/index.ts';
import type { Ticket } from '../ticket/useTicket.ts';
import { useTicketValue } from '../ticket/useTicketValue.ts';

const hours = 24;
/** Fewer hours say little. */
const leastHours = 6;
const freshForMs = 600_000;
const percentDecimals = 2;

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

/** The smaller distance of both liquidation prices, in per cent of the price; null without a price. */
function nearestLiquidation({ factsOf, state }: Ticket): number | null {
  const { terms, summary } = factsOf(state.settled);
  const { liquidationLong, liquidationShort } = summary;
  if (terms.price === null || liquidationLong === null || liquidationShort === null) return null;
  const price = toNumber(terms.price);
  const distances = [price - toNumber(liquidationLong), toNumber(liquidationShort) - price];
  return (Math.min(...distances) / price) * 100;
}

export function LiquidationChance({ ticket }: { readonly ticket: Ticket }) {
  const { symbol } = ticket.pair;
  const bars = useLastHours(symbol);
  const text = useTicketValue(ticket, () => {
    const percent = nearestLiquidation(ticket);
    return percent === null ? null : formatFigure(percent, percentDecimals);
  });
  if (text === null) return null;
  const moved = bars ? countMovedBars(bars, Number(text.replaceAll(',', ''))) : 0;
  return (
    <p
      role="note"
      className="rise pointer-events-none absolute inset-x-0 top-full z-20 mt-1 rounded-panel border border-warn bg-raised px-3 py-2 text-12 text-text shadow-raised"
    >
      A move of <span className="font-semibold text-warn">{text}%</span> ends it.{' '}
      {bars === undefined
        ? null
        : bars.length < leastHours
          ? 'This market has too few hours of history to count how often that happens.'
          : `${symbol} moved that far in ${moved} of the last ${bars.length} hours.`}
    </p>
  );
}
