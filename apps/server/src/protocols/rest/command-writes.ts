/**
 * Writes that a feature carries out (`by: 'command'` in the contract). The filter's rows are found under the role's
 * update scope, the command decides what becomes of the claims, and the answer passes the caller's select policy: it is
 * made of the rows that the command itself hands over, as of the command, or else read again. Known limitation: a command
 * commits before the answer is made, so `single()` is refused beforehand where it cannot hold.
 */
import type { SignedIn, Table } from '@fulcrum/contract';
import type { Database } from '../../platform/database/index.ts';
import { answerOf, type CommandAnswer } from './command-answers.ts';
import { notOneRow, tooManyRows } from './errors.ts';
import { limits } from './limits.ts';
import type { Claims, CommandWrite, InsertCommandQuery, UpdateCommandQuery } from './query.ts';
import { answerStatement, type Outcome, targetsStatement } from './sql.ts';

/** What a command resolves with: the keys of the answer's rows, or these and the rows. */
export type CommandResult = readonly string[] | CommandAnswer;
/** Claimed rows, by name, in the form of their columns' types (`readClaim`). */
export type InsertCommand = (caller: SignedIn, rows: readonly Claims[]) => Promise<CommandResult>;
/** Keys of rows within the caller's reach, and the claimed changes of all of them. */
export type UpdateCommand = (
  caller: SignedIn,
  ids: readonly string[],
  changes: Claims,
) => Promise<CommandResult>;

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

interface Carried {
  readonly result: CommandResult;
  /** The rows that the filter of an update found. */
  readonly targets: readonly string[];
}

async function insert(
  query: InsertCommandQuery,
  caller: SignedIn,
  { writes, charge }: CommandWriteDependencies,
): Promise<Carried> {
  if (query.single && query.rows.length !== 1) throw notOneRow(query.rows.length);
  const command = writes[`${query.table.name}.insert`];
  if (!command) throw new Error(`no command for ${query.table.name}.insert`);
  charge(caller, query.rows.length);
  return { result: await command(caller, query.rows), targets: [] };
}

async function update(
  query: UpdateCommandQuery,
  caller: SignedIn,
  { db, writes, charge }: CommandWriteDependencies,
): Promise<Carried> {
  const { text, values } = targetsStatement(query, caller);
  const { rows } = await db.query<{ id: string }>(text, values);
  if (rows.length > limits.updateRows) throw tooManyRows(limits.updateRows);
  if (query.single && rows.length !== 1) throw notOneRow(rows.length);
  const targets = rows.map(({ id }) => id);
  if (targets.length === 0) return { result: [], targets };
  const command = writes[`${query.table.name}.update`];
  if (!command) throw new Error(`no command for ${query.table.name}.update`);
  charge(caller, targets.length);
  return { result: await command(caller, targets, query.changes), targets };
}

export interface CommandWriteDependencies {
  readonly db: Database;
  readonly writes: Writes;
  /** Charges the caller for so many commands, before the first of them. @throws TooManyAttempts */
  readonly charge: (caller: SignedIn, commands: number) => void;
}

/** Carries the write out and makes its answer. @throws what the command throws, PGRST116, PGRST124, TooManyAttempts. */
export async function runCommand(
  deps: CommandWriteDependencies,
  query: CommandWrite,
  caller: SignedIn,
): Promise<Outcome> {
  const { db } = deps;
  const { result, targets } =
    query.kind === 'insert command' ? await insert(query, caller, deps) : await update(query, caller, deps);
  const ids = 'ids' in result ? result.ids : result;
  const { returning: selections } = query;
  if (selections === null) return { body: null, rows: ids.length, total: null };
  const answered = 'ids' in result ? answerOf(result, { ...query, selections, targets }, caller) : null;
  const outcome = answered ?? (await readAgain(db, { ...query, selections }, ids, caller));
  if (query.single && outcome.rows !== 1) throw notOneRow(outcome.rows);
  return outcome;
}

async function readAgain(
  db: Database,
  query: Parameters<typeof answerStatement>[0],
  ids: readonly string[],
  caller: SignedIn,
): Promise<Outcome> {
  const { text, values } = answerStatement(query, ids, caller);
  const { rows } = await db.query<Outcome>(text, values);
  const [outcome] = rows;
  if (!outcome) throw new Error(`the answer of a write of ${query.table.name} has no outcome`);
  return outcome;
}
