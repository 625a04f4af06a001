/**
 * `/rest/v1/{table}`: hands a request to the parser, its query to the SQL writer, the statement to PostgreSQL and the
 * bytes back. A select whose page may have been cut by the cap answers 206, so that no cut is silent (A100).
 */
import type { Caller, SignedIn, TableName } from '@fulcrum/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database, Queryable } from '../../platform/database/index.ts';
import { notOneRow, RestError } from './errors.ts';
import { requirePublicSchema } from './negotiation.ts';
import { parseTableRequest } from './parse.ts';
import type { SelectQuery, TableQuery } from './query.ts';
import { headersOf, searchOf } from './request.ts';
import { type Outcome, writeStatement } from './sql.ts';

/** Work to be done before a signed-in caller reads a table, by table; embeds do not trigger it. */
export type BeforeSelect = Partial<Record<TableName, (caller: SignedIn) => Promise<void>>>;

export interface TableDependencies {
  readonly db: Database;
  readonly beforeSelect: BeforeSelect;
}

async function run(db: Queryable, query: TableQuery, caller: Caller): Promise<Outcome> {
  const { text, values } = writeStatement(query, caller);
  const { rows } = await db.query<Outcome>(text, values);
  const [outcome] = rows;
  if (!outcome) throw new Error(`the ${query.kind} of ${query.table.name} returned no outcome`);
  if (query.single && outcome.rows !== 1) throw notOneRow(outcome.rows);
  return outcome;
}

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

/** The handler of every method of `/rest/v1/:table`. */
export function tableHandler({ db, beforeSelect }: TableDependencies) {
  return async (caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const headers = headersOf(request);
    requirePublicSchema(headers);
    const { table } = request.params as { table: string };
    const query = parseTableRequest({
      method: request.method,
      table,
      search: searchOf(request),
      headers,
      body: request.body,
      role: caller.role,
    });
    reply.type('application/json; charset=utf-8');
    if (query.kind === 'select') {
      if (caller.role !== 'anon') await beforeSelect[query.table.name as TableName]?.(caller);
      return answerSelect(reply, query, await run(db, query, caller));
    }
    // In a transaction, because a result that `single()` refuses must not have been written.
    const outcome = await db.transaction((tx) => run(tx, query, caller));
    if (query.returning === null) {
      reply.removeHeader('content-type');
      return reply.code(query.kind === 'insert' ? 201 : 204).send();
    }
    return reply.code(query.kind === 'insert' ? 201 : 200).send(outcome.body);
  };
}
