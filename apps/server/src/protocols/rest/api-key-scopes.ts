/**
 * What a caller with an API key may do (A119). Default deny: a table's use and a procedure that declare no scope in the contract are
 * refused to every key.
 */
import { type ApiKeyScope, AppError, type Caller, type Table, texts } from '@fulcrum/contract';
import type { Selection } from './query.ts';

/** @throws AppError not_allowed when the caller has a key without `scope`, or no key may do it (undefined). */
export function requireKeyScope(caller: Caller, scope: ApiKeyScope | undefined): void {
  if (caller.role === 'anon' || caller.apiKey === undefined) return;
  if (scope === undefined) throw new AppError('not_allowed', texts.apiKeyRefused);
  if (!caller.apiKey.scopes.has(scope)) throw new AppError('not_allowed', texts.apiKeyScope(scope));
}

/** @throws AppError not_allowed, also for a table that is only embedded */
export function requireKeyReads(caller: Caller, table: Table, selections: readonly Selection[]): void {
  const embedded = selections.flatMap((selection) => (selection.kind === 'embed' ? [selection.table] : []));
  for (const { access } of [table, ...embedded]) {
    requireKeyScope(caller, access[caller.role]?.apiKey?.select);
  }
}

type Write = 'insert' | 'update' | 'delete';

/** @throws AppError not_allowed; also for rows that the answer would show */
export function requireKeyWrite(
  caller: Caller,
  {
    kind,
    table,
    returning,
  }: {
    readonly kind: Write | `${Write} command`;
    readonly table: Table;
    readonly returning: readonly Selection[] | null;
  },
): void {
  const [write] = kind.split(' ') as [Write];
  requireKeyScope(caller, table.access[caller.role]?.apiKey?.[write]);
  if (returning !== null) requireKeyReads(caller, table, returning);
}
