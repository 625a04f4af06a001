/** The building blocks of every statement: names of the contract, parameters, and the row policy of the caller's role. */
import type { Caller, RowScope, SignedIn, Table } from '@fulcrum/contract';
import { isMainSql, scopeSql } from '../../platform/database/row-scope.ts';
import { columnOf } from './query.ts';

/** Adds a value to the statement's parameters and returns its placeholder. */
export type Bind = (value: unknown, type: string) => string;

/** @throws Error for a name outside the contract, which may not be part of a statement's text */
function requireName(name: string): string {
  if (!/^[a-z_][a-zA-Z0-9_]*$/.test(name)) throw new Error(`not a name of the contract: ${name}`);
  return name;
}

/** A name from the contract as an identifier, quoted where PostgreSQL would fold its case. */
export const identifier = (name: string): string => (/[A-Z]/.test(requireName(name)) ? `"${name}"` : name);

/** A name from the contract as a text: the key of a JSON object. */
export const nameText = (name: string): string => `'${requireName(name)}'`;

export function declared(table: Table, name: string) {
  const column = columnOf(table, name);
  if (!column) throw new Error(`not a column of ${table.name}: ${name}`);
  return column;
}

/** The rows of `table` (under `alias`) that the caller may access; other rows do not exist for it. */
export function policy(
  table: Table,
  alias: string,
  scope: RowScope | undefined,
  caller: Caller,
  bind: Bind,
): string {
  const owner = table.owner === null ? null : `${alias}.${identifier(table.owner)}`;
  if (scope === 'all') {
    return owner === null || table.ownedBy === undefined ? 'true' : isMainSql(owner);
  }
  if (scope === undefined || caller.role === 'anon' || owner === null) return 'false';
  // A key is for one account, and the user's others are none of its business.
  if (caller.apiKey !== undefined && table.account !== undefined) {
    return `${alias}.${identifier(table.account)} = ${bind(caller.accountId, 'uuid')}`;
  }
  if (table.ownedBy === undefined || caller.accountId === caller.userId) {
    return scopeSql(scope, owner, bind(caller.userId, 'uuid'));
  }
  // PostgreSQL refuses a parameter that the statement does not use.
  const callerId = scope.includes('assigned') ? bind(caller.userId, 'uuid') : '';
  const ownId = scope.includes('own') ? ownIdSql(table, caller, bind) : '';
  return scopeSql(scope, owner, callerId, ownId);
}

/** What `owner =` compares with for the rows of another account than the main one. */
function ownIdSql({ ownedBy }: Table, { userId, accountId }: SignedIn, bind: Bind): string {
  if (ownedBy === 'account') return bind(accountId, 'uuid');
  return `any (array[${bind(accountId, 'uuid')}, ${bind(userId, 'uuid')}])`;
}
