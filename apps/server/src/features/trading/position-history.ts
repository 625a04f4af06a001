/**
 * The edits of a position by staff, from the audit log. Invariant: a caller reads the history only of positions that
 * are visible to the caller.
 *
 * Known limitation: the owner's own changes are in the position and the ledger, not here.
 */
import type { ArgsOf, ResultOf, SignedIn } from '@fulcrum/contract';
import type { Database } from '../../platform/database/index.ts';
import { storedChanges } from './changed-columns.ts';
import { toWireTime } from './engine/columns/codec.ts';
import type { Answer } from './engine/store.ts';
import { findVisiblePositionOwner } from './visible-position.ts';

const entriesMax = 100;

interface HistoryRow {
  readonly at: Date;
  readonly action: string;
  readonly actor: string | null;
  readonly onBehalfOf: string | null;
  readonly reason: string | null;
  readonly detail: Answer;
}

/** $1 the owner, $2 the position. Rows from before the log had objects name it only in their detail. */
const historyQuery = `
  select a.at, a.action, u.username as actor, o.username as "onBehalfOf", a.reason, a.detail
  from app.audit_log a
  left join app.users u on u.id = a.actor_id
  left join app.users o on o.id = a.on_behalf_of
  where a.subject_id = $1 and a.action like 'position.%' and (a.object_id = $2 or a.detail ->> 'id' = $2::text)
  order by a.at desc, a.id desc limit ${entriesMax}`;

export const createPositionHistory = (db: Database) => ({
  async get_position_history(
    caller: SignedIn,
    args: ArgsOf<'get_position_history'>,
  ): Promise<ResultOf<'get_position_history'>> {
    const positionId = args.p_position_id.toLowerCase();
    const userId = await findVisiblePositionOwner(db, caller, positionId);
    const { rows } = await db.query<HistoryRow>(historyQuery, [userId, positionId], 'position_history');
    return rows.map(({ at, action, actor, onBehalfOf, reason, detail }) => ({
      at: toWireTime(at.getTime()),
      action,
      actor,
      on_behalf_of: onBehalfOf,
      reason,
      changes: [...storedChanges(detail)],
    }));
  },
});
