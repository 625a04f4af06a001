/**
 * `/rest/v1/{table}`: hands a request to the parser, its query to the SQL writer, the statement to PostgreSQL and the
 * bytes back. A select whose page may have been cut by the cap answers 206, so that no cut is silent (A100).
 */
import type { Caller, RowChange, SignedIn, Table, TableName } from '@fulcrum/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressOf } from '../../features/accounts/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { actsForAnother, recordWrites, requireOwnHand, rowsBefore } from './acting.ts';
import { changesOf } from './announcements.ts';
import {
  type CommandWriteDependencies,
  isOpenToInsert,
  runCommand,
  runOpenInsert,
} from './command-writes.ts';
import { denied, notOneRow, RestError, tooManyRows } from './errors.ts';
import { limits } from './limits.ts';
import { requirePublicSchema } from './negotiation.ts';
import { parseTableRequest } from './parse.ts';
import { type CommandWrite, isCommand, type RowWrite, type Selection, type SelectQuery } from './query.ts';
import { headersOf, searchOf } from './request.ts';
import { type Outcome, reachStatement, writeStatement } from './sql.ts';
import { createStatementNames } from './statements.ts';

/**
 * Work that makes the rows which a signed-in caller is owed, by table. It is done when a read finds none, and the read
 * then done again, so that everybody who has them pays nothing; embeds do not trigger it.
 */
export type BeforeSelect = Partial<Record<TableName, (caller: SignedIn) => Promise<void>>>;

