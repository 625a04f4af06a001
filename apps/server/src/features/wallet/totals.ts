/**
 * The counters of the consoles (app.daily_totals). The engine's batches, registrations and a trigger on the users
 * update them, so reading them costs two rows a day instead of whole tables. Invariant: over all days they equal a
 * recount; the full pass compares.
 *
 * Known limitation: a day counts its own events. A later edit or deletion changes the day of that change, so a
 * month's figure is not a recount of the rows with its date.
 */
import { parseDecimal, toDecimalString } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { isMainSql } from '../../platform/database/row-scope.ts';

/** The counters' columns, in the order of a recount. */
const counters = [
  'users',
  'volume',
  'opened',
  'closed',
  'realized_pnl',
  'deposits',
  'withdrawals',
  'fees',
  'balance',
] as const;

/**
 * From $1 (uuid) to before $2; null has no end. Entries of deleted main accounts count: the ledger retains them. Other
 * accounts do not count (A112).
 */
const recountPage = `
  select u.*, p.*, l.*
  from (
    select count(*) as users from app.users where id >= $1 and ($2::uuid is null or id < $2)
  ) u, (
    select coalesce(sum(round(entry_price * size, 8)), 0) as volume, count(*) as opened,
           count(*) filter (where status = 'closed') as closed, coalesce(sum(realized_pnl), 0) as realized_pnl
    from app.positions p where user_id >= $1 and ($2::uuid is null or user_id < $2) and ${isMainSql('p.user_id')}
  ) p, (
    select coalesce(sum(amount) filter (where kind = 'deposit'), 0) as deposits,
           coalesce(sum(amount) filter (where kind = 'withdrawal'), 0) as withdrawals,
           coalesce(-sum(amount) filter (where kind = 'fee'), 0) as fees, coalesce(sum(amount), 0) as balance
    from app.ledger_entries e where user_id >= $1 and ($2::uuid is null or user_id < $2) and ${isMainSql('e.user_id')}
  ) l`;

/** Counts page by page of accounts, so that no statement reads whole tables. */
export class TotalsRecount {
  readonly #sums = new Map<string, bigint>(counters.map((counter) => [counter, 0n]));

  async add(tx: Queryable, page: readonly [from: string, to: string | null]): Promise<void> {
    const { rows } = await tx.query<Record<(typeof counters)[number], string>>(recountPage, page);
    const [row] = rows;
    if (!row) throw new Error('a page of the recount gave no row');
    for (const counter of counters) {
      this.#sums.set(counter, (this.#sums.get(counter) ?? 0n) + parseDecimal(row[counter]));
    }
  }

  /** The counters that differ, as text for an operator. */
  async differences(tx: Queryable): Promise<readonly string[]> {
    const { rows } = await tx.query<{ difference: string }>(
      `select c.name || ': ' || c.counted || ' counted, ' || c.found || ' there' as difference
       from (select ${counters.map((counter) => `coalesce(sum(${counter}), 0) as ${counter}`).join(', ')}
             from app.daily_totals) t
       cross join lateral (values ${counters.map((name, i) => `('${name}', t.${name}, $${i + 1}::numeric)`).join(', ')})
         as c (name, counted, found)
       where c.counted <> c.found`,
      counters.map((counter) => toDecimalString(this.#sums.get(counter) ?? 0n)),
    );
    return rows.map(({ difference }) => difference);
  }
}
