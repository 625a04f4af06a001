/** What the Wallets tab asks for, as its address says it. */
import type { Database } from '@fulcrum/contract/database';
import { texts } from '@fulcrum/contract/texts';
import { RequestError, rowsOf, type Supabase } from '../../../shared/supabase/index.ts';
import { type Direction, pressed, type Sorted } from '../rows/sort.ts';

type Functions = Database['public']['Functions'];
export type WalletList = Functions['list_wallets']['Returns'];
export type ListedWallet = WalletList['wallets'][number];
export type Reconciliation = Functions['reconcile_wallets']['Returns'];

export const pageRows = 25;
export const sorts = ['username', 'balance', 'available_balance', 'last_updated'] as const;
export type WalletSort = (typeof sorts)[number];

export interface WalletQuery extends Sorted<WalletSort> {
  readonly search: string;
  /** From 1. */
  readonly page: number;
}
export const newestFirst: WalletQuery = { search: '', sort: 'last_updated', order: 'descending', page: 1 };

const firstOrderOf = (sort: WalletSort): Direction => (sort === 'username' ? 'ascending' : 'descending');

/** A press on the head of a column. */
export const sortedBy = (query: WalletQuery, sort: WalletSort): Sorted<WalletSort> =>
  pressed(query, sort, firstOrderOf);

const [searchName, sortName, pageName] = ['wallets_search', 'wallets_sort', 'wallets_page'] as const;
const searchMax = 100;
const pageMax = 10_000;

/** What is no order or page of ours is the first of the newest. */
export function readQuery(params: URLSearchParams): WalletQuery {
  const [, minus, named] = /^(-?)(\w+)$/.exec(params.get(sortName) ?? '') ?? [];
  const sort = sorts.find((known) => known === named);
  const page = Number(params.get(pageName) ?? '1');
  return {
    search: (params.get(searchName) ?? '').slice(0, searchMax),
    sort: sort ?? newestFirst.sort,
    order: sort !== undefined && minus === '' ? 'ascending' : 'descending',
    page: Number.isInteger(page) && page >= 1 && page <= pageMax ? page : 1,
  };
}

export function writeQuery(
  params: URLSearchParams,
  { search, sort, order, page }: WalletQuery,
): URLSearchParams {
  const next = new URLSearchParams(params);
  const put = (name: string, value: string, usual: string) =>
    value === usual ? next.delete(name) : next.set(name, value);
  put(searchName, search, '');
  put(sortName, `${order === 'ascending' ? '' : '-'}${sort}`, `-${newestFirst.sort}`);
  put(pageName, String(page), '1');
  return next;
}

export const readWallets = (
  supabase: Supabase,
  { search, sort, order, page }: WalletQuery,
  signal: AbortSignal,
): Promise<WalletList> =>
  rowsOf(
    supabase.rest
      .rpc('list_wallets', {
        p_search: search.trim() === '' ? null : search.trim(),
        p_sort: sort,
        p_ascending: order === 'ascending',
        p_page: page,
        p_page_size: pageRows,
      })
      .abortSignal(signal),
  );

const againAfterMs = 1_000;
/** Each waits up to ten seconds for its answer. */
const asksMax = 12;

/** A large ledger is read for longer than one request lasts; the same run is then asked for again. */
export async function reconcileAll(supabase: Supabase): Promise<Reconciliation> {
  for (let asked = 1; ; asked += 1) {
    try {
      return await rowsOf(supabase.rest.rpc('reconcile_wallets', {}));
    } catch (error) {
      if (!isUnderWay(error) || asked === asksMax) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, againAfterMs));
  }
}

const isUnderWay = (error: unknown): boolean =>
  error instanceof RequestError && error.code === 'busy' && error.message === texts.reconcileUnderWay;
