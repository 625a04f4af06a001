/** Who the page is about, as staff read it through the table API: the profile with its manager, the wallet, what is open. */

import type { Database, Row } from '@fulcrum/contract/database';
import { isUuid } from '@fulcrum/domain';
import { queryOptions } from '@tanstack/react-query';
import {
  answerOf,
  fromWire,
  type Position,
  RequestError,
  rowsOf,
  type Supabase,
} from '../../../shared/supabase/index.ts';
import type { ReadPage } from '../rows/RowsPanel.tsx';

export type Wallet = Row<'wallets'>;
export type KycStatusOfUser = Row<'users'>['kyc_status'];
export interface UserProfile extends Row<'users'> {
  readonly manager: { readonly id: string; readonly username: string } | null;
}

const everyMs = 30_000;
/** An account has at most this many open (`maxOpen`), so the sum of their results is whole. */
const openMax = 500;
/** Everything that is kept about a person for these pages: to be read again after an act. */
export const userKey = (userId: string) => ['staff', 'user', userId] as const;

/** Null: there is no such person, or none whom the caller reaches; which of both is not told. */
export const profileQuery = ({ rest }: Supabase, userId: string) =>
  queryOptions({
    queryKey: [...userKey(userId), 'profile'],
    queryFn: async ({ signal }): Promise<UserProfile | null> => {
      if (!isUuid(userId)) return null;
      const asked = rest.from('users').select('*, manager:manager_id(id, username)');
      return answerOf(asked.eq('id', userId).abortSignal(signal).maybeSingle());
    },
    refetchInterval: everyMs,
  });

/** Null: they have none. */
export const walletQuery = ({ rest }: Supabase, userId: string) =>
  queryOptions({
    queryKey: [...userKey(userId), 'wallet'],
    queryFn: ({ signal }): Promise<Wallet | null> =>
      answerOf(rest.from('wallets').select('*').eq('user_id', userId).abortSignal(signal).maybeSingle()),
    refetchInterval: everyMs,
  });

export const openPositionsQuery = ({ rest }: Supabase, userId: string) =>
  queryOptions({
    queryKey: [...userKey(userId), 'open'],
    queryFn: async ({ signal }): Promise<readonly Position[]> => {
      const open = rest.from('positions').select('*').eq('user_id', userId).eq('status', 'open');
      return (await rowsOf(open.limit(openMax).abortSignal(signal))).map(fromWire);
    },
    refetchInterval: everyMs,
  });

interface CountedAnswer<Row> {
  readonly data: Row[] | null;
  readonly count: number | null;
  readonly error: { readonly message: string; readonly code?: string } | null;
  readonly status: number;
}

/** A page with the number of all rows; the request has to ask for an exact count. */
export async function pageOf<Row>(request: PromiseLike<CountedAnswer<Row>>): Promise<ReadPage<Row>> {
  const { data: rows, count, error, status } = await request;
  if (error) throw new RequestError(error.message, error.code ?? '', status);
  if (rows === null || count === null) throw new RequestError('Invalid response format', '', 0);
  return { rows, total: count };
}

export const counted = { count: 'exact' } as const;
export const newestFirst = { ascending: false } as const;
export type Tables = Database['public']['Tables'];
