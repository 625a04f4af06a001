/** All positions of some accounts, open and closed, as the engine's values. */
import type { Position } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { pagesOf } from '../../platform/database/pages.ts';
import { positionColumns } from './engine/columns/position.ts';
import { positionOf } from './engine/rows.ts';

const query = `
  select ${positionColumns.select('p')} as position from app.positions p
  where p.user_id = any ($1::uuid[]) order by p.user_id, coalesce(p.split_from, p.id), p.created_at, p.id`;

/** In pages within the transaction, account by account; a position and its parts follow each other. */
export async function* readPositionsOf(
  tx: Queryable,
  accountIds: readonly string[],
): AsyncGenerator<readonly Position[]> {
  const pages = pagesOf<{ position: Parameters<typeof positionOf>[0] }>(tx, query, [accountIds]);
  for await (const rows of pages) yield rows.map(({ position }) => positionOf(position));
}