export interface TableDependencies extends CommandWriteDependencies {
  readonly tables: ReadonlyMap<string, Table>;
  readonly beforeSelect: BeforeSelect;
  /** Takes what a committed row write changed, where the contract announces it. */
  readonly announce: (changes: readonly RowChange[]) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const json = 'application/json; charset=utf-8';
const rowsMax = { update: limits.updateRows, delete: limits.deleteRows, insert: limits.insertRows } as const;

/** `0-24/25`, or `*` where a part is empty or was not asked for. */
function contentRange(offset: number, { rows, total }: Outcome): string {
  return `${rows === 0 ? '*' : `${offset}-${offset + rows - 1}`}/${total ?? '*'}`;
}

function selectStatus(query: SelectQuery, { rows, total }: Outcome): number {
  if (total !== null) return query.offset + rows < total || query.offset > 0 ? 206 : 200;
  return query.capped && rows === query.limit ? 206 : 200;
}

function answerSelect(reply: FastifyReply, query: SelectQuery, outcome: Outcome): FastifyReply {
  reply.header('content-range', contentRange(query.offset, outcome));
  if (outcome.total !== null && query.offset > outcome.total) {
    throw new RestError(416, 'PGRST103', 'Requested range not satisfiable', {
      details: `An offset of ${query.offset} was requested, but there are only ${outcome.total} rows.`,
    });
  }
  return reply.code(selectStatus(query, outcome)).send(outcome.body ?? '');
}

function answerWrite(reply: FastifyReply, query: RowWrite | CommandWrite, outcome: Outcome): FastifyReply {
  const inserts = query.kind === 'insert' || query.kind === 'insert command';
  reply.header('content-range', `*/${query.counted ? outcome.rows : '*'}`);
  if (query.returning === null) {
    reply.removeHeader('content-type');
    return reply.code(inserts ? 201 : 204).send();
  }
  return reply.code(inserts ? 201 : 200).send(outcome.body);
}

/** @throws RestError PGRST116 when one object was asked for and that is not what there is. */
function requireOne({ single }: SelectQuery | RowWrite, { rows }: Outcome): void {
  if (single && rows !== 1) throw notOneRow(rows);
}

/**
 * What staff do not read while they act as somebody else (A45), as itself or within rows that refer to it.
 * @throws AppError not_allowed
 */
function requireOwnEyes(caller: Caller, table: Table, selections: readonly Selection[]): void {
  const embedded = selections.flatMap((selection) => (selection.kind === 'embed' ? [selection.table] : []));
  const isRefused = [table, ...embedded].some(
    ({ access }) => access[caller.role]?.readsWhileActing === 'refused',
  );
  if (isRefused) requireOwnHand(caller, undefined);
}

/** Whose turn it is: the person who asks, not the one who is being viewed. */
const askerOf = (caller: Caller, address: string): string =>
  caller.role === 'anon' ? address : caller.actorId;

/** The handler of every method of `/rest/v1/:table`. */
export function tableHandler(deps: TableDependencies) {
  const { db, inTurn, tables, beforeSelect, announce, now } = deps;
  const names = createStatementNames();

  async function run(on: Queryable, query: SelectQuery | RowWrite, caller: Caller): Promise<Outcome> {
    const { text, values } = writeStatement(query, caller);
    const { rows } = await on.query<Outcome>(text, values, names.nameOf(text));
    const [outcome] = rows;
    if (!outcome) throw new Error(`the ${query.kind} of ${query.table.name} returned no outcome`);
    return outcome;
  }

  async function read(query: SelectQuery, caller: Caller): Promise<Outcome> {
    const outcome = await run(db, query, caller);
    const make = beforeSelect[query.table.name as TableName];
    if (outcome.rows > 0 || !make || caller.role === 'anon') return outcome;
    await make(caller);
    return run(db, query, caller);
  }

  /** Before the first row is written: to write a hundred thousand rows and take them back is work that nobody asked for. */
  async function requireReach(on: Queryable, query: RowWrite, caller: Caller): Promise<void> {
    if (query.kind === 'insert') return;
    const most = rowsMax[query.kind];
    const { text, values } = reachStatement(query, caller, most);
    const { rows } = await on.query<{ rows: number }>(text, values, names.nameOf(text));
    if ((rows[0]?.rows ?? 0) > most) throw tooManyRows(most);
  }

  async function write(query: RowWrite | CommandWrite, caller: Caller, address: string): Promise<Outcome> {
    const { table } = query;
    requireOwnHand(caller, table.access[caller.role]?.writesWhileActing);
    requireOwnEyes(caller, table, query.returning ?? []);
    if (query.kind === 'insert command' && isOpenToInsert(table)) {
      return runOpenInsert(deps, query, { caller, address });
    }
    if (isCommand(query)) {
      if (caller.role === 'anon') throw denied(caller.role, `table ${table.name}`);
      return runCommand(deps, query, caller);
    }
    // In a transaction, because a result that is refused must not have been written.
    const outcome = await inTurn(askerOf(caller, address), () =>
      db.transaction(async (tx) => {
        await requireReach(tx, query, caller);
        const before = actsForAnother(caller) ? await rowsBefore(tx, query, caller) : null;
        const written = await run(tx, query, caller);
        requireOne(query, written);
        // Others may have come meanwhile.
        if (written.rows > rowsMax[query.kind]) throw tooManyRows(rowsMax[query.kind]);
        if (before !== null && actsForAnother(caller)) {
          await recordWrites(tx, caller, { query, before, rows: written.changed ?? [], at: new Date(now()) });
        }
        return written;
      }),
    );
    if (outcome.changed && table.realtime)
      announce(changesOf(query, outcome.changed, new Date(now()).toISOString()));
    return outcome;
  }

  return async (caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const headers = headersOf(request);
    requirePublicSchema(headers);
    const { table } = request.params as { table: string };
    const query = parseTableRequest(
      {
        method: request.method,
        table,
        search: searchOf(request),
        headers,
        body: request.body,
        role: caller.role,
      },
      tables,
    );
    reply.type(json);
    if (query.kind !== 'select')
      return answerWrite(reply, query, await write(query, caller, addressOf(request.ip)));
    requireOwnEyes(caller, query.table, query.selections);
    const outcome = await inTurn(askerOf(caller, addressOf(request.ip)), () => read(query, caller));
    requireOne(query, outcome);
    return answerSelect(reply, query, outcome);
  };
}
