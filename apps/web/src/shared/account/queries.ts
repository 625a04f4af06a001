/**
 * Queries of the user's own account, shared by all screens: one cache entry each, updated by `useAccountChanges`. An answer
 * never reverts a change announced while the request was running. Rows of one batch have the same time; the id orders them, so
 * that a reread list keeps its order. Limits: the latest 1000 deposits, withdrawals and fees, the latest 500 closed positions,
 * the latest 500 orders of each kind, the latest 50 notifications.
 */
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
  type Notification,
  type Order,
  type Position,
  type Transaction,
  unwrap,
  unwrapOrNull,
  type Wallet,
} from '../supabase/index.ts';

export const transactionsLimit = 1000;
const openListLimit = 500;
const descending = { ascending: false } as const;
/** Of a final order. */
export const pastStatuses = ['FILLED', 'REJECTED', 'CANCELED'] as const;

/** The signed-in user and the client. */
export interface AccountReader {
  readonly user: Pick<SignedIn['user'], 'id'>;
  readonly supabase: SignedIn['supabase'];
}

const walletQuery = ({ user, supabase }: AccountReader) =>
  queryOptions<Wallet | null>({
    queryKey: queryKeys.wallet(user.id),
    queryFn: ({ client, signal }) =>
      readWithChanges<Wallet | null>(
        client,
        async () => {
          const request = supabase.rest.from('wallets').select('*').eq('user_id', user.id);
          const row = await unwrapOrNull(request.abortSignal(signal).maybeSingle());
          return row === null ? null : fromWire(row);
        },
        (wallet, change) => (change.table === 'wallets' ? newerOf(wallet, change.row) : wallet),
      ),
  });

/** Null when the user has no wallet; figures then show 0.00. */
export const useWallet = () => useQuery(walletQuery(useSignedIn()));

/** Reads the open positions, newest first (CALL-41). */
export const readOpenPositions = (
  { user, supabase }: AccountReader,
  cache: QueryClient,
  signal: AbortSignal,
): Promise<readonly Position[]> =>
  readWithChanges<readonly Position[]>(
    cache,
    async () => {
      const request = supabase.rest.from('positions').select('*').eq('user_id', user.id).eq('status', 'open');
      const newestFirst = request
        .order('created_at', descending)
        .order('id', descending)
        .limit(openListLimit);
      return (await unwrap(newestFirst.abortSignal(signal))).map(fromWire);
    },
    (open, change) => (change.table === 'positions' ? applyToOpen(open, change.row) : open),
  );

/** Newest first. */
export const openPositionsQuery = (reader: AccountReader) =>
  queryOptions<readonly Position[]>({
    queryKey: queryKeys.positions(reader.user.id, 'open'),
    queryFn: ({ client, signal }) => readOpenPositions(reader, client, signal),
  });
export const useOpenPositions = () => useQuery(openPositionsQuery(useSignedIn()));

/** Latest closing first. */
const closedPositionsQuery = ({ user, supabase }: AccountReader) =>
  queryOptions<readonly Position[]>({
    queryKey: queryKeys.positions(user.id, 'closed'),
    queryFn: ({ client, signal }) =>
      readWithChanges<readonly Position[]>(
        client,
        async () => {
          const request = supabase.rest
            .from('positions')
            .select('*')
            .eq('user_id', user.id)
            .eq('status', 'closed');
          const latestFirst = request
            .order('closed_at', descending)
            .order('id', descending)
            .limit(closedListLimit);
          return (await unwrap(latestFirst.abortSignal(signal))).map(fromWire);
        },
        (closed, change) => (change.table === 'positions' ? applyToClosed(closed, change.row) : closed),
      ),
  });
export const useClosedPositions = () => useQuery(closedPositionsQuery(useSignedIn()));

/** Open orders, newest first (CALL-44). */
export const openOrdersQuery = ({ user, supabase }: AccountReader) =>
  queryOptions<readonly Order[]>({
    queryKey: queryKeys.orders(user.id, 'open'),
    queryFn: ({ client, signal }) =>
      readWithChanges<readonly Order[]>(
        client,
        async () => {
          const request = supabase.rest.from('orders').select('*').eq('user_id', user.id).eq('status', 'NEW');
          const newestFirst = request
            .order('created_at', descending)
            .order('id', descending)
            .limit(openListLimit);
          return (await unwrap(newestFirst.abortSignal(signal))).map(fromWire);
        },
        (open, change) => (change.table === 'orders' ? applyToOpenOrders(open, change.row) : open),
      ),
  });
export const useOpenOrders = () => useQuery(openOrdersQuery(useSignedIn()));

/** Final orders, the latest outcome first (A20). */
const pastOrdersQuery = ({ user, supabase }: AccountReader) =>
  queryOptions<readonly Order[]>({
    queryKey: queryKeys.orders(user.id, 'past'),
    queryFn: ({ client, signal }) =>
      readWithChanges<readonly Order[]>(
        client,
        async () => {
          const request = supabase.rest.from('orders').select('*').eq('user_id', user.id);
          const latestFirst = request
            .in('status', pastStatuses)
            .order('updated_at', descending)
            .order('id', descending);
          return (await unwrap(latestFirst.limit(pastOrdersLimit).abortSignal(signal))).map(fromWire);
        },
        (past, change) => (change.table === 'orders' ? applyToPastOrders(past, change.row) : past),
      ),
  });
export const usePastOrders = () => useQuery(pastOrdersQuery(useSignedIn()));

/** The trader's notifications, newest first (A104). */
const notificationsQuery = ({ user, supabase }: AccountReader) =>
  queryOptions<readonly Notification[]>({
    queryKey: queryKeys.notifications(user.id),
    queryFn: ({ client, signal }) =>
      readWithChanges<readonly Notification[]>(
        client,
        async () => {
          const request = supabase.rest.from('notifications').select('*').eq('user_id', user.id);
          const newestFirst = request
            .order('created_at', descending)
            .order('id', descending)
            .limit(notificationsLimit);
          return (await unwrap(newestFirst.abortSignal(signal))).map(fromWire);
        },
        (notifications, change) =>
          change.table === 'notifications' ? applyToNotifications(notifications, change.row) : notifications,
      ),
  });
export const useNotifications = () => useQuery(notificationsQuery(useSignedIn()));

/** Completed deposits and withdrawals (RULE-28) and trading fees (A07), newest first (WALL-08). */
export function useTransactions() {
  const { user, supabase } = useSignedIn();
  return useQuery<readonly Transaction[]>({
    queryKey: queryKeys.transactions(user.id),
    queryFn: async ({ signal }) => {
      const request = supabase.rest.from('transactions').select('*').eq('user_id', user.id);
      const completed = request.eq('status', 'completed').in('type', ['deposit', 'withdrawal', 'fee']);
      const newestFirst = completed
        .order('created_at', descending)
        .order('id', descending)
        .limit(transactionsLimit);
      return (await unwrap(newestFirst.abortSignal(signal))).map(fromWire);
    },
  });
}
