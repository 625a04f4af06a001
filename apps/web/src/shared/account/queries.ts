/**
 * Reads of one's own account, shared by every screen that shows it: one cache entry each, kept live by
 * `useAccountChanges`; an answer never takes back what was announced while it was on its way. Rows that one batch wrote
 * share a time; among them the id decides, so that reading a list again does not shuffle it. Limits: the latest 1000
 * deposits, withdrawals and fees, the latest 500 closed positions, the latest 500 orders of each kind, the latest 50
 * notifications.
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
  newest,
  notificationsLimit,
  pastOrdersLimit,
} from '../realtime/changes.ts';
import { readUnder } from '../realtime/reading.ts';
import { type SignedIn, useSignedIn } from '../session/index.ts';
import {
  answerOf,
  fromWire,
  type Notification,
  type Order,
  type Position,
  rowsOf,
  type Transaction,
  type Wallet,
} from '../supabase/index.ts';

export const transactionsLimit = 1000;
const openListLimit = 500;
const descending = { ascending: false } as const;
const pastStatuses = ['FILLED', 'REJECTED', 'CANCELED'] as const;

/** Who reads, and with what. */
export interface AccountReader {
  readonly user: Pick<SignedIn['user'], 'id'>;
  readonly supabase: SignedIn['supabase'];
}

const walletQuery = ({ user, supabase }: AccountReader) =>
  queryOptions<Wallet | null>({
    queryKey: queryKeys.wallet(user.id),
    queryFn: ({ client, signal }) =>
      readUnder<Wallet | null>(
        client,
        async () => {
          const request = supabase.rest.from('wallets').select('*').eq('user_id', user.id);
          const row = await answerOf(request.abortSignal(signal).maybeSingle());
          return row === null ? null : fromWire(row);
        },
        (wallet, change) => (change.table === 'wallets' ? newest(wallet, change.row) : wallet),
      ),
  });

/** Null when there is no wallet: everything reads 0.00 then. */
export const useWallet = () => useQuery(walletQuery(useSignedIn()));

/** Reads the open positions, newest first (CALL-41). */
export const readOpenPositions = (
  { user, supabase }: AccountReader,
  cache: QueryClient,
  signal: AbortSignal,
): Promise<readonly Position[]> =>
  readUnder<readonly Position[]>(
    cache,
    async () => {
      const request = supabase.rest.from('positions').select('*').eq('user_id', user.id).eq('status', 'open');
      const newestFirst = request
        .order('created_at', descending)
        .order('id', descending)
        .limit(openListLimit);
      return (await rowsOf(newestFirst.abortSignal(signal))).map(fromWire);
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
      readUnder<readonly Position[]>(
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
          return (await rowsOf(latestFirst.abortSignal(signal))).map(fromWire);
        },
        (closed, change) => (change.table === 'positions' ? applyToClosed(closed, change.row) : closed),
      ),
  });
export const useClosedPositions = () => useQuery(closedPositionsQuery(useSignedIn()));

/** Orders that wait, newest first (CALL-44). */
export const openOrdersQuery = ({ user, supabase }: AccountReader) =>
  queryOptions<readonly Order[]>({
    queryKey: queryKeys.orders(user.id, 'open'),
    queryFn: ({ client, signal }) =>
      readUnder<readonly Order[]>(
        client,
        async () => {
          const request = supabase.rest.from('orders').select('*').eq('user_id', user.id).eq('status', 'NEW');
          const newestFirst = request
            .order('created_at', descending)
            .order('id', descending)
            .limit(openListLimit);
          return (await rowsOf(newestFirst.abortSignal(signal))).map(fromWire);
        },
        (open, change) => (change.table === 'orders' ? applyToOpenOrders(open, change.row) : open),
      ),
  });
export const useOpenOrders = () => useQuery(openOrdersQuery(useSignedIn()));

/** Orders that are final (A20), the latest outcome first. */
const pastOrdersQuery = ({ user, supabase }: AccountReader) =>
  queryOptions<readonly Order[]>({
    queryKey: queryKeys.orders(user.id, 'past'),
    queryFn: ({ client, signal }) =>
      readUnder<readonly Order[]>(
        client,
        async () => {
          const request = supabase.rest.from('orders').select('*').eq('user_id', user.id);
          const latestFirst = request
            .in('status', pastStatuses)
            .order('updated_at', descending)
            .order('id', descending);
          return (await rowsOf(latestFirst.limit(pastOrdersLimit).abortSignal(signal))).map(fromWire);
        },
        (past, change) => (change.table === 'orders' ? applyToPastOrders(past, change.row) : past),
      ),
  });
export const usePastOrders = () => useQuery(pastOrdersQuery(useSignedIn()));

/** What the trader was told (A104), newest first. */
const notificationsQuery = ({ user, supabase }: AccountReader) =>
  queryOptions<readonly Notification[]>({
    queryKey: queryKeys.notifications(user.id),
    queryFn: ({ client, signal }) =>
      readUnder<readonly Notification[]>(
        client,
        async () => {
          const request = supabase.rest.from('notifications').select('*').eq('user_id', user.id);
          const newestFirst = request
            .order('created_at', descending)
            .order('id', descending)
            .limit(notificationsLimit);
          return (await rowsOf(newestFirst.abortSignal(signal))).map(fromWire);
        },
        (told, change) => (change.table === 'notifications' ? applyToNotifications(told, change.row) : told),
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
      return (await rowsOf(newestFirst.abortSignal(signal))).map(fromWire);
    },
  });
}
