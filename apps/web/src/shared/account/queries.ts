/**
 * Reads of one's own account, shared by every screen that shows it: one cache entry each, kept live by
 * `useAccountChanges`. Limits: the latest 1000 deposits and withdrawals, the latest 500 closed positions.
 */
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../query/index.ts';
import { closedListLimit } from '../realtime/changes.ts';
import { useSignedIn } from '../session/index.ts';
import {
  answerOf,
  fromWire,
  type Position,
  rowsOf,
  type Transaction,
  type Wallet,
} from '../supabase/index.ts';

export const transactionsLimit = 1000;
const openListLimit = 500;

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
      const newestFirst = request.order('created_at', { ascending: false }).limit(openListLimit);
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
      const latestFirst = request.order('closed_at', { ascending: false }).limit(closedListLimit);
      return (await rowsOf(latestFirst.abortSignal(signal))).map(fromWire);
    },
  });
}

/** Completed deposits and withdrawals (RULE-28), newest first (WALL-08). */
export function useTransactions() {
  const { user, supabase } = useSignedIn();
  return useQuery<readonly Transaction[]>({
    queryKey: queryKeys.transactions(user.id),
    queryFn: async ({ signal }) => {
      const request = supabase.rest.from('transactions').select('*').eq('user_id', user.id);
      const completed = request.eq('status', 'completed').in('type', ['deposit', 'withdrawal']);
      const newestFirst = completed.order('created_at', { ascending: false }).limit(transactionsLimit);
      return (await rowsOf(newestFirst.abortSignal(signal))).map(fromWire);
    },
  });
}
