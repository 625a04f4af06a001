/** What the exchange's door reads of a request: its raw query and body, and the parameters of both. */
import type { ExchangeRoute } from '@fulcrum/contract/exchange';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { exchangeErrors } from './errors.ts';

interface RawRequest {
  /** As sent, without the question mark. */
  readonly query: string;
  readonly body: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Parameters in the query stand above those of the body; of one that is repeated the first counts. */
export function readRequest(request: FastifyRequest): RawRequest {
  const mark = request.url.indexOf('?');
  const query = mark === -1 ? '' : request.url.slice(mark + 1);
  const body = typeof request.body === 'string' ? request.body : '';
  const params: Record<string, string> = Object.create(null);
  const add = ([name, value]: readonly [string, string]): void => {
    params[name] ??= requireText(name, value);
  };
  if (query !== '') for (const parameter of new URLSearchParams(query)) add(parameter);
  for (const parameter of readBody(body, request.headers['content-type'])) add(parameter);
  return { query, body, params };
}

/** A form, as clients send it, or a JSON object of plain values. */
function readBody(body: string, contentType = ''): Iterable<[string, string]> {
  if (body === '') return [];
  if (!contentType.startsWith('application/json')) return new URLSearchParams(body);
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw exchangeErrors.illegal('body', 'is not JSON');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw exchangeErrors.illegal('body', 'must be an object');
  return Object.entries(parsed).map(([name, value]): [string, string] => [name, textOf(name, value)]);
}

/** The parameters as the route declares them; empty ones count as not sent. @throws ExchangeError -1102, -1100 naming the first fault */
export const parseParameters = (route: ExchangeRoute, params: RawRequest['params']): unknown =>
  parseGiven(route.params, params);

/** One of several in a list of JSON: its numbers and flags as text. @throws as `parseParameters` */
export function parseTerms<Terms>(schema: z.ZodType<Terms>, item: unknown): Terms {
  if (typeof item !== 'object' || item === null)
    throw exchangeErrors.illegal('batchOrders', 'must be objects');
  const texts = Object.entries(item).map(([name, value]): [string, string] => [
    name,
    requireText(name, textOf(name, value)),
  ]);
  return parseGiven(schema, Object.fromEntries(texts));
}

function parseGiven<Terms>(schema: z.ZodType<Terms>, params: RawRequest['params']): Terms {
  const given: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(params)) if (value !== '') given[name] = value;
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? 'parameters');
  throw name in given
    ? exchangeErrors.illegal(name, issue?.message ?? 'not accepted')
    : exchangeErrors.missing(name);
}

/** A value of a JSON message as the text that a form would have. @throws ExchangeError -1100 for one that is nested too deeply */
export function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    throw exchangeErrors.illegal(name, 'is nested too deeply');
  }
}

/** PostgreSQL has no text with a NUL. @throws ExchangeError -1100 */
export function requireText(name: string, value: string): string {
  if (value.includes('\0')) throw exchangeErrors.illegal(name, 'must not contain a NUL');
  return value;
}
