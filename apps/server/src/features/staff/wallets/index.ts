/**
 * Wallets and what the ledger says of them (ADMIN-81, ADMIN-82, A76). Invariants: staff read here and change nothing; a
 * search is a part of a name and never a pattern; the ledger is read through once at a time, whoever asks for it meanwhile
 * gets the same answer. Who would wait for longer than a client does is told to ask again, and gets what was found then.
 *
 * Known limitation: the drift of a row trusts the checkpoint's sums and reads what came after; reconciling trusts nothing.
 */

import {
  AppError,
  type listWallets,
  type reconcileWallets as reconcileProcedure,
  type SignedIn,
  texts,
  type walletSorts,
  wallets as walletsTable,
} from '@fulcrum/contract';
import { asMoney, isUuid, toDecimalString } from '@fulcrum/domain';
import type { z } from 'zod';
import { readScope, scopeSql } from '../../../platform/database/row-scope.ts';
import { type Reconciled, reconcileWallets } from '../../wallet/index.ts';
import type { StaffDependencies } from '../index.ts';
import { partPattern } from '../search.ts';

type ListArgs = z.output<typeof listWallets.args>;
type WalletList = z.output<typeof listWallets.result>;
type Reconciliation = z.output<typeof reconcileProcedure.result>;

const pageSizeUnlessAsked = 25;
/** Clients give up after 15 s. */
const answerWithinMs = 10_000;
/** For whoever was told to ask again. */
const keptMs = 60_000;
const sortColumns = {
  username: 'lower(u.username)',
  balance: 'w.balance',
  available_balance: 'w.available_balance',
  last_updated: 'w.last_updated',
} as const satisfies Record<(typeof walletSorts)[number], string>;

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
  { db, clock }: Pick<StaffDependencies, 'db' | 'clock'>,
  { patienceMs = answerWithinMs }: { readonly patienceMs?: number } = {},
) {
  let readingThrough: Promise<Reconciliation> | undefined;
  /** What was found after the one who asked had been told to ask again. */
  let kept: { readonly found: Reconciliation; readonly until: number } | undefined;
  let isOwed = false;

  const readThrough = async (): Promise<Reconciliation> => {
    try {
      const found = await reconcile(null);
      if (isOwed) kept = { found, until: clock.now() + keptMs };
      return found;
    } finally {
      readingThrough = undefined;
      isOwed = false;
    }
  };

  const reconcile = async (userId: string | null): Promise<Reconciliation> =>
    reconciliationOf(await reconcileWallets(db, userId), clock.now());

  return {
    async list_wallets(caller: SignedIn, args: ListArgs): Promise<WalletList> {
      const { p_search: search, p_sort, p_page, p_page_size } = args;
      const { where, values, needsUsers } = filterOf(caller, search?.trim() ?? '');
      const sort = p_sort ?? 'last_updated';
      const direction = args.p_ascending ? 'asc' : 'desc';
      const pageSize = p_page_size ?? pageSizeUnlessAsked;
      const offset = ((p_page ?? 1) - 1) * pageSize;
      // People are joined to a page, and to all wallets only where they say which wallets are meant, or in which order.
      const withUsers = 'app.users u join app.wallets w on w.user_id = u.id';
      const countedOf = needsUsers ? withUsers : 'app.wallets w';
      const listedOf = needsUsers || sort === 'username' ? withUsers : 'app.wallets w';
      const order = `${sortColumns[sort]} ${direction}, ${sort === 'username' ? 'u.id' : 'w.id'} ${direction}`;
      const [counted, listed] = await Promise.all([
        db.query<{ total: string }>(`select count(*) as total from ${countedOf} where ${where}`, values),
        // The ledger is asked for the rows of the page only.
        db.query<WalletRow>(
          `with page as materialized (
             select w.id from ${listedOf} where ${where}
             order by ${order} limit ${pageSize} offset ${offset}
           )
           select w.id, w.user_id, u.username, w.balance, w.available_balance, w.margin + w.order_margin as margin,
                  w.currency, w.last_updated,
                  w.balance - coalesce(c.cash + c.margin + c.order_margin, 0) - l.amount as drift
           from page p
           join app.wallets w on w.id = p.id
           join app.users u on u.id = w.user_id
           left join app.checkpoint_balances c on c.user_id = w.user_id
           cross join lateral (
             select coalesce(sum(e.amount), 0) as amount from app.ledger_entries e
             where e.user_id = w.user_id and e.id > coalesce(c.ledger_id, 0)
           ) l
           order by ${order}`,
          values,
        ),
      ]);
      return { total: Number(counted.rows[0]?.total ?? 0), wallets: listed.rows.map(walletOf) };
    },

    /** @throws AppError `not_found` for a user without a wallet, `busy` for an answer that takes longer: ask again */
    async reconcile_wallets(
      _caller: SignedIn,
      { p_user_id }: z.output<typeof reconcileProcedure.args>,
    ): Promise<Reconciliation> {
      if (p_user_id != null) {
        const result = await reconcile(p_user_id.toLowerCase());
        if (result.wallets === 0) throw new AppError('not_found', texts.userNotFound);
        return result;
      }
      const owed = kept;
      kept = undefined;
      if (owed && owed.until > clock.now()) return owed.found;
      readingThrough ??= readThrough();
      const found = await withinPatience(readingThrough, patienceMs);
      if (found) {
        // Who asks after this one wants to know of now.
        kept = undefined;
        return found;
      }
      isOwed = true;
      throw new AppError('busy', texts.reconcileUnderWay);
    },
  };
}

/** Undefined when it is not there by then; it goes on. */
async function withinPatience<T>(result: Promise<T>, patienceMs: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), patienceMs);
  try {
    return await Promise.race([result, late.promise]);
  } finally {
    clearTimeout(timer);
    // Also when nobody waits for it any more; who asks again hears of it.
    result.catch(() => undefined);
  }
}

/** Which wallets are meant: of the caller's scope, by a part of a username or email, or by the id of user or wallet. */
function filterOf(caller: SignedIn, search: string) {
  const scope = readScope(walletsTable.access, caller);
  if (scope === undefined) return { where: 'false', values: [], needsUsers: false };
  const values: string[] = [];
  const place = (value: string) => `$${values.push(value)}`;
  const reached = scope === 'all' ? 'true' : scopeSql(scope, 'w.user_id', place(caller.userId));
  if (search === '') return { where: reached, values, needsUsers: false };
  const pattern = place(partPattern(search));
  const named = [`lower(u.username) like ${pattern}`, `u.email like ${pattern}`];
  if (isUuid(search)) {
    const id = place(search);
    named.push(`w.user_id = ${id}::uuid`, `w.id = ${id}::uuid`);
  }
  return { where: `${reached} and (${named.join(' or ')})`, values, needsUsers: true };
}

const walletOf = (row: WalletRow): WalletList['wallets'][number] => ({
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

function reconciliationOf(found: Reconciled, at: number): Reconciliation {
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
