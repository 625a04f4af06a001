/**
 * The status that support agents choose (CALL-79). Invariant: a change is announced after its commit, and only if the
 * status differs.
 */
import { AppError, type SignedIn } from '@fulcrum/contract';
import { type SupportStatus, supportStatuses } from '@fulcrum/domain';
import { readWireRows, toRowChange, toRowDeletion } from '../../platform/changes/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Services } from '../../platform/services.ts';
import { refuseWhileImpersonating } from '../identity/index.ts';

type UntrustedRow = Readonly<Record<string, unknown>>;

interface DetailsDependencies extends Pick<Services, 'db' | 'bus'> {
  readonly clock: Pick<Clock, 'now'>;
  /** Called with a committed choice. */
  readonly onChosen: (userId: string, status: SupportStatus) => void;
}

const parseStatus = (value: unknown) => supportStatuses.find((status) => status === value);

export function createDetails({ db, clock, bus, onChosen }: DetailsDependencies) {
  /** Writes a status where `condition`, which may name the row as `d`, holds as well. */
  async function write(userId: string, status: SupportStatus, condition = 'true'): Promise<void> {
    const changes = await db.transaction(async (tx) => {
      const { rowCount } = await tx.query(
        `update app.support_details d set status = $2 where d.user_id = $1 and d.status <> $2 and ${condition}`,
        [userId, status],
      );
      if (rowCount === 0) return [];
      const committedAt = new Date(clock.now()).toISOString();
      const rows = await readWireRows(tx, 'support_details', [userId]);
      return rows.map((row) => toRowChange({ table: 'support_details', type: 'UPDATE', committedAt }, row));
    });
    if (changes.length > 0) bus.publish('account.changed', { changes });
  }

  return {
    /** Sets the availability of an agent (CALL-79). The scope of the contract limits it to the caller's own row. */
    async update(
      caller: SignedIn,
      ids: readonly string[],
      changes: UntrustedRow,
    ): Promise<readonly string[]> {
      refuseWhileImpersonating(caller);
      if (!('status' in changes)) return ids;
      const status = parseStatus(changes.status);
      if (!status) {
        throw new AppError('invalid_argument', `A status is one of ${supportStatuses.join(', ')}.`);
      }
      for (const userId of ids) {
        await write(userId, status);
        onChosen(userId, status);
      }
      return ids;
    },

    goOffline: (userId: string): Promise<void> => write(userId, 'offline'),

    /** Unless the agent is signed in elsewhere. */
    goOfflineWithoutSession: (userId: string): Promise<void> =>
      write(
        userId,
        'offline',
        'not exists (select from app.sessions s where s.user_id = d.user_id and s.revoked_at is null)',
      ),

    /** Agents who have chosen to be there. */
    async chosen(): Promise<string[]> {
      const { rows } = await db.query<{ user_id: string }>(
        `select user_id from app.support_details where status <> 'offline'`,
      );
      return rows.map(({ user_id }) => user_id);
    },

    /** Announces an agent's row after a change of role: the row came or went with it. */
    async announceRole(userId: string): Promise<void> {
      const [row] = await readWireRows(db, 'support_details', [userId]);
      const committedAt = new Date(clock.now()).toISOString();
      const change = row
        ? toRowChange({ table: 'support_details', type: 'INSERT', committedAt }, row)
        : toRowDeletion('support_details', userId, userId, committedAt);
      bus.publish('account.changed', { changes: [change] });
    },
  };
}
