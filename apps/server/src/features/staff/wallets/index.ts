/**
 * Wallets and their ledger (ADMIN-81, ADMIN-82, A76). Invariants: staff only read here; a search matches a part of a name
 * and never a pattern; one reconciliation runs at a time, and concurrent callers share its result. A caller that would
 * exceed a client's timeout receives `busy`; the retry gets the result found meanwhile.
 *
 * Known limitation: the drift of a row trusts the checkpoint's sums and reads the entries after it; the reconciliation
 * reads the whole ledger.
 */

import {
  AppError,
  type ArgsOf,
  type ResultOf,
  type SignedIn,
  texts,
  type walletSorts,
} from '@fulcrum/contract';
import { asMoney, toDecimalString } from '@fulcrum/domain';
import { Parameters } from '../../../platform/database/parameters.ts';
import { type Reconciled, reconcileWallets } from '../../wallet/index.ts';
import type { StaffDependencies } from '../dependencies.ts';
import { inListSnapshot } from '../read-snapshot.ts';
import { walletFilterSql } from './filter.ts';

type ListArgs = ArgsOf<'list_wallets'>;
type WalletList = ResultOf<'list_wallets'>;
type Reconciliation = ResultOf<'reconcile_wallets'>;

const defaultPageSize = 25;
/** Clients give up after 15 s. */
const answerTimeoutMs = 10_000;
/** How long the result is cached for a retry after `busy`. */
const cachedForMs = 60_000;
/**
 * An amount as a whole number, which PostgreSQL sorts three times as fast as a decimal one. What is too large for one is sorted
 * among its like by the amount itself, which comes next.
 */
const whole = (amount: string): string => `(least(${amount}, 90000000000) * 100000000)::int8`;
/** Of `app.wallets w` and `app.users u`; the last one is a key, so every order is a whole one. */
const orders = {
  username: ['lower(u.username)', 'u.id'],
  balance: [whole('w.balance'), 'w.balance', 'w.id'],
  available_balance: [whole('w.available_balance'), 'w.available_balance', 'w.id'],
  last_updated: ['w.last_updated', 'w.id'],
} as const satisfies Record<(typeof walletSorts)[number], readonly string[]>;

interface WalletRow {
  readonly id: string;
  readonly user_id: string;
  readonly username: string;
  readonly balance: string;
  readonly available_balance: string;
  readonly margin: string;
  readonly currency: string;
  readonly last_updated: Date;
  readonly drift: string;
}

export function createWalletLists(
  { db, reader, clock }: Pick<StaffDependencies, 'db' | 'reader' | 'clock'>,
  { timeoutMs = answerTimeoutMs }: { readonly timeoutMs?: number } = {},
) {
  let reconciling: Promise<Reconciliation> | undefined;
  /** The result that was found after its caller had received `busy`. */
  let cached: { readonly found: Reconciliation; readonly until: number } | undefined;
  let wasDeferred = false;

  const reconcileAll = async (): Promise<Reconciliation> => {
    try {
      const found = await reconcile(null);
      if (wasDeferred) cached = { found, until: clock.now() + cachedForMs };
      return found;
    } finally {
      reconciling = undefined;
      wasDeferred = false;
    }
  };

  const reconcile = async (userId: string | null): Promise<Reconciliation> =>
    toReconciliation(await reconcileWallets(db, userId), clock.now());

  return {
    async list_wallets(caller: SignedIn, args: ListArgs): Promise<WalletList> {
      const { p_search: search, p_sort, p_page, p_page_size } = args;
      const filter = toWalletFilter(caller, search?.trim() ?? '');
      const sort = p_sort ?? 'last_updated';
      const direction = args.p_ascending ? 'asc' : 'desc';
      const pageSize = p_page_size ?? defaultPageSize;
      const inOrder = (keys: readonly string[]) => keys.map((key) => `${key} ${direction}`).join(', ');
      const page = pageSql(filter, sort, inOrder, {
        limit: pageSize,
        offset: ((p_page ?? 1) - 1) * pageSize,
      });
      const { rows } = await inListSnapshot(reader, (tx) =>
        // Reads the ledger for the rows of the page only. A page behind the last one still has a total.
        tx.query<{ total: string } & (WalletRow | { readonly id: null })>(
          `with ${page}
           select counted.total, listed.*
           from counted left join (
             select w.id, w.user_id, u.username, w.balance, w.available_balance, w.margin + w.order_margin as margin,
                    w.currency, w.last_updated,
                    w.balance - coalesce(c.cash + c.margin + c.order_margin, 0) - l.amount as drift,
                    row_number() over (order by ${inOrder(orders[sort])}) as place
             from page p
             join app.wallets w on w.id = p.id
             join app.users u on u.id = w.user_id
             left join app.checkpoint_balances c on c.user_id = w.user_id
             cross join lateral (
               select coalesce(sum(e.amount), 0) as amount from app.ledger_entries e
               where e.user_id = w.user_id and e.id > coalesce(c.ledger_id, 0)
             ) l
           ) listed on true
           order by listed.place`,
          filter.values,
        ),
      );
      return {
        total: Number(rows[0]?.total ?? 0),
        wallets: rows.flatMap((row) => (row.id === null ? [] : toWallet(row))),
      };
    },

    /** @throws AppError `not_found` for a user without a wallet, `busy` for an answer that takes longer: ask again */
    async reconcile_wallets(
      _caller: SignedIn,
      { p_user_id }: ArgsOf<'reconcile_wallets'>,
    ): Promise<Reconciliation> {
      if (p_user_id != null) {
        const result = await reconcile(p_user_id.toLowerCase());
        if (result.wallets === 0) throw new AppError('not_found', texts.userNotFound);
        return result;
      }
      const deferred = cached;
      cached = undefined;
      if (deferred && deferred.until > clock.now()) return deferred.found;
      reconciling ??= reconcileAll();
      const found = await withTimeout(reconciling, timeoutMs);
      if (found) {
        // The next caller expects a fresh result.
        cached = undefined;
        return found;
      }
      wasDeferred = true;
      throw new AppError('busy', texts.reconcileUnderWay);
    },
  };
}

