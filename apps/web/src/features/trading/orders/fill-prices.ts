/**
 * What filled orders were filled at: the entry price of the position that each of them opened, from the lists at hand or, for
 * older ones, from the server. Invariant: a price that staff may have changed afterwards is not passed off as the fill.
 * Limit: the latest 500 orders, as listed.
 */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClosedPositions, useOpenPositions } from '../../../shared/account/index.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { fromWire, type Order, type Position, rowsOf } from '../../../shared/supabase/index.ts';

type Opened = Pick<Position, 'id' | 'entryPrice' | 'editedAt'>;

/** Ids of one request; they stand in its address. */
const mostAtOnce = 100;

/** Positions that the orders opened and that `known` lacks. */
function missingIds(orders: readonly Order[], known: ReadonlyMap<string, Opened>): readonly string[] {
  const ids = orders.flatMap(({ positionId }) => (positionId === null ? [] : [positionId]));
  return [...new Set(ids)].filter((id) => !known.has(id)).sort((a, b) => a.localeCompare(b));
}

/** Null while it is not known. */
function fillPriceOf(
  { positionId }: Pick<Order, 'positionId'>,
  known: ReadonlyMap<string, Opened>,
): number | null {
  const opened = positionId === null ? undefined : known.get(positionId);
  return opened === undefined || opened.editedAt !== null ? null : opened.entryPrice;
}

export function useFillPrices(orders: readonly Order[]): (order: Order) => number | null {
  const { user, supabase } = useSignedIn();
  const { data: open } = useOpenPositions();
  const { data: closed } = useClosedPositions();
  const listed = useMemo(
    () => new Map<string, Opened>([...(open ?? []), ...(closed ?? [])].map((row) => [row.id, row])),
    [open, closed],
  );
  const missing = useMemo(() => missingIds(orders, listed), [orders, listed]);
  const { data: read } = useQuery<readonly Opened[]>({
    queryKey: [...queryKeys.fills(user.id), ...missing],
    enabled: open !== undefined && closed !== undefined && missing.length > 0,
    // A fill does not change any more.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const positions: Opened[] = [];
      for (let from = 0; from < missing.length; from += mostAtOnce) {
        const ids = missing.slice(from, from + mostAtOnce);
        const request = supabase.rest.from('positions').select('id,entry_price,edited_at').in('id', ids);
        positions.push(...(await rowsOf(request.abortSignal(signal))).map(fromWire));
      }
      return positions;
    },
  });
  return useMemo(() => {
    const known = new Map<string, Opened>([...(read ?? []).map((row) => [row.id, row] as const), ...listed]);
    return (order) => fillPriceOf(order, known);
  }, [read, listed]);
}
