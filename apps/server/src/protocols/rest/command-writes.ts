/**
 * Writes that a feature carries out (`by: 'command'` in the contract). The filter's rows are found under the role's
 * update scope, the command decides what becomes of the claims, and the answer passes the caller's select policy: it is
 * made of the rows that the command itself hands over, as of the command, or else read again. Known limitation: a command
 * commits before the answer is made, so `single()` is refused beforehand where it cannot hold.
 */
import type { Caller, SignedIn, Table } from '@fulcrum/contract';
import type { Database } from '../../platform/database/index.ts';
import type { FairQueue } from '../../platform/fair-queue.ts';
import { answerOf, type CommandAnswer } from './command-answers.ts';
import { notOneRow, tooManyRows } from './errors.ts';
import { limits } from './limits.ts';
import type {
  Claims,
  CommandWrite,
  DeleteCommandQuery,
  InsertCommandQuery,
  UpdateCommandQuery,
} from './query.ts';
import { answerStatement, keyedRowsStatement, type Outcome, targetsStatement } from './sql.ts';

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

/** Keys of rows within the caller's reach; resolves with those that went. */
export type DeleteCommand = (caller: SignedIn, ids: readonly string[]) => Promise<readonly string[]>;
/** Who wrote, as far as it is known: somebody without a session is an address. */
export interface Sender {
  readonly caller: Caller;
  /** As limits count it (`addressOf`). */
  readonly address: string;
}
/** The insert, of whatever role, into a table that `anon` may insert into by command. */
export type OpenInsertCommand = (sender: Sender, rows: readonly Claims[]) => Promise<readonly string[]>;

/** `{table}.insert`, `{table}.update` and `{table}.delete`; an insert that is open to everybody is `{table}.open insert`. */
export interface Writes {
  readonly [insert: `${string}.insert`]: InsertCommand;
  readonly [update: `${string}.update`]: UpdateCommand;
  readonly [deletion: `${string}.delete`]: DeleteCommand;
  readonly [insert: `${string}.open insert`]: OpenInsertCommand;
}

/** Whether anybody may insert, so that one command takes the inserts of all roles. */
export const isOpenToInsert = ({ access }: Table): boolean => access.anon?.insert?.by === 'command';

/** @throws Error when a declared command write has nothing behind it: that is found at start and not by a client. */
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

interface Carried {
  readonly result: CommandResult;
  /** The rows that the filter of an update or delete found. */
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

/** The keys of the rows that the filter finds within the caller's reach. @throws RestError when they are too many */
async function targetsOf(
  query: UpdateCommandQuery | DeleteCommandQuery,
  caller: SignedIn,
  { db, inTurn }: CommandWriteDependencies,
): Promise<string[]> {
  const { text, values } = targetsStatement(query, caller);
  const { rows } = await inTurn(caller.actorId, () => db.query<{ id: string }>(text, values));
  if (rows.length > limits.updateRows) throw tooManyRows(limits.updateRows);
  if (query.single && rows.length !== 1) throw notOneRow(rows.length);
  return rows.map(({ id }) => id);
}

async function update(
  query: UpdateCommandQuery,
  caller: SignedIn,
  deps: CommandWriteDependencies,
): Promise<Carried> {
  const { writes, charge } = deps;
  const targets = await targetsOf(query, caller, deps);
  if (targets.length === 0) return { result: [], targets };
  const command = writes[`${query.table.name}.update`];
  if (!command) throw new Error(`no command for ${query.table.name}.update`);
  charge(caller, targets.length);
  return { result: await command(caller, targets, query.changes), targets };
}

/**
 * What went cannot be read again, so the answer is made of what the caller could read of it just before; the text is
 * PostgreSQL's own, for numbers must not pass through JavaScript.
 */
async function remove(
  query: DeleteCommandQuery,
  caller: SignedIn,
  deps: CommandWriteDependencies,
): Promise<Outcome> {
  const { db, writes, charge } = deps;
  const targets = await targetsOf(query, caller, deps);
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
 * An insert that anybody may make. Who may not read the table learns only that it was taken: not even a count tells what
 * the command kept of it.
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
  /** Turns for statements whose cost the caller decides. */
  readonly inTurn: FairQueue;
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
