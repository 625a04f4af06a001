/**
 * Queries of the user's own account, shared by all screens: one cache entry each, updated by `useAccountChanges`. An answer
 * never reverts a change announced while the request was running. Rows of one batch have the same time; the id orders them, so
 * that a reread list keeps its order. Open positions are read whole, because the account's sums need each of them. Limits: the
 * latest 1000 deposits, withdrawals and fees, the latest 500 closed positions, the latest 500 orders of each kind, the latest 50
 * notifications.
 */
import { isWaiting, orderStatuses } from '@fulcrum/domain';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { queryKeys } from '../query/index.ts';
import {
  applyToClosed,
  applyToNotifications,
  applyToOpen,
  applyToOpenOrders,
  applyToPastOrders,
  closedListLimit,
  newerOf,
  notificationsLimit,
  pastOrdersLimit,
} from '../realtime/changes.ts';
import { readWithChanges } from '../realtime/read-with-changes.ts';
import { type SignedIn, useSignedIn } from '../session/index.ts';
import {
  fromWire,
  latestOf,
  type Notification,
  type Order,
  type Position,
  type Transaction,
  unwrap,
  unwrapOrNull,
  type Wallet,
} from '../supabase/index.ts';
import { seekRows } from '../supabase/keyset-pages.ts';

export const transactionsLimit = 1000;
/** No account has more open orders. */
const openOrdersLimit = 500;
/** An account may have more open positions: the next page begins after the last row. */
const openPositionsPage = 500;
const waitingStatuses = orderStatuses.filter(isWaiting);
/** Of a final order. */
export const pastStatuses = orderStatuses.filter((status) => !isWaiting(status));

/** The account of this page and the client. */
export type AccountReader = Pick<SignedIn, 'accountId' | 'supabase'>;

const walletQuery = ({ accountId, supabase }: AccountReader) =>
  queryOptions<Wallet | null>({
    queryKey: queryKeys.wallet(accountId),
    queryFn: ({ client, signal }) =>
      readWithChanges<Wallet | null>(
        client,
        async () => {
          const request = supabase.rest.from('wallets').select('*').eq('user_id', accountId);
          const row = await unwrapOrNull(request.abortSignal(signal).maybeSingle());
          return row === null ? null : fromWire(row);
        },
        (wallet, change) => (change.table === 'wallets' ? newerOf(wallet, change.row) : wallet),
      ),
  });

/** Null when the user has no wallet; figures then show 0.00. */
export const useWallet = () => useQuery(walletQuery(useSignedIn()));

/** All open positions, newest first: one request for each full page, and one more. */
async function fetchOpenPositions(
  { accountId, supabase }: AccountReader,
  signal: AbortSignal,
): Promise<readonly Position[]> {
  // By id: one whose opening staff move meanwhile may stand in two pages.
  const positions = new Map<string, Position>();
  let last: Position | undefined;
  for (;;) {
    const request = supabase.rest.from('positions').select('*').eq('user_id', accountId);
    const open = request.eq('status', 'open');
    // Positions that close meanwhile shift no page.
    const page = last ? seekRows(open, 'created_at', 'older', { at: last.createdAt, id: last.id }) : open;
    const rows = await unwrap(latestOf(page, 'created_at', openPositionsPage, signal));
    for (const position of rows.map(fromWire)) positions.set(position.id, position);
    last = [...positions.values()].at(-1);
    if (rows.length < openPositionsPage) return [...positions.values()];
  }
}

/** Reads the open positions, newest first (CALL-41). */
export const readOpenPositions = (
  reader: AccountReader,
  cache: QueryClient,
  signal: AbortSignal,
): Promise<readonly Position[]> =>
  readWithChanges<readonly Position[]>(
    cache,
    () => fetchOpenPositions(reader, signal),
    (open, change) => (change.table === 'positions' ? applyToOpen(open, change.row) : open),
  );

/** Newest first. */
export const openPositionsQuery = (reader: AccountReader) =>
  queryOptions<readonly Position[]>({
    queryKey: queryKeys.positions(reader.accountId, 'open'),
    queryFn: ({ client, signal }) => readOpenPositions(reader, client, signal),
  });
