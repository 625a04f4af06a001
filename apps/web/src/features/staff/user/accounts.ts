/**
 * The trading accounts of a user, and which of them the screen shows. The address stores it; without it the main account is shown,
 * and for an id that is none of the user's.
 */
import type { Database } from '@fulcrum/contract/database';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Supabase, unwrap, useSupabase } from '../../../shared/supabase/index.ts';
import { defineUrlState, useUrlState, uuidField } from '../../../shared/url-state/index.ts';
import { mainAccount, type ShownAccount } from '../shown-account.ts';
import { refetchMs, userKey } from './user-queries.ts';

export type TradingAccount = Database['public']['Functions']['list_accounts']['Returns'][number];

/** The main account first. */
export const accountsQuery = ({ rest }: Supabase, userId: string) =>
  queryOptions({
    queryKey: [...userKey(userId), 'accounts'],
    queryFn: ({ signal }): Promise<readonly TradingAccount[]> =>
      unwrap(rest.rpc('list_accounts', { p_user_id: userId }).abortSignal(signal)),
    refetchInterval: refetchMs,
  });

const accountUrlState = defineUrlState({ account: uuidField() });

/** Undefined while it is unknown whether the account of the address is one of these. */
export function findShownAccount(
  accounts: readonly TradingAccount[] | undefined,
  userId: string,
  id: string | null,
): ShownAccount | undefined {
  if (accounts === undefined) return id === null || id === userId ? mainAccount : undefined;
  const [main] = accounts;
  const { id: shownId, name } = accounts.find((account) => account.id === id) ?? main ?? {};
  return {
    id: shownId === undefined || shownId === userId ? null : shownId,
    name: name === undefined || accounts.length === 1 ? null : name,
  };
}

/** Parameters of the lists of positions, which another account does not have. */
const isOfPositions = (parameter: string): boolean => /^(?:open_|closed_|position$)/.test(parameter);

/**
 * The accounts of a trader; other users have none to choose from. Another account removes the parameters of the lists, and those
 * in `removes`.
 */
export function useShownAccount(
  { userId, isTrader }: { readonly userId: string; readonly isTrader: boolean },
  removes: (parameter: string) => boolean = () => false,
) {
  const supabase = useSupabase();
  const [{ account: id }, change] = useUrlState(accountUrlState);
  const reading = useQuery({ ...accountsQuery(supabase, userId), enabled: isTrader });
  return {
    reading,
    /** A dialog that opens by itself waits for it: it names the account where there are several. */
    isRead: !isTrader || reading.data !== undefined || reading.isError,
    shown: isTrader ? findShownAccount(reading.data, userId, id) : mainAccount,
    show: (account: string) =>
      change(
        { account: account === userId ? null : account },
        { step: 'new', removes: (parameter) => isOfPositions(parameter) || removes(parameter) },
      ),
  } as const;
}
