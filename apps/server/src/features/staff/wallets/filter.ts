/** Filters wallets for the list or a file, as SQL over `app.wallets w` and, with a search, `app.users u`. */
import { type SignedIn, wallets } from '@fulcrum/contract';
import { isUuid } from '@fulcrum/domain';
import { substringPattern } from '../../../platform/database/like-patterns.ts';
import type { Parameters } from '../../../platform/database/parameters.ts';
import { isMainSql, readScope, scopeSql } from '../../../platform/database/row-scope.ts';

/** `search` is trimmed. */
export function walletFilterSql(caller: SignedIn, search: string, parameters: Parameters): string {
  const scope = readScope(wallets.access, caller);
  if (scope === undefined) return 'false';
  // PostgreSQL does not take a parameter that no expression mentions.
  const reached =
    scope === 'all'
      ? isMainSql('w.user_id')
      : scopeSql(scope, 'w.user_id', parameters.bind(caller.userId, 'uuid'));
  if (search === '') return reached;
  const pattern = parameters.bind(substringPattern(search), 'text');
  const matches = [`lower(u.username) like ${pattern}`, `u.email like ${pattern}`];
  if (isUuid(search)) {
    const id = parameters.bind(search, 'uuid');
    matches.push(`w.user_id = ${id}`, `w.id = ${id}`);
  }
  return `${reached} and (${matches.join(' or ')})`;
}
