/** Queries of the user page through the table API: the profile with its manager, the wallet, and open positions. */

import type { Database, Row } from '@fulcrum/contract/database';
import { isUuid } from '@fulcrum/domain';
import { queryOptions } from '@tanstack/react-query';
import {
  fromWire,
  type Position,
  RequestError,
  type Supabase,
  unwrap,
  unwrapOrNull,
} from '../../../shared/supabase/index.ts';
import { pageRows, type ReadPage } from '../rows/RowsPanel.tsx';
import type { ShownAccount } from '../shown-account.ts';

export type Wallet = Row<'wallets'>;
export interface UserProfile extends Row<'users'> {
  readonly manager: { readonly id: string; readonly username: string } | null;
}

export const refetchMs = 30_000;
/** The maximum of open positions of an account (`maxOpen`), so that the sum of their PnL is complete. */
const openMax = 500;
/** The largest page of `list_positions`. */
const pageOfOpenMax = 100;
/** Key prefix of all cached data about a user, refetched after an action. */
export const userKey = (userId: string) => ['staff', 'user', userId] as const;

/** Resolves to null when the user does not exist or is not visible to the caller; the server does not tell which. */
export const profileQuery = ({ rest }: Supabase, userId: string) =>
  queryOptions({
    queryKey: [...userKey(userId), 'profile'],
    queryFn: async ({ signal }): Promise<UserProfile | null> => {
      if (!isUuid(userId)) return null;
      const request = rest.from('users').select('*, manager:manager_id(id, username)');
      return unwrapOrNull(request.eq('id', userId).abortSignal(signal).maybeSingle());
    },
    refetchInterval: refetchMs,
  });

/** Resolves to null when the user has no wallet. */
export const walletQuery = ({ rest }: Supabase, userId: string) =>
  queryOptions({
    queryKey: [...userKey(userId), 'wallet'],
    queryFn: ({ signal }): Promise<Wallet | null> =>
      unwrapOrNull(rest.from('wallets').select('*').eq('user_id', userId).abortSignal(signal).maybeSingle()),
    refetchInterval: refetchMs,
  });

/** The open positions of an account besides the main one: as many as a page has, and their number. */
export const openOfAccountQuery = ({ rest }: Supabase, userId: string, accountId: string) =>
  queryOptions({
    queryKey: [...userKey(userId), 'open', accountId],
    queryFn: ({ signal }) =>
      unwrap(
        rest
          .rpc('list_positions', {
            p_status: 'open',
            p_user_id: userId,
            p_account_id: accountId,
            p_page_size: pageOfOpenMax,
          })
          .abortSignal(signal),
      ),
    refetchInterval: refetchMs,
  });

export const openPositionsQuery = ({ rest }: Supabase, userId: string) =>
  queryOptions({
    queryKey: [...userKey(userId), 'open'],
    queryFn: async ({ signal }): Promise<readonly Position[]> => {
      const open = rest.from('positions').select('*').eq('user_id', userId).eq('status', 'open');
      return (await unwrap(open.limit(openMax).abortSignal(signal))).map(fromWire);
    },
    refetchInterval: refetchMs,
  });

interface CountedResponse<Row> {
  readonly data: Row[] | null;
  readonly count: number | null;
  readonly error: { readonly message: string; readonly code?: string } | null;
  readonly status: number;
}

interface CountedRequest<Row> {
  readonly range: (
    from: number,
    to: number,
  ) => { readonly abortSignal: (signal: AbortSignal) => PromiseLike<CountedResponse<Row>> };
}

/** Reads the page at `from` with the number of all rows; the request has to ask for an exact count. */
export async function fetchPage<Row>(
  request: CountedRequest<Row>,
  from: number,
  signal: AbortSignal,
): Promise<ReadPage<Row>> {
  const page = request.range(from, from + pageRows - 1).abortSignal(signal);
  const { data: rows, count, error, status } = await page;
  if (error) throw new RequestError(error.message, error.code ?? '', status);
  if (rows === null || count === null) throw new RequestError('Invalid response format', '', 0);
  return { rows, total: count };
}

/** The arguments of the lists of an account's records, for the page at `from`. */
export const recordArgs = (userId: string, { id }: ShownAccount, from: number) => ({
  p_user_id: userId,
  p_account_id: id,
  p_page: from / pageRows + 1,
  p_page_size: pageRows,
});

export const withCount = { count: 'exact' } as const;
export const newestFirst = { ascending: false } as const;
export type Tables = Database['public']['Tables'];
