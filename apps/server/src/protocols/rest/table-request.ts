/** A request to `/rest/v1/{table}` in the plain form that the pure parsers take, and its parameters. */
import type { Role } from '@fulcrum/contract';
import { malformed } from './errors.ts';

export interface TableRequest {
  readonly method: string;
  readonly table: string;
  readonly search: URLSearchParams;
  /** Lower-case names, as node gives them. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The parsed JSON body; undefined when there is none. */
  readonly body: unknown;
  readonly role: Role;
}

/** Reads a parameter that may occur once. @throws RestError PGRST100. */
export function once(search: URLSearchParams, name: string): string | null {
  const values = search.getAll(name);
  if (values.length > 1) throw malformed(`"${name}" is given more than once`);
  return values[0] ?? null;
}

/** @throws RestError PGRST100 for a parameter that the method does not take. */
export function refuseParameters(request: TableRequest, names: readonly string[]): void {
  for (const name of names) {
    if (request.search.has(name)) throw malformed(`"${name}" is not supported with ${request.method}`);
  }
}
