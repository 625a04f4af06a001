/**
 * Opens the account of a class for a trader, in the transaction of whatever makes them a member: an admin, an import, a registration.
 * Invariant: the account has the class's money and terms, and a trader has one account of a class.
 */
import { AppError } from '@fulcrum/contract';
import { classMembersMax, fillTerms, parseDecimal, type RuleSetName, toDecimalString } from '@fulcrum/domain';
import type { Config } from '../../platform/config/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { newAccountId } from '../accounts/index.ts';
import { openWallet } from '../wallet/index.ts';

/** Orders of a class with net positions fill as those of a retail broker. */
const classProfile = 'retail';

interface StoredTerms {
  readonly name: string;
  readonly rules: RuleSetName;
  readonly leverageMax: number;
  readonly startBalance: string;
  readonly members: number;
}

export type JoinClass = ReturnType<typeof createJoinClass>;

export const createJoinClass =
  ({ tradingFeeRate }: Pick<Config, 'tradingFeeRate'>) =>
  /**
   * Resolves with the new account's id, or null for who is a member already. One who was removed trades again in the same account.
   * @throws AppError not_found for a class that is gone, conflict for a full one
   */
  async (
    tx: Queryable,
    { classId, userId, at }: { readonly classId: string; readonly userId: string; readonly at: Date },
  ): Promise<string | null> => {
    // The lock makes two joins count the members one after the other, and keeps the terms until the commit.
    const { rows } = await tx.query<StoredTerms>(
      `select c.name, c.rules, c.leverage_max as "leverageMax", c.start_balance as "startBalance",
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
    if (account?.status === 'active') return null;
    if (found.members >= classMembersMax) {
      throw new AppError('conflict', `${found.name} has ${classMembersMax} members. It takes no more.`);
    }
    if (account) {
      await tx.query(
        `update app.trading_accounts set status = 'active', archived_at = null, updated_at = $2 where id = $1`,
        [account.id, at],
        'rejoin_class',
      );
      return account.id;
    }
    const isNet = found.rules === 'perpetual';
    const id = newAccountId(userId);
    await tx.query(
      `insert into app.trading_accounts (id, owner_id, kind, class_id, name, rules, leverage_max, fee_rate, fill_profile, start_balance,
         created_at, updated_at)
       values ($1, $2, 'class', $3, ${freeNameSql}, $5, $6, $7, $8, $9, $10, $10)`,
      [
        ...[id, userId, classId, found.name, found.rules, found.leverageMax],
        toDecimalString(isNet ? fillTerms[classProfile].takerFee : tradingFeeRate),
        ...[isNet ? classProfile : 'exact', found.startBalance, at, classId.slice(0, 8)],
      ],
      'join_class',
    );
    await openWallet(tx, { accountId: id, initialBalance: parseDecimal(found.startBalance), at });
    return id;
  };

/** The name of the class; where another account of the trader has it, with the first characters of the class's id. */
const freeNameSql = `case when exists (select from app.trading_accounts o where o.owner_id = $2 and lower(o.name) = lower($4::text))
  then left($4::text, 30) || ' ' || $11::text else $4::text end`;
