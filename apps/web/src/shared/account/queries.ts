/**
 * Reads of one's own account, shared by every screen that shows it: one cache entry each, kept live by
 * `useAccountChanges`. Rows that one batch wrote share a time; among them the id decides, so that reading a list again
 * does not shuffle it. Limits: the latest 1000 deposits, withdrawals and fees, the latest 500 closed positions, the latest
 * 500 orders of each kind, the latest 50 notifications.
 */
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../query/index.ts';
import { closedListLimit, notificationsLimit, pastOrdersLimit } from '../realtime/changes.ts';
import { useSignedIn } from '../session/index.ts';
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

/** Null when there is no wallet: everything reads 0.00 then. */
export function useWallet() {
  const { user, supabase } = useSignedIn();
  return useQuery<Wallet | null>({
    queryKey: queryKeys.wallet(user.id),
    queryFn: async ({ signal }) => {
      const request = supabase.rest.from('wallets').select('*').eq('user_id', user.id);
      const row = await answerOf(request.abortSignal(signal).maybeSingle());
      return row === null ? null : fromWire(row);
    },
  });
}

/** Newest first. */
export function useOpenPositions() {
  const { user, supabase } = useSignedIn();
  return useQuery<readonly Position[]>({
    queryKey: queryKeys.positions(user.id, 'open'),
    queryFn: async ({ signal }) => {
      const request = supabase.rest.from('positions').select('*').eq('user_id', user.id).eq('status', 'open');
      const newestFirst = request
        .order('created_at', descending)
        .order('id', descending)
        .limit(openListLimit);
      return (await rowsOf(newestFirst.abortSignal(signal))).map(fromWire);
    },
  });
}

/** Latest closing first. */
export function useClosedPositions() {
  const { user, supabase } = useSignedIn();
  return useQuery<readonly Position[]>({
    queryKey: queryKeys.positions(user.id, 'closed'),
    queryFn: async ({ signal }) => {
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
  });
}

/** Orders that wait, newest first (CALL-44). */
export function useOpenOrders() {
  const { user, supabase } = useSignedIn();
  return useQuery<readonly Order[]>({
    queryKey: queryKeys.orders(user.id, 'open'),
    queryFn: async ({ signal }) => {
      const request = supabase.rest.from('orders').select('*').eq('user_id', user.id).eq('status', 'NEW');
      const newestFirst = request
        .order('created_at', descending)
        .order('id', descending)
        .limit(openListLimit);
      return (await rowsOf(newestFirst.abortSignal(signal))).map(fromWire);
    },
  });
}

/** Orders that are final (A20), the latest outcome first. */
export function usePastOrders() {
  const { user, supabase } = useSignedIn();
  return useQuery<readonly Order[]>({
    queryKey: queryKeys.orders(user.id, 'past'),
    queryFn: async ({ signal }) => {
      const request = supabase.rest.from('orders').select('*').eq('user_id', user.id);
      const latestFirst = request
        .in('status', pastStatuses)
        .order('updated_at', descending)
        .order('id', descending);
      return (await rowsOf(latestFirst.limit(pastOrdersLimit).abortSignal(signal))).map(fromWire);
    },
  });
}

/** What the trader was told (A104), newest first. */
export function useNotifications() {
  const { user, supabase } = useSignedIn();
  return useQuery<readonly Notification[]>({
    queryKey: queryKeys.notifications(user.id),
    queryFn: async ({ signal }) => {
      const request = supabase.rest.from('notifications').select('*').eq('user_id', user.id);
      const newestFirst = request
        .order('created_at', descending)
        .order('id', descending)
        .limit(notificationsLimit);
      return (await rowsOf(newestFirst.abortSignal(signal))).map(fromWire);
    },
  });
}

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
