/**
 * Filters positions for a list or a file, as SQL. Invariants: every filter contains the caller's row scope, or one account within
 * it; a user outside it does not exist; a search matches a part of a symbol, never a pattern.
 */
import { type PositionFilter, positions, type SignedIn } from '@fulcrum/contract';
import type { Queryable } from '../../../platform/database/index.ts';
import { isMainSql, readScope, scopeSql } from '../../../platform/database/row-scope.ts';
import { type NamedAccount, namesAccount, requireNamedAccount } from '../named-account.ts';

/** For a statement over `app.positions p`: its WHERE, and the values behind its `$n`, which more may follow. */
export interface FilterSql {
  readonly where: string;
  readonly values: readonly unknown[];
  /** The account of the positions; null: the main accounts of all users in the caller's scope. */
  readonly account: NamedAccount | null;
  /** The user of a position. */
  readonly owner: string;
}

/** By which closed and open positions are ordered and bounded in time (A78). */
export const timeColumn = { open: 'p.created_at', closed: 'p.closed_at' } as const;

/** @throws AppError `not_found` for a user or an account outside the caller's scope */
export async function filterSql(tx: Queryable, caller: SignedIn, filter: PositionFilter): Promise<FilterSql> {
  // The roles that reach these procedures all read positions; for another one the rows would be its own.
  const scope = readScope(positions.access, caller) ?? 'own';
  const account = namesAccount(filter) ? await requireNamedAccount(tx, caller, scope, filter) : null;
  const values: unknown[] = [];
  const parameter = (value: unknown, type: string): string => `$${values.push(value)}::${type}`;

  // A literal: the planner then sees which partial index is meant. Everybody's open ones have one of their own condition (0025).
  const isEverybodysOpen = filter.p_status === 'open' && account === null;
  const conditions = [isEverybodysOpen ? 'p.closed_at is null' : `p.status = '${filter.p_status}'`];
  if (account !== null) conditions.push(`p.user_id = ${parameter(account.id, 'uuid')}`);
  else if (scope === 'all') conditions.push(isMainSql('p.user_id'));
  else conditions.push(scopeSql(scope, 'p.user_id', parameter(caller.userId, 'uuid')));
  const symbols = await symbolsWith(tx, filter.p_symbol);
  // Of an empty list PostgreSQL would ask every row.
  if (symbols?.length === 0) conditions.push('false');
  else if (symbols !== null) conditions.push(`p.symbol = any(${parameter(symbols, 'text[]')})`);
  const time = timeColumn[filter.p_status];
  if (filter.p_from != null)
    conditions.push(`${time} >= ${parameter(new Date(filter.p_from), 'timestamptz')}`);
  if (filter.p_to != null) conditions.push(`${time} < ${parameter(new Date(filter.p_to), 'timestamptz')}`);
  // A literal as well: not every statement that has these values names the owner.
  const owner = account === null ? 'p.user_id' : `'${account.ownerId}'::uuid`;
  return { where: conditions.join(' and '), values, account, owner };
}

/** Symbols that have `part` in them; null when that leaves none out. A few of them are a better plan than a comparison per row. */
async function symbolsWith(tx: Queryable, part: string | null | undefined): Promise<string[] | null> {
  const normalized = (part ?? '').trim().toUpperCase();
  if (normalized === '') return null;
  const { rows } = await tx.query<{ symbol: string; matches: boolean }>(
    'select symbol, strpos(upper(symbol), $1) > 0 as matches from app.trading_pairs',
    [normalized],
  );
  const matching = rows.filter(({ matches }) => matches).map(({ symbol }) => symbol);
  return matching.length === rows.length ? null : matching;
}
