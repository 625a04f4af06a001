/** Archives the accounts of a contest, at its end and where it is withdrawn. */
import { AppError } from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';
import { isOpenSql } from '../accounts/index.ts';

interface ArchivedAccount {
  readonly id: string;
  readonly ownerId: string;
}

/** Within the transaction of the caller, who holds the lock of the contest's row. @throws AppError conflict while something is open in them */
export async function archiveAccounts(
  tx: Queryable,
  contestId: string,
  at: Date,
): Promise<readonly ArchivedAccount[]> {
  // The new versions make a decision on the former state fail, so nothing opens beside this transaction.
  await tx.query(
    `update app.wallets set version = version + 1
     where user_id in (select id from app.trading_accounts where program_id = $1)`,
    [contestId],
  );
  const { rows: open } = await tx.query(
    `select from app.trading_accounts a where a.program_id = $1 and ${isOpenSql('a.id')} limit 1`,
    [contestId],
  );
  if (open.length > 0) throw new AppError('conflict', 'Something is open in the contest.');
  const { rows } = await tx.query<ArchivedAccount>(
    `update app.trading_accounts set status = 'archived', archived_at = $2, updated_at = $2
     where program_id = $1 and status = 'active' returning id, owner_id as "ownerId"`,
    [contestId, at],
  );
  return rows;
}
