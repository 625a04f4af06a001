/** The query of the Wallets tab and its URL parameters. */
import type { Database } from '@fulcrum/contract/database';
import { texts } from '@fulcrum/contract/texts';
import { RequestError, type Supabase, unwrap } from '../../../shared/supabase/index.ts';
import { type Sorted, type SortOrder, toggleSort } from '../../../shared/table/sort.ts';
import { defineUrlState, pageField, textField } from '../../../shared/url-state/index.ts';

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
const firstOrderOf = (sort: WalletSort): SortOrder => (sort === 'username' ? 'ascending' : 'descending');

/** Sorts by a column; a second press on the same column reverses the order. */
export const sortQuery = (query: WalletQuery, sort: WalletSort): Sorted<WalletSort> =>
  toggleSort(query, sort, firstOrderOf);

/** One parameter has both: `balance`, or `-balance` for the largest first. */
const sortParameter = 'wallets_sort';
const formatSort = (sort: string, isAscending: boolean): string | null => {
  const text = `${isAscending ? '' : '-'}${sort}`;
  return text === '-last_updated' ? null : text;
};
const findSort = (text: string | null) => sorts.find((known) => known === text?.replace(/^-/, ''));

export const walletsUrlState = defineUrlState<WalletQuery>({
  search: textField(100, 'wallets_search'),
  sort: {
    parameter: sortParameter,
    parse: (text) => findSort(text) ?? 'last_updated',
    format: (sort, { order }) => formatSort(sort, order === 'ascending'),
  },
  order: {
    parameter: sortParameter,
    parse: (text) => (findSort(text) === undefined || text?.startsWith('-') ? 'descending' : 'ascending'),
    format: (order, { sort }) => formatSort(`${sort}`, order === 'ascending'),
  },
  page: { parameter: 'wallets_page', ...pageField() },
});

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
