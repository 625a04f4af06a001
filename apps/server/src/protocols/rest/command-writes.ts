/**
 * Writes that a feature carries out (`by: 'command'` in the contract). The role's update scope selects the rows, the
 * command validates the claims, and the caller's select policy filters the response. The response uses the command's own
 * rows, or reads them again.
 *
 * Known limitation: a command commits before the response is built, so `single()` is refused beforehand where it cannot
 * hold.
 */
import type { Caller, SignedIn, Table } from '@fulcrum/contract';
import type { Database } from '../../platform/database/index.ts';
import type { FairQueue } from '../../platform/fair-queue.ts';
import { answerOf, type CommandAnswer } from './command-answers.ts';
import { notOneRow, tooManyRows } from './errors.ts';
import { limits } from './limits.ts';
import type {
  CommandWrite,
  DeleteCommandQuery,
  InsertCommandQuery,
  Outcome,
  UntrustedRow,
  UpdateCommandQuery,
} from './query.ts';
import { answerStatement, keyedRowsStatement, targetsStatement } from './sql.ts';

/** What a command resolves with: the keys of the answer's rows, or these and the rows. */
export type CommandResult = readonly string[] | CommandAnswer;
/** Claimed rows, by name, in the form of their columns' types (`parseCommandValue`). */
export type InsertCommand = (caller: SignedIn, rows: readonly UntrustedRow[]) => Promise<CommandResult>;
/** Keys of rows within the caller's scope, and the claimed changes of all of them. */
export type UpdateCommand = (
  caller: SignedIn,
  ids: readonly string[],
  changes: UntrustedRow,
) => Promise<CommandResult>;

/** Keys of rows within the caller's scope; resolves with the deleted ones. */
export type DeleteCommand = (caller: SignedIn, ids: readonly string[]) => Promise<readonly string[]>;
/** The sender as far as it is known: without a session, an address. */
export interface Sender {
  readonly caller: Caller;
  /** In the form that limits count (`addressOf`). */
  readonly address: string;
}
/** The insert, for every role, into a table that `anon` may insert into by command. */
type OpenInsertCommand = (sender: Sender, rows: readonly UntrustedRow[]) => Promise<readonly string[]>;

/**
 * `{table}.insert`, `{table}.update` and `{table}.delete`; an insert that is open to all roles is `{table}.open insert`.
 */
export interface Writes {
  readonly [insert: `${string}.insert`]: InsertCommand;
  readonly [update: `${string}.update`]: UpdateCommand;
  readonly [deletion: `${string}.delete`]: DeleteCommand;
  readonly [insert: `${string}.open insert`]: OpenInsertCommand;
}

/** Whether every role may insert, so that one command serves all roles. */
export const isOpenToInsert = ({ access }: Table): boolean => access.anon?.insert?.by === 'command';

/** @throws Error when a declared command write has no command: found at the start, not by a client. */
export function requireCommands(tables: Iterable<Table>, writes: Writes): void {
  for (const table of tables) {
    const { name, access } = table;
    const isOpen = isOpenToInsert(table);
    for (const { insert, update, delete: deletion } of Object.values(access)) {
      const needed = [
        ...(insert?.by === 'command'
          ? [isOpen ? (`${name}.open insert` as const) : (`${name}.insert` as const)]
          : []),
        ...(update?.by === 'command' ? [`${name}.update` as const] : []),
        ...(deletion?.by === 'command' ? [`${name}.delete` as const] : []),
      ];
      for (const write of needed) if (!writes[write]) throw new Error(`no command for ${write}`);
    }
  }
}

interface CommandOutcome {
  readonly result: CommandResult;
  /** The rows that the filter of an update or delete found. */
  readonly targets: readonly string[];
}

async function insert(
  query: InsertCommandQuery,
  caller: SignedIn,
  { writes, charge }: CommandWriteDependencies,
): Promise<CommandOutcome> {
  if (query.single && query.rows.length !== 1) throw notOneRow(query.rows.length);
  const command = writes[`${query.table.name}.insert`];
  if (!command) throw new Error(`no command for ${query.table.name}.insert`);
  charge(caller, query.rows.length);
  return { result: await command(caller, query.rows), targets: [] };
}

