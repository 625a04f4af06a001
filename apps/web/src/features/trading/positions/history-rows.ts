/**
 * The rows of a history that match its filter. The loaded list holds the latest ones; where it may lack older rows of the
 * filter, these are read from the server. Invariant: a loaded row is shown in its loaded, live version. Limit: beside
 * the loaded ones, the latest 500 rows of the filter; the file of closed positions has more (`closed-export.ts`).
 */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { pastStatuses, useClosedPositions, usePastOrders } from '../../../shared/account/index.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { closedListLimit, pastOrdersLimit } from '../../../shared/realtime/changes.ts';
import { type SignedIn, useSignedIn } from '../../../shared/session/index.ts';
import { fromWire, latestOf, type Order, type Position, unwrap } from '../../../shared/supabase/index.ts';
import { toSpan } from '../../../shared/time/day-range.ts';
import { readClosed } from './closed-export.ts';
import { filterHistory, type HistoryFilter, isFiltered, narrowRequest } from './history-filter.ts';
import type { PanelRows } from './RowList.tsx';

export interface HistoryRows<Row> extends PanelRows<Row> {
  /** Older rows may match that are not among `rows`. */
  readonly isShort: boolean;
}

interface HistorySource<Row> {
  readonly list: UseQueryResult<readonly Row[]>;
  /** A list this long may lack older rows. */
  readonly limit: number;
  readonly queryKey: readonly string[];
  readonly toInstant: (row: Row) => string | null;
  readonly read: (reader: SignedIn, filter: HistoryFilter, signal: AbortSignal) => Promise<readonly Row[]>;
}

/** Whether the server may have rows of the filter that the list lacks. */
export function mayLack(oldestListed: string | null | undefined, { days }: HistoryFilter): boolean {
  const { start } = toSpan(days);
  return !oldestListed || start === null || start < Date.parse(oldestListed);
}

function useHistoryRows<Row extends { readonly id: string; readonly symbol: string }>(
  { list, limit, queryKey, toInstant, read }: HistorySource<Row>,
  filter: HistoryFilter,
): HistoryRows<Row> {
  const reader = useSignedIn();
  const { only, days } = filter;
  const { data: listed } = list;
  const oldest = listed?.at(-1);
  const isIncomplete =
    listed !== undefined && listed.length >= limit && mayLack(oldest && toInstant(oldest), filter);
  const isSearched = isIncomplete && isFiltered(filter);
  const found = useQuery({
    queryKey: [...queryKey, 'filtered', only, days.from, days.to],
    enabled: isSearched,
    queryFn: ({ signal }) => read(reader, { only, days }, signal),
  });
  const searched = isSearched ? found.data : undefined;
  const rows = useMemo(() => {
    const live = listed && filterHistory(listed, { only, days }, toInstant);
    if (!live || !searched) return live;
    const ids = new Set(live.map(({ id }) => id));
    return [...live, ...searched.filter(({ id }) => !ids.has(id))];
  }, [listed, searched, only, days, toInstant]);
  const isWaiting = isSearched && found.isPending && rows?.length === 0;
  return {
    rows: isWaiting ? undefined : rows,
    total: listed?.length ?? 0,
    isShort: isIncomplete && (!isSearched || (found.data?.length ?? 0) >= limit),
    isError: list.isError || (isSearched && found.isError),
    isFetching: list.isFetching || (isSearched && found.isFetching),
    refetch: () => Promise.all([list.refetch(), isSearched ? found.refetch() : null]),
  };
}

const toClosedAt = ({ closedAt }: Position) => closedAt;

/** Latest closing first. */
export const useClosedHistory = (filter: HistoryFilter): HistoryRows<Position> =>
  useHistoryRows<Position>(
    {
      list: useClosedPositions(),
      limit: closedListLimit,
      queryKey: queryKeys.positions(useSignedIn().accountId, 'closed'),
      toInstant: toClosedAt,
      read: ({ supabase, accountId }, limits, signal) =>
        readClosed(supabase, { accountId, ...limits }, closedListLimit, signal),
    },
    filter,
  );

const toUpdatedAt = ({ updatedAt }: Order) => updatedAt;

/** The latest outcome first (A20). */
export const useOrderHistory = (filter: HistoryFilter): HistoryRows<Order> =>
  useHistoryRows<Order>(
    {
      list: usePastOrders(),
      limit: pastOrdersLimit,
      queryKey: queryKeys.orders(useSignedIn().accountId, 'past'),
      toInstant: toUpdatedAt,
      read: async ({ supabase, accountId }, limits, signal) => {
        const orders = supabase.rest.from('orders').select('*').eq('user_id', accountId);
        const past = narrowRequest(orders.in('status', pastStatuses), 'updated_at', limits);
        return (await unwrap(latestOf(past, 'updated_at', pastOrdersLimit, signal))).map(fromWire);
      },
    },
    filter,
  );
