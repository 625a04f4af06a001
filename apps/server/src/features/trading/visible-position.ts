/** Finds a position that the contract lets the caller read; any other one does not exist for the caller. */
import { positionNotFound, positions, type SignedIn } from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';
import { readScope, scopeSql } from '../../platform/database/row-scope.ts';

/** The owner of the position. @throws AppError `position_not_found` */
export async function findVisiblePositionOwner(
  db: Queryable,
  caller: SignedIn,
  positionId: string,
): Promise<string> {
  const scope = readScope(positions.access, caller);
  if (scope === undefined) throw positionNotFound();
  // The caller's ids are parameters of every scope's statement, even if the scope does not use them.
  const { rows } = await db.query<{ userId: string }>(
    `select p.user_id as "userId" from app.positions p
     where p.id = $1 and $2::uuid is not null and $3::uuid is not null and ${scopeSql(scope, 'p.user_id', '$2', '$3::uuid')}`,
    [positionId, caller.userId, caller.accountId],
    `reached_position_${scope}`,
  );
  const [position] = rows;
  if (!position) throw positionNotFound();
  return position.userId;
}
