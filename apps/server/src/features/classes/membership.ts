/**
 * Opens the account of a class for a trader, in the transaction of whatever makes them a member: an admin, an import, a registration; and
 * archives it when they leave. Invariant: the account has the class's money and terms, a trader has one account of a class, and each joining
 * and leaving has an audit row.
 */
import { AppError, texts } from '@fulcrum/contract';
import { classMembersMax, type RuleSetName } from '@fulcrum/domain';
import type { Config } from '../../platform/config/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { mapUniqueViolation } from '../../platform/database/unique-violation.ts';
import { accountNameIndex, isOpenSql, openLockedAccount } from '../accounts/index.ts';
import { recordAuditEntry } from '../audit/index.ts';

interface StoredTerms {
  readonly name: string;
  readonly rules: RuleSetName;
  readonly leverageMax: number;
  readonly startBalance: string;
  readonly endsAt: Date;
  readonly members: number;
}

export interface Joining {
  readonly classId: string;
  readonly userId: string;
  /** Of the audit row; null is the operator of the machine. */
  readonly actorId: string | null;
  readonly at: Date;
  readonly reason?: string | null;
}

/** @throws nothing; what refuses a trader who is no member yet */
export function joiningRefusal(
  role: string,
  found: Pick<StoredTerms, 'name' | 'endsAt' | 'members'>,
  at: Date,
): AppError | null {
  if (role !== 'trader') return new AppError('not_allowed', 'Only a trader joins a class.');
  if (found.endsAt <= at) return new AppError('class_over', texts.classEnded(found.endsAt));
  if (found.members >= classMembersMax) {
    return new AppError('conflict', `${found.name} has ${classMembersMax} members. It takes no more.`);
  }
  return null;
}

export type JoinClass = ReturnType<typeof createJoinClass>;

export const createJoinClass =
  (config: Pick<Config, 'tradingFeeRate'>) =>
  /**
   * Resolves with the new account's id, or null for who is a member already. One who was removed trades again in the same account.
   * @throws AppError not_found for a class or a user who is gone, not_allowed for staff, class_over for a class that ended, conflict for
   * a full one and for a trader whose accounts have its name
   */
  async (tx: Queryable, joining: Joining): Promise<string | null> => {
    const { classId, userId, at } = joining;
    // The role as this transaction finds it: it may have changed since whoever calls read it.
    const { rows: users } = await tx.query<{ role: string }>(
      'select role from app.users where id = $1',
      [userId],
      'role_of_joining',
    );
    const [user] = users;
    if (!user) throw new AppError('not_found', texts.userNotFound);
    // The lock makes two joins count the members one after the other, and keeps the terms until the commit.
    const { rows } = await tx.query<StoredTerms>(
      `select c.name, c.rules, c.leverage_max as "leverageMax", c.start_balance as "startBalance", c.ends_at as "endsAt",
              (select count(*)::int from app.trading_accounts a where a.class_id = c.id and a.status = 'active') as members
       from app.classes c where c.id = $1 for no key update`,
      [classId],
      'class_to_join',
    );
    const [found] = rows;
    if (!found) throw new AppError('not_found', 'This class does not exist.');
    const { rows: own } = await tx.query<{ id: string; status: string }>(
      'select id, status from app.trading_accounts where class_id = $1 and owner_id = $2',
      [classId, userId],
      'account_of_class',
    );
    const [account] = own;
    if (account?.status === 'active' && user.role === 'trader') return null;
    const refusal = joiningRefusal(user.role, found, at);
    if (refusal) throw refusal;
    if (account) {
      await tx.query(
        `update app.trading_accounts set status = 'active', archived_at = null, updated_at = $2 where id = $1`,
        [account.id, at],
        'rejoin_class',
      );
      await recordJoining(tx, joining, account.id);
      return account.id;
    }
    const id = await mapUniqueViolation({ [accountNameIndex]: nameTaken }, () =>
      openLockedAccount(tx, config, {
        ...{ ownerId: userId, belonging: { kind: 'class', classId }, terms: found, at },
      }),
    );
    await recordJoining(tx, joining, id);
    return id;
  };

const nameTaken = () =>
  new AppError('conflict', 'This trader has accounts with the name of the class. Rename one of them first.');

const recordJoining = (tx: Queryable, joining: Joining, accountId: string) => {
  const { classId, userId, actorId, at, reason = null } = joining;
  return recordAuditEntry(tx, {
    ...{ at, actorId, subjectId: userId, action: 'class.add_member', objectId: classId, reason },
    detail: { account_id: accountId },
  });
};

export const openItemsRefusal = () =>
  new AppError('conflict', 'Something is open in the account of this class.');

/**
 * Archives the account of a member, which stays readable. Resolves with its id, or null for who is no member.
 * @throws AppError conflict while something is open in it
 */
export async function leaveClass(
  tx: Queryable,
  { classId, userId, actorId, at, reason = null }: Joining,
): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from app.trading_accounts where class_id = $1 and owner_id = $2 and status = 'active' for no key update`,
    [classId, userId],
  );
  const [account] = rows;
  if (!account) return null;
  // The new version makes a decision on the former state fail, so nothing opens beside this transaction.
  await tx.query('update app.wallets set version = version + 1 where user_id = $1', [account.id]);
  const { rows: open } = await tx.query<{ isOpen: boolean }>(`select ${isOpenSql('$1')} as "isOpen"`, [
    account.id,
  ]);
  if (open[0]?.isOpen) throw openItemsRefusal();
  await tx.query(
    `update app.trading_accounts set status = 'archived', archived_at = $2, updated_at = $2 where id = $1`,
    [account.id, at],
  );
  await recordAuditEntry(tx, {
    ...{ at, actorId, subjectId: userId, action: 'class.remove_member', objectId: classId, reason },
    detail: { account_id: account.id },
  });
  return account.id;
}
