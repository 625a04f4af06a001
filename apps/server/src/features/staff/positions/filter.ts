/**
 * Filters positions for a list or a file, as SQL. Invariants: every filter contains the caller's row scope; a user outside
 * it does not exist; a search matches a part of a symbol, never a pattern.
 */
import {
  AppError,
  type PositionFilter,
  positions,
  type RowScope,
  type SignedIn,
  texts,
} from '@fulcrum/contract';
import type { Queryable } from '../../../platform/database/index.ts';
import { isMainSql, readScope, scopeSql } from '../../../platform/database/row-scope.ts';

/** For a statement over `app.positions p`: its WHERE, and the values behind its `$n`, which more may follow. */
export interface FilterSql {
  readonly where: string;
  readonly values: readonly unknown[];
  /** The owner of the positions; null: all users in the caller's scope. */
  readonly username: string | null;
}

/** By which closed and open positions are ordered and bounded in time (A78). */
export const timeColumn = { open: 'p.created_at', closed: 'p.closed_at' } as const;

/** @throws AppError `not_found` for a user outside the caller's scope */
export async function filterSql(tx: Queryable, caller: SignedIn, filter: PositionFilter): Promise<FilterSql> {
  const scope = scopeOf(caller);
  const values: unknown[] = [];
  const parameter = (value: unknown, type: string): string => `$${values.push(value)}::${type}`;

  // A literal: the planner then sees which partial index is meant. Everybody's open ones have one of their own condition (0025).
  const isEverybodysOpen = filter.p_status === 'open' && filter.p_user_id == null;
  const conditions = [isEverybodysOpen ? 'p.closed_at is null' : `p.status = '${filter.p_status}'`];
  let username: string | null = null;
  if (filter.p_user_id != null) {
    username = await findVisibleUsername(tx, caller, filter.p_user_id);
    conditions.push(`p.user_id = ${parameter(filter.p_user_id, 'uuid')}`);
  }
  if (scope === 'all') conditions.push(isMainSql('p.user_id'));
  else conditions.push(scopeSql(scope, 'p.user_id', parameter(caller.userId, 'uuid')));
  const symbols = await symbolsWith(tx, filter.p_symbol);
  // Of an empty list PostgreSQL would ask every row.
  if (symbols?.length === 0) conditions.push('false');
  else if (symbols !== null) conditions.push(`p.symbol = any(${parameter(symbols, 'text[]')})`);
  const time = timeColumn[filter.p_status];
  if (filter.p_from != null)
    conditions.push(`${time} >= ${parameter(new Date(filter.p_from), 'timestamptz')}`);
  if (filter.p_to != null) conditions.push(`${time} < ${parameter(new Date(filter.p_to), 'timestamptz')}`);
  return { where: conditions.join(' and '), values, username };
}

/** The roles that reach these procedures all read positions; for another one the rows would be its own. */
const scopeOf = (caller: SignedIn): RowScope => readScope(positions.access, caller) ?? 'own';

async function findVisibleUsername(tx: Queryable, caller: SignedIn, userId: string): Promise<string> {
  // A scope may leave $2 out, and a parameter that is never named has no type.
  const { rows } = await tx.query<{ username: string }>(
    `select u.username from app.users u
     where u.id = $1 and $2::uuid is not null and ${scopeSql(scopeOf(caller), 'u.id', '$2::uuid')}`,
    [userId, caller.userId],
  );
  const [user] = rows;
  if (!user) throw new AppError('not_found', texts.userNotFound);
  return user.username;
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
