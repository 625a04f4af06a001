/** All positions of some accounts, open and closed, as the engine's values. The caller bounds how many accounts it names. */
import type { Position } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { positionColumns } from './engine/columns/position.ts';
import { positionOf } from './engine/rows.ts';

const query = `
  select ${positionColumns.select('p')} as position from app.positions p
  where p.user_id = any ($1::uuid[]) order by p.user_id, p.created_at, p.id`;

/** By account; an account without a position is missing. */
export async function readPositionsOf(
  db: Queryable,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Position[]>> {
  const { rows } = await db.query<{ position: Parameters<typeof positionOf>[0] }>(
    query,
    [accountIds],
    'positions_of_accounts',
  );
  return Map.groupBy(
    rows.map(({ position }) => positionOf(position)),
    ({ accountId }) => accountId,
  );
}