/** Returns the keys of the rows that the filter finds within the caller's scope. @throws RestError when they are too many */
async function findTargets(
  query: UpdateCommandQuery | DeleteCommandQuery,
  caller: SignedIn,
  { db, withReadSlot }: CommandWriteDependencies,
): Promise<string[]> {
  const { text, values } = targetsStatement(query, caller);
  const { rows } = await withReadSlot(caller.actorId, () => db.query<{ id: string }>(text, values));
  if (rows.length > limits.updateRows) throw tooManyRows(limits.updateRows);
  if (query.single && rows.length !== 1) throw notOneRow(rows.length);
  return rows.map(({ id }) => id);
}

async function update(
  query: UpdateCommandQuery,
  caller: SignedIn,
  deps: CommandWriteDependencies,
): Promise<CommandOutcome> {
  const { writes, charge } = deps;
  const targets = await findTargets(query, caller, deps);
  if (targets.length === 0) return { result: [], targets };
  const command = writes[`${query.table.name}.update`];
  if (!command) throw new Error(`no command for ${query.table.name}.update`);
  charge(caller, targets.length);
  return { result: await command(caller, targets, query.changes), targets };
}

/**
 * Reads the rows before a delete, because deleted rows cannot be read again. The text is PostgreSQL's own, because numbers
 * must not pass through JavaScript.
 */
async function remove(
  query: DeleteCommandQuery,
  caller: SignedIn,
  deps: CommandWriteDependencies,
): Promise<Outcome> {
  const { db, writes, charge } = deps;
  const targets = await findTargets(query, caller, deps);
  const command = writes[`${query.table.name}.delete`];
  if (!command) throw new Error(`no command for ${query.table.name}.delete`);
  const { returning: selections } = query;
  const before = selections && (await rowsByKey(db, { table: query.table, selections }, targets, caller));
  charge(caller, Math.max(1, targets.length));
  const gone = targets.length === 0 ? [] : await command(caller, targets);
  if (before === null) return { body: null, rows: gone.length, total: null };
  const rows = gone.flatMap((id) => before.get(id) ?? []);
  if (query.single && rows.length !== 1) throw notOneRow(rows.length);
  return { body: query.single ? rows.join() : `[${rows.join()}]`, rows: rows.length, total: null };
}

/** JSON texts of the rows that the caller may read, by their keys. */
async function rowsByKey(
  db: Database,
  query: Parameters<typeof keyedRowsStatement>[0],
  ids: readonly string[],
  caller: SignedIn,
): Promise<ReadonlyMap<string, string>> {
  const { text, values } = keyedRowsStatement(query, ids, caller);
  const { rows } = await db.query<{ id: string; row: string }>(text, values);
  return new Map(rows.map(({ id, row }) => [id, row]));
}

/**
 * An insert that every role may make. A caller that may not read the table learns only that it was accepted: not even a
 * count discloses what the command stored.
 */
export async function runOpenInsert(
  { db, writes, charge }: CommandWriteDependencies,
  query: InsertCommandQuery,
  sender: Sender,
): Promise<Outcome> {
  const { caller } = sender;
  if (query.single && query.rows.length !== 1) throw notOneRow(query.rows.length);
  const command = writes[`${query.table.name}.open insert`];
  if (!command) throw new Error(`no command for ${query.table.name}.open insert`);
  if (caller.role !== 'anon') charge(caller, query.rows.length);
  const ids = await command(sender, query.rows);
  const { returning: selections } = query;
  if (selections === null || caller.role === 'anon') {
    return { body: null, rows: query.rows.length, total: null };
  }
  const outcome = await readAgain(db, { ...query, selections }, ids, caller);
  if (query.single && outcome.rows !== 1) throw notOneRow(outcome.rows);
  return outcome;
}

export interface CommandWriteDependencies {
  readonly db: Database;
  /** Limits concurrent statements whose cost the caller decides. */
  readonly withReadSlot: FairQueue;
  readonly writes: Writes;
  /** Charges the caller for the commands, before the first of them. @throws TooManyAttempts */
  readonly charge: (caller: SignedIn, commands: number) => void;
}

/** Carries the write out and builds its response. @throws what the command throws, PGRST116, PGRST124, TooManyAttempts. */
export async function runCommand(
  deps: CommandWriteDependencies,
  query: CommandWrite,
  caller: SignedIn,
): Promise<Outcome> {
  const { db } = deps;
  if (query.kind === 'delete command') return remove(query, caller, deps);
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