/** Undefined when it is not there by then; it goes on. */
async function withTimeout<T>(result: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), timeoutMs);
  try {
    return await Promise.race([result, late.promise]);
  } finally {
    clearTimeout(timer);
    // A failure without a waiting caller is reported to the next one.
    result.catch(() => undefined);
  }
}

interface WalletFilter {
  readonly where: string;
  readonly values: readonly unknown[];
  /** Whether a search needs the users' names. */
  readonly isSearch: boolean;
}

/** Which wallets are meant: of the caller's scope, by a part of a username or email, or by the id of user or wallet. */
function toWalletFilter(caller: SignedIn, search: string): WalletFilter {
  const parameters = new Parameters();
  const where = walletFilterSql(caller, search, parameters);
  return { where, values: parameters.values, isSearch: search !== '' };
}

/**
 * The CTEs `counted`, with one row, and `page`, the ids of its wallets. Users are joined to all wallets only when needed.
 */
function pageSql(
  { where, isSearch }: WalletFilter,
  sort: keyof typeof orders,
  inOrder: (keys: readonly string[]) => string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): string {
  const withUsers = 'app.users u join app.wallets w on w.user_id = u.id';
  const keys = orders[sort];
  const part = `limit ${limit} offset ${offset}`;
  if (isSearch) {
    // Everybody's names are read once, for the count and the page.
    const names = keys.map((_, at) => `key${at}`);
    return `found as materialized (
        select w.id, ${keys.map((key, at) => `${key} as ${names[at]}`).join(', ')} from ${withUsers} where ${where}
      ), counted as (select count(*) as total from found),
      page as materialized (select id from found order by ${inOrder(names)} ${part})`;
  }
  const listedOf = sort === 'username' ? withUsers : 'app.wallets w';
  return `counted as (select count(*) as total from app.wallets w where ${where}),
    page as materialized (select w.id from ${listedOf} where ${where} order by ${inOrder(keys)} ${part})`;
}

const toWallet = (row: WalletRow): WalletList['wallets'][number] => ({
  id: row.id,
  user_id: row.user_id,
  username: row.username,
  balance: Number(row.balance),
  available_balance: Number(row.available_balance),
  margin: Number(row.margin),
  currency: row.currency,
  last_updated: row.last_updated.toISOString(),
  drift: Number(row.drift),
});

function toReconciliation(found: Reconciled, at: number): Reconciliation {
  return {
    wallets: found.wallets,
    entries: found.entries,
    balance: toDecimalString(found.balance),
    ledger: toDecimalString(found.ledger),
    drifting: found.drifting.map(({ userId, username, balance, ledger }) => ({
      user_id: userId,
      username,
      balance: toDecimalString(balance),
      ledger: toDecimalString(ledger),
      drift: toDecimalString(asMoney(balance - ledger)),
    })),
    drifting_total: found.driftingTotal,
    at: new Date(at).toISOString(),
  };
}
