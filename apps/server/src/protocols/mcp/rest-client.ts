/**
 * Requests to `/rest/v1` inside the process, with the credential and the address of the request to `/mcp`. Invariant: nothing is decided
 * here, so what a key may do, what it costs and what is audited are the same at both doors.
 */
import type { ProcedureName, ProcedureOf } from '@fulcrum/contract';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';

type Row = Readonly<Record<string, unknown>>;

/** What `/rest/v1` refused, in its words. */
export class RestRefusal extends Error {
  readonly code: string;
  readonly details: string | null;
  readonly hint: string | null;
  constructor({ code, message, details, hint }: RestErrorBody) {
    super(message);
    this.name = 'RestRefusal';
    this.code = code;
    this.details = details ?? null;
    this.hint = hint ?? null;
  }
}
interface RestErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details?: string | null;
  readonly hint?: string | null;
}

interface Visitor {
  /** The header as it was sent. */
  readonly authorization: string;
  readonly address: string;
}

export function createRestClient(app: FastifyInstance, { authorization, address }: Visitor) {
  async function send(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<unknown> {
    const answer = await app.inject({
      ...{ method, url: `/rest/v1/${path}`, remoteAddress: address },
      headers: { authorization, prefer: 'return=representation' },
      ...(body !== undefined && { payload: body }),
    });
    const parsed: unknown = JSON.parse(answer.body);
    if (answer.statusCode >= 400) throw new RestRefusal(parsed as RestErrorBody);
    return parsed;
  }
  const search = (filters: Readonly<Record<string, string>>): string =>
    new URLSearchParams(filters).toString();

  return {
    /** @throws RestRefusal */
    call: <N extends ProcedureName>(
      procedure: N,
      args: z.input<ProcedureOf<N>['args']>,
    ): Promise<z.output<ProcedureOf<N>['result']>> =>
      send('POST', `rpc/${procedure}`, args as object) as Promise<z.output<ProcedureOf<N>['result']>>,
    /** `filters` in the grammar of `/rest/v1`. @throws RestRefusal */
    select: (table: string, filters: Readonly<Record<string, string>>): Promise<readonly Row[]> =>
      send('GET', `${table}?${search(filters)}`) as Promise<readonly Row[]>,
    /** Returns the written row. @throws RestRefusal */
    insert: async (table: string, row: Row): Promise<Row | undefined> =>
      ((await send('POST', table, row)) as readonly Row[])[0],
    /** Returns the rows that the filters found. @throws RestRefusal */
    update: (
      table: string,
      filters: Readonly<Record<string, string>>,
      changes: Row,
    ): Promise<readonly Row[]> =>
      send('PATCH', `${table}?${search(filters)}`, changes) as Promise<readonly Row[]>,
  };
}
export type RestClient = ReturnType<typeof createRestClient>;
