/** The query of the Wallets tab and its URL parameters. */
import type { Database } from '@fulcrum/contract/database';
import { texts } from '@fulcrum/contract/texts';
import { RequestError, type Supabase, unwrap } from '../../../shared/supabase/index.ts';
import { type Sorted, type SortOrder, toggleSort } from '../../../shared/table/sort.ts';

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
export const defaultQuery: WalletQuery = { search: '', sort: 'last_updated', order: 'descending', page: 1 };

const firstOrderOf = (sort: WalletSort): SortOrder => (sort === 'username' ? 'ascending' : 'descending');

/** Sorts by a column; a second press on the same column reverses the order. */
export const sortQuery = (query: WalletQuery, sort: WalletSort): Sorted<WalletSort> =>
  toggleSort(query, sort, firstOrderOf);

const [searchName, sortName, pageName] = ['wallets_search', 'wallets_sort', 'wallets_page'] as const;
const searchMax = 100;
const pageMax = 10_000;

/** Reads the query from the URL; invalid parameters count as the default. */
export function parseQuery(params: URLSearchParams): WalletQuery {
  const [, minus, named] = /^(-?)(\w+)$/.exec(params.get(sortName) ?? '') ?? [];
  const sort = sorts.find((known) => known === named);
  const page = Number(params.get(pageName) ?? '1');
  return {
    search: (params.get(searchName) ?? '').slice(0, searchMax),
    sort: sort ?? defaultQuery.sort,
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
  put(sortName, `${order === 'ascending' ? '' : '-'}${sort}`, `-${defaultQuery.sort}`);
  put(pageName, String(page), '1');
  return next;
}

export const readWallets = (
  supabase: Supabase,
  { search, sort, order, page }: WalletQuery,
  signal: AbortSignal,
): Promise<WalletList> =>
  unwrap(
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

const retryAfterMs = 1_000;
/** Maximum number of requests; each waits up to ten seconds for its answer. */
const attemptsMax = 12;

/** Reconciles all wallets. On a large ledger the run takes longer than one request, so the same run is requested again. */
export async function reconcileAll(supabase: Supabase): Promise<Reconciliation> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await unwrap(supabase.rest.rpc('reconcile_wallets', {}));
    } catch (error) {
      if (!isReconcileRunning(error) || attempt === attemptsMax) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
  }
}

const isReconcileRunning = (error: unknown): boolean =>
  error instanceof RequestError && error.code === 'busy' && error.message === texts.reconcileUnderWay;
