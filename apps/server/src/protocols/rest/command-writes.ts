/**
 * Writes that a feature carries out (`by: 'command'` in the contract). The filter's rows are found under the role's
 * update scope, the command decides what becomes of the claims, and what is answered is read again under the caller's
 * select policy. Known limitation: a command commits before the answer is read, so `single()` is refused beforehand
 * where it cannot hold.
 */
import type { SignedIn, Table } from '@fulcrum/contract';
import type { Database } from '../../platform/database/index.ts';
import { notOneRow, tooManyRows } from './errors.ts';
import { limits } from './limits.ts';
import type { Claims, CommandWrite, InsertCommandQuery, UpdateCommandQuery } from './query.ts';
import { answerStatement, type Outcome, targetsStatement } from './sql.ts';

/** Claimed rows, by column, checked against the columns' types (`readClaim`); resolves with the keys of the answer's rows. */
export type InsertCommand = (caller: SignedIn, rows: readonly Claims[]) => Promise<readonly string[]>;
/** Keys of rows within the caller's reach and the claimed changes of all of them; resolves with the keys of the answer's rows. */
export type UpdateCommand = (
  caller: SignedIn,
  ids: readonly string[],
  changes: Claims,
) => Promise<readonly string[]>;

/** `{table}.insert` and `{table}.update`. */
export interface Writes {
  readonly [insert: `${string}.insert`]: InsertCommand;
  readonly [update: `${string}.update`]: UpdateCommand;
}

/** @throws Error when a declared command write has nothing behind it: that is found at start and not by a client. */
export function requireCommands(tables: Iterable<Table>, writes: Writes): void {
  for (const { name, access } of tables) {
    for (const { insert, update } of Object.values(access)) {
      if (insert?.by === 'command' && !writes[`${name}.insert`])
        throw new Error(`no command for ${name}.insert`);
      if (update?.by === 'command' && !writes[`${name}.update`])
        throw new Error(`no command for ${name}.update`);
    }
  }
}

async function insert(
  query: InsertCommandQuery,
  caller: SignedIn,
  writes: Writes,
): Promise<readonly string[]> {
  if (query.single && query.rows.length !== 1) throw notOneRow(query.rows.length);
  const command = writes[`${query.table.name}.insert`];
  if (!command) throw new Error(`no command for ${query.table.name}.insert`);
  return command(caller, query.rows);
}

async function update(
  query: UpdateCommandQuery,
  caller: SignedIn,
  writes: Writes,
  db: Database,
): Promise<readonly string[]> {
  const { text, values } = targetsStatement(query, caller);
  const { rows } = await db.query<{ id: string }>(text, values);
  if (rows.length > limits.updateRows) throw tooManyRows(limits.updateRows);
  if (query.single && rows.length !== 1) throw notOneRow(rows.length);
  if (rows.length === 0) return [];
  const command = writes[`${query.table.name}.update`];
  if (!command) throw new Error(`no command for ${query.table.name}.update`);
  return command(
    caller,
    rows.map(({ id }) => id),
    query.changes,
  );
}

/** Carries the write out and reads its answer. @throws what the command throws, PGRST116 and PGRST124. */
export async function runCommand(
  db: Database,
  query: CommandWrite,
  caller: SignedIn,
  writes: Writes,
): Promise<Outcome> {
  const ids =
    query.kind === 'insert command'
      ? await insert(query, caller, writes)
      : await update(query, caller, writes, db);
  if (query.returning === null) return { body: null, rows: ids.length, total: null };
  const { text, values } = answerStatement({ ...query, selections: query.returning }, ids, caller);
  const { rows } = await db.query<Outcome>(text, values);
  const [outcome] = rows;
  if (!outcome) throw new Error(`the answer of ${query.kind} of ${query.table.name} has no outcome`);
  if (query.single && outcome.rows !== 1) throw notOneRow(outcome.rows);
  return outcome;
}
