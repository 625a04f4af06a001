/**
 * The fill prices of filled orders: the entry price of the position that each one opened. Those come from the loaded
 * lists or, for older ones, from the server. Invariant: a price that staff may have changed afterwards is never shown
 * as the fill. Limit: the latest 500 orders, as listed.
 */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClosedPositions, useOpenPositions } from '../../../shared/account/index.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { fromWire, type Order, type Position, unwrap } from '../../../shared/supabase/index.ts';

type OpenedPosition = Pick<Position, 'id' | 'entryPrice' | 'editedAt'>;

type FilledOrder = Pick<Order, 'positionId' | 'boundPositionId' | 'rules' | 'filledSize' | 'filledValue'>;

/** Ids per request; they are part of its address. */
const mostAtOnce = 100;

/** Ids of positions that the orders opened and that `known` lacks. */
function missingIds(orders: readonly Order[], known: ReadonlyMap<string, OpenedPosition>): readonly string[] {
  const ids = orders.flatMap(({ positionId }) => (positionId === null ? [] : [positionId]));
  return [...new Set(ids)].filter((id) => !known.has(id)).sort((a, b) => a.localeCompare(b));
}

/** Null while it is not known. */
export function fillPriceOf(
  { positionId, boundPositionId, rules, filledSize, filledValue }: FilledOrder,
  known: ReadonlyMap<string, OpenedPosition>,
): number | null {
  // A net position has the average of all its orders, and a bound order has closed its position.
  if (rules === 'perpetual' || boundPositionId !== null)
    return filledSize > 0 ? filledValue / filledSize : null;
  const opened = positionId === null ? undefined : known.get(positionId);
  return opened === undefined || opened.editedAt !== null ? null : opened.entryPrice;
}

export function useFillPrices(orders: readonly Order[]): (order: Order) => number | null {
  const { accountId, supabase } = useSignedIn();
  const { data: open } = useOpenPositions();
  const { data: closed } = useClosedPositions();
  const listed = useMemo(
    () => new Map<string, OpenedPosition>([...(open ?? []), ...(closed ?? [])].map((row) => [row.id, row])),
    [open, closed],
  );
  const missing = useMemo(() => missingIds(orders, listed), [orders, listed]);
  const { data: read } = useQuery<readonly OpenedPosition[]>({
    queryKey: [...queryKeys.fills(accountId), ...missing],
    enabled: open !== undefined && closed !== undefined && missing.length > 0,
    // A fill never changes.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const positions: OpenedPosition[] = [];
      for (let from = 0; from < missing.length; from += mostAtOnce) {
        const ids = missing.slice(from, from + mostAtOnce);
        const request = supabase.rest.from('positions').select('id,entry_price,edited_at').in('id', ids);
        positions.push(...(await unwrap(request.abortSignal(signal))).map(fromWire));
      }
      return positions;
    },
  });
  return useMemo(() => {
    const known = new Map<string, OpenedPosition>([
      ...(read ?? []).map((row) => [row.id, row] as const),
      ...listed,
    ]);
    return (order) => fillPriceOf(order, known);
  }, [read, listed]);
}
