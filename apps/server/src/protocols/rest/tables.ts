/**
 * `/rest/v1/{table}`: parses a request, writes its SQL, runs it and returns the bytes. A select whose page the cap may have
 * cut answers 206, so that no cut is silent (A100).
 */
import type { Caller, RowChange, SignedIn, Table, TableName } from '@fulcrum/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Queryable, Reader } from '../../platform/database/index.ts';
import { rateLimitAddress } from '../../platform/rate-limit/address.ts';
import { changesOf } from './announcements.ts';
import { requireKeyReads, requireKeyWrite } from './api-key-scopes.ts';
import {
  type CommandWriteDependencies,
  isOpenToInsert,
  runCommand,
  runOpenInsert,
} from './command-writes.ts';
import { denied, notOneRow, RestError, tooManyRows } from './errors.ts';
import {
  isImpersonatingCaller,
  recordWrites,
  refuseWriteWhileImpersonating,
  rowsBefore,
} from './impersonated-writes.ts';
import { limits } from './limits.ts';
import { requirePublicSchema } from './negotiation.ts';
import { parseTableRequest } from './parse.ts';
import type { Outcome } from './query.ts';
import { type CommandWrite, isCommand, type RowWrite, type Selection, type SelectQuery } from './query.ts';
import { headersOf, searchOf } from './request.ts';
import { countStatement, writeStatement } from './sql.ts';
import { createStatementNames } from './statements.ts';

/**
 * Creates rows that a signed-in caller should have, by table. It runs when a read finds none, and the read is repeated, so
 * callers with rows pay nothing; embeds do not trigger it.
 */
export type CreateMissingRows = Partial<Record<TableName, (caller: SignedIn) => Promise<void>>>;

/** Refreshes a table before each read of it; embeds do not trigger it. */
export type RefreshBeforeSelect = Partial<Record<TableName, () => Promise<void>>>;

interface TableDependencies extends CommandWriteDependencies {
  readonly reader: Reader;
  readonly tables: ReadonlyMap<string, Table>;
  readonly createMissingRows: CreateMissingRows;
  readonly refreshBeforeSelect: RefreshBeforeSelect;
  /** Receives the changes of a committed row write, where the contract announces them. */
  readonly announce: (changes: readonly RowChange[]) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const json = 'application/json; charset=utf-8';
const rowsMax = { update: limits.updateRows, delete: limits.deleteRows, insert: limits.insertRows } as const;

/** `0-24/25`, or `*` for an empty or unrequested part. */
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

/** @throws RestError PGRST116 when the request wants one object and the result has another number of rows. */
function requireOne({ single }: SelectQuery | RowWrite, { rows }: Outcome): void {
  if (single && rows !== 1) throw notOneRow(rows);
}

/**
 * Refuses tables that staff may not read during impersonation (A45), directly or as an embed.
 * @throws AppError not_allowed
 */
function refuseReadWhileImpersonating(caller: Caller, table: Table, selections: readonly Selection[]): void {
  const embedded = selections.flatMap((selection) => (selection.kind === 'embed' ? [selection.table] : []));
  const isRefused = [table, ...embedded].some(
    ({ access }) => access[caller.role]?.readsWhileImpersonating === 'refused',
  );
  if (isRefused) refuseWriteWhileImpersonating(caller, undefined);
}

/** Rows behind the first page and of the audit log may come from a replica; a trader's latest ones never do. */
const isOfPast = ({ table, offset }: SelectQuery): boolean => offset > 0 || table.name === 'audit_log';

/** The key of the fair queue: the actor, not the impersonated user. */
const getQueueKey = (caller: Caller, address: string): string =>
  caller.role === 'anon' ? address : caller.actorId;

/** The handler of every method of `/rest/v1/:table`. */
export function tableHandler(deps: TableDependencies) {
  const { db, reader, withReadSlot, tables, createMissingRows, refreshBeforeSelect, announce, now } = deps;
  const names = createStatementNames();

  async function run(on: Queryable, query: SelectQuery | RowWrite, caller: Caller): Promise<Outcome> {
    const { text, values } = writeStatement(query, caller);
    const { rows } = await on.query<Outcome>(text, values, names.nameOf(text));
    const [outcome] = rows;
    if (!outcome) throw new Error(`the ${query.kind} of ${query.table.name} returned no outcome`);
    return outcome;
  }

  async function read(query: SelectQuery, caller: Caller): Promise<Outcome> {
    await refreshBeforeSelect[query.table.name as TableName]?.();
    if (isOfPast(query)) return run(reader, query, caller);
    const outcome = await run(db, query, caller);
    const make = createMissingRows[query.table.name as TableName];
    if (outcome.rows > 0 || !make || caller.role === 'anon') return outcome;
    await make(caller);
    return run(db, query, caller);
  }

  /** Checked before the first row is written: writing a hundred thousand rows to roll them back is wasted work. */
  async function requireRowLimit(on: Queryable, query: RowWrite, caller: Caller): Promise<void> {
    if (query.kind === 'insert') return;
    const most = rowsMax[query.kind];
    const { text, values } = countStatement(query, caller, most);
    const { rows } = await on.query<{ rows: number }>(text, values, names.nameOf(text));
    if ((rows[0]?.rows ?? 0) > most) throw tooManyRows(most);
  }

  async function write(query: RowWrite | CommandWrite, caller: Caller, address: string): Promise<Outcome> {
    const { table } = query;
    requireKeyWrite(caller, query);
    refuseWriteWhileImpersonating(caller, table.access[caller.role]?.writesWhileImpersonating);
    refuseReadWhileImpersonating(caller, table, query.returning ?? []);
    if (query.kind === 'insert command' && isOpenToInsert(table)) {
      return runOpenInsert(deps, query, { caller, address });
    }
    if (isCommand(query)) {
      if (caller.role === 'anon') throw denied(caller.role, `table ${table.name}`);
      return runCommand(deps, query, caller);
    }
    // In a transaction, because a refused result must not stay written.
    const outcome = await withReadSlot(getQueueKey(caller, address), () =>
      db.transaction(async (tx) => {
        await requireRowLimit(tx, query, caller);
        const before = isImpersonatingCaller(caller) ? await rowsBefore(tx, query, caller) : null;
        const written = await run(tx, query, caller);
        requireOne(query, written);
        // Other rows may have been added meanwhile.
        if (written.rows > rowsMax[query.kind]) throw tooManyRows(rowsMax[query.kind]);
        if (before !== null && isImpersonatingCaller(caller)) {
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
      return answerWrite(reply, query, await write(query, caller, rateLimitAddress(request.ip)));
    requireKeyReads(caller, query.table, query.selections);
    refuseReadWhileImpersonating(caller, query.table, query.selections);
    const outcome = await withReadSlot(getQueueKey(caller, rateLimitAddress(request.ip)), () =>
      read(query, caller),
    );
    requireOne(query, outcome);
    return answerSelect(reply, query, outcome);
  };
}
