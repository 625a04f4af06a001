/**
 * `/rest/v1/rpc/{procedure}`: arguments by the procedure's schema, the role check, the handler, its result as JSON.
 * Commands take POST only, so that no link or prefetch can trade; queries also take GET. Known limitation: a result
 * cannot be filtered, ordered or narrowed by query-string parameters, so these are refused.
 */
import {
  AppError,
  type ArgsOf,
  type Caller,
  type Procedure,
  type ProcedureName,
  procedureByName,
} from '@fulcrum/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { requireKeyScope } from './api-key-scopes.ts';
import { denied, malformed, noSuchProcedure, notOneRow, RestError } from './errors.ts';
import { refuseWriteWhileImpersonating } from './impersonated-writes.ts';
import { requestsSingle, requirePublicSchema } from './negotiation.ts';
import { headersOf, searchOf } from './request.ts';

/**
 * A handler per procedure. Its caller parameter may be as narrow as the roles of the declaration: no other role reaches it.
 */
export type Procedures = {
  readonly [N in ProcedureName]: (caller: never, args: ArgsOf<N>) => Promise<unknown>;
};
type AnyHandler = (caller: Caller, args: unknown) => Promise<unknown>;

/** @throws AppError invalid_argument naming the argument. */
export function parseArguments(procedure: Pick<Procedure, 'name' | 'args'>, input: unknown): unknown {
  const parsed = procedure.args.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    throw new AppError('invalid_argument', `Unknown argument: ${issue.keys.join(', ').slice(0, 200)}`);
  }
  const name = issue?.path.join('.') || 'arguments';
  const objection = isMissing(input, name)
    ? `Missing argument: ${name}`
    : `Invalid argument ${name}: ${describeIssue(issue)}`;
  throw new AppError('invalid_argument', objection, { details: procedure.name });
}

const isMissing = (input: unknown, name: string): boolean =>
  typeof input === 'object' &&
  input !== null &&
  !Array.isArray(input) &&
  name !== 'arguments' &&
  !(name in input);

/** Replaces the schema library's messages, which mention strings and comparison signs. */
function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'too_small' && issue.origin === 'string') return 'must not be empty';
  if (issue?.code === 'too_big' && issue.origin === 'string') return `at most ${issue.maximum} characters`;
  return issue?.message ?? 'not accepted';
}

/** Arguments in a query string are text; supabase-js writes an absent value as `null`. */
function argumentsOf(search: URLSearchParams): Record<string, string | null> {
  const args: Record<string, string | null> = {};
  for (const [name, value] of search) {
    if (Object.hasOwn(args, name)) throw malformed(`"${name}" is given more than once`);
    args[name] = value === 'null' ? null : value;
  }
  return args;
}

/** Returns the one object for `single()`. @throws RestError PGRST116 unless there is exactly one. */
function singleOf(result: unknown): unknown {
  if (!Array.isArray(result)) return result;
  if (result.length !== 1) throw notOneRow(result.length);
  return result[0];
}

/** The handler of `/rest/v1/rpc/:procedure`. */
export function procedureHandler(handlers: Procedures) {
  return async (caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const headers = headersOf(request);
    requirePublicSchema(headers);
    const { procedure: name } = request.params as { procedure: string };
    const procedure = procedureByName.get(name);
    if (!procedure) throw noSuchProcedure(name);
    if (!procedure.roles.includes(caller.role)) throw denied(caller.role, `function ${name}`);
    requireKeyScope(caller, procedure.apiKey);
    refuseWriteWhileImpersonating(caller, procedure.whileImpersonating);

    const isPost = request.method === 'POST';
    if (!isPost && procedure.kind === 'command') {
      throw new RestError(405, 'PGRST101', `${name} changes something and takes POST only`);
    }
    const search = searchOf(request);
    if (isPost && search.size > 0) {
      throw malformed(
        `Parameters beside the body of a procedure are not supported ("${[...search.keys()][0]}")`,
      );
    }
    const single = requestsSingle(headers.accept);
    const args = parseArguments(procedure, isPost ? (request.body ?? {}) : argumentsOf(search));
    // Sound: `args` is what this procedure's own schema returned, and the role check above admitted the caller.
    const handler = handlers[name as ProcedureName] as AnyHandler;
    const result = await handler(caller, args);
    return reply
      .type('application/json; charset=utf-8')
      .send(JSON.stringify((single ? singleOf(result) : result) ?? null));
  };
}
