/**
 * Withdraws a contest that was made by mistake. Invariants: only before its begin; its accounts are archived, with the money that they got and
 * nothing open; the change, its audit row and the notifications are one transaction; a repeat changes nothing.
 */
import { AppError, type ArgsOf, type ContestRow, type SignedIn, texts } from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';
import { recordAuditEntry, requireReason } from '../audit/index.ts';
import { lockStaffChanges } from '../identity/index.ts';
import { notifyAll } from '../notifications/index.ts';
import { archiveAccounts } from './archiving.ts';
import type { ProgramsDependencies } from './dependencies.ts';
import { lockContest, readContest, toRow } from './stored-contest.ts';

export function createContestWithdrawal({ db, clock, bus, trading }: ProgramsDependencies) {
  async function withdraw(tx: Queryable, caller: SignedIn, id: string, reason: string) {
    const hasBegun = await lockContest(tx, id);
    const at = new Date(clock.now());
    const contest = await readContest(tx, caller, id);
    if (contest.withdrawn_at !== null) return { archived: [], changes: [] };
    if (hasBegun || contest.begins_at <= at)
      throw new AppError('conflict', 'The contest has begun: it goes on until its end.');
    const archived = await archiveAccounts(tx, id, at);
    await tx.query(
      'update app.programs set withdrawn_at = $2, updated_at = $2, version = version + 1 where id = $1',
      [id, at],
    );
    await recordAuditEntry(tx, {
      ...{ at, actorId: caller.userId, subjectId: null, objectId: id, action: 'contest.withdraw', reason },
      detail: { name: contest.name, entrants: archived.length },
    });
    const changes = await notifyAll(
      tx,
      archived.map(({ ownerId }) => ownerId),
      { kind: 'contest_withdrawn', message: texts.contestWithdrawn(contest.name), at },
    );
    return { archived: archived.map((account) => account.id), changes };
  }

  return {
    /** @throws AppError reason_required, not_found, conflict from the begin on; AccountError session_ended */
    withdraw_contest: async (caller: SignedIn, args: ArgsOf<'withdraw_contest'>): Promise<ContestRow> => {
      const reason = requireReason(args.p_reason);
      const id = args.p_contest_id.toLowerCase();
      const { archived, changes, row } = await db.transaction(async (tx) => {
        await lockStaffChanges(tx, caller);
        const done = await withdraw(tx, caller, id, reason);
        return { ...done, row: await readContest(tx, caller, id) };
      });
      trading.reload(archived);
      if (changes.length > 0) bus.publish('account.changed', { changes });
      for (const accountId of archived) bus.publish('account.archived', { accountId });
      return toRow(row, caller.role, clock.now());
    },
  };
}