export const useOpenPositions = () => useQuery(openPositionsQuery(useSignedIn()));

/** Latest closing first. */
const closedPositionsQuery = ({ accountId, supabase }: AccountReader) =>
  queryOptions<readonly Position[]>({
    queryKey: queryKeys.positions(accountId, 'closed'),
    queryFn: ({ client, signal }) =>
      readWithChanges<readonly Position[]>(
        client,
        async () => {
          const request = supabase.rest.from('positions').select('*').eq('user_id', accountId);
          const closed = request.eq('status', 'closed');
          return (await unwrap(latestOf(closed, 'closed_at', closedListLimit, signal))).map(fromWire);
        },
        (closed, change) => (change.table === 'positions' ? applyToClosed(closed, change.row) : closed),
      ),
  });
export const useClosedPositions = () => useQuery(closedPositionsQuery(useSignedIn()));

/** Open orders, newest first (CALL-44). */
export const openOrdersQuery = ({ accountId, supabase }: AccountReader) =>
  queryOptions<readonly Order[]>({
    queryKey: queryKeys.orders(accountId, 'open'),
    queryFn: ({ client, signal }) =>
      readWithChanges<readonly Order[]>(
        client,
        async () => {
          const request = supabase.rest.from('orders').select('*').eq('user_id', accountId);
          const open = request.in('status', waitingStatuses);
          return (await unwrap(latestOf(open, 'created_at', openOrdersLimit, signal))).map(fromWire);
        },
        (open, change) => (change.table === 'orders' ? applyToOpenOrders(open, change.row) : open),
      ),
  });
export const useOpenOrders = () => useQuery(openOrdersQuery(useSignedIn()));

/** Final orders, the latest outcome first (A20). */
const pastOrdersQuery = ({ accountId, supabase }: AccountReader) =>
  queryOptions<readonly Order[]>({
    queryKey: queryKeys.orders(accountId, 'past'),
    queryFn: ({ client, signal }) =>
      readWithChanges<readonly Order[]>(
        client,
        async () => {
          const request = supabase.rest.from('orders').select('*').eq('user_id', accountId);
          const past = request.in('status', pastStatuses);
          return (await unwrap(latestOf(past, 'updated_at', pastOrdersLimit, signal))).map(fromWire);
        },
        (past, change) => (change.table === 'orders' ? applyToPastOrders(past, change.row) : past),
      ),
  });
export const usePastOrders = () => useQuery(pastOrdersQuery(useSignedIn()));

/** Whose notifications this page shows: those of its account, and those about the user. */
export const getNotificationOwners = ({
  accountId,
  user,
}: Pick<SignedIn, 'accountId' | 'user'>): readonly string[] =>
  accountId === user.id ? [accountId] : [accountId, user.id];

/** Newest first (A104). */
const notificationsQuery = ({ accountId, user, supabase }: SignedIn) =>
  queryOptions<readonly Notification[]>({
    queryKey: queryKeys.notifications(accountId),
    queryFn: ({ client, signal }) =>
      readWithChanges<readonly Notification[]>(
        client,
        async () => {
          const request = supabase.rest.from('notifications').select('*');
          const shown = request.in('user_id', getNotificationOwners({ accountId, user }));
          return (await unwrap(latestOf(shown, 'created_at', notificationsLimit, signal))).map(fromWire);
        },
        (notifications, change) =>
          change.table === 'notifications' ? applyToNotifications(notifications, change.row) : notifications,
      ),
  });
export const useNotifications = () => useQuery(notificationsQuery(useSignedIn()));

/** Completed deposits and withdrawals (RULE-28), trading fees (A07) and funding (A113), newest first (WALL-08). */
export function useTransactions() {
  const { accountId, supabase } = useSignedIn();
  return useQuery<readonly Transaction[]>({
    queryKey: queryKeys.transactions(accountId),
    queryFn: async ({ signal }) => {
      const request = supabase.rest.from('transactions').select('*').eq('user_id', accountId);
      const completed = request
        .eq('status', 'completed')
        .in('type', ['deposit', 'withdrawal', 'fee', 'funding', 'financing']);
      return (await unwrap(latestOf(completed, 'created_at', transactionsLimit, signal))).map(fromWire);
    },
  });
}
