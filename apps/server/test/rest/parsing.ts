/** Requests in the plain form of the parser, written as a path. */

import type { Role } from '@fulcrum/contract';
import { RestError } from '../../src/protocols/rest/errors.ts';
import { parseTableRequest } from '../../src/protocols/rest/parse.ts';
import type { SelectQuery } from '../../src/protocols/rest/query.ts';
import type { TableRequest } from '../../src/protocols/rest/table-request.ts';

export const id = '6f1c0f6e-6d7b-4f0e-9a51-0c2b7a4e8d11';

export function request(path: string, more: Partial<TableRequest> = {}): TableRequest {
  const [table = '', query = ''] = path.split('?', 2);
  return {
    method: 'GET',
    table,
    search: new URLSearchParams(query),
    headers: {},
    body: undefined,
    role: 'trader',
    ...more,
  };
}
export const select = (path: string, more?: Partial<TableRequest>) =>
  parseTableRequest(request(path, more)) as SelectQuery;
export const write = (method: string, path: string, body: unknown, prefer = '', role: Role = 'trader') =>
  parseTableRequest(request(path, { method, body, headers: { prefer }, role }));

export function refusal(action: () => unknown): RestError {
  try {
    action();
  } catch (error) {
    if (error instanceof RestError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
export const refused = (path: string, more?: Partial<TableRequest>) => refusal(() => select(path, more));
