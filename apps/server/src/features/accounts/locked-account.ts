/**
 * Opens an account whose money and rules its owner does not choose: of a class, a contest or a challenge. Invariant: the account has exactly these terms,
 * together with its wallet, or neither exists.
 */
import { fillTerms, parseDecimal, type RuleSetName, toDecimalString } from '@fulcrum/domain';
import type { Config } from '../../platform/config/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { openWallet } from '../wallet/index.ts';
import { newAccountId } from './account-id.ts';

/** Orders of such an account with net positions fill as those of a retail broker. */
const lockedProfile = 'retail';

/** What the account is of, with its number where it has one. */
type AccountBelonging =
  | { readonly kind: 'class'; readonly classId: string }
  | { readonly kind: 'contest'; readonly programId: string; readonly number: number }
  | {
      readonly kind: 'challenge';
      readonly programId: string;
      readonly number: number;
      readonly attempt: number;
      readonly step: number;
    };

interface LockedTerms {
  /** Of what it belongs to. */
  readonly name: string;
  readonly rules: RuleSetName;
  readonly leverageMax: number;
  /** USDT, a decimal. */
  readonly startBalance: string;
}

/**
 * Resolves with the account's id. Where another account of the trader has the name, it gets the first characters of what it belongs to as well,
 * and its number in a challenge, whose accounts begin with one name.
 * @throws a unique violation of `accountNameIndex` when both names are taken
 */
export async function openLockedAccount(
  tx: Queryable,
  { tradingFeeRate }: Pick<Config, 'tradingFeeRate'>,
  of: {
    readonly ownerId: string;
    readonly belonging: AccountBelonging;
    readonly terms: LockedTerms;
    readonly at: Date;
  },
): Promise<string> {
  const { ownerId, belonging, terms, at } = of;
  const isNet = terms.rules === 'perpetual';
  const id = newAccountId(ownerId);
  const [classId, programId, number] =
    belonging.kind === 'class'
      ? [belonging.classId, null, null]
      : [null, belonging.programId, belonging.number];
  const [attempt, step] = belonging.kind === 'challenge' ? [belonging.attempt, belonging.step] : [null, null];
  await tx.query(
    `insert into app.trading_accounts (id, owner_id, kind, class_id, program_id, program_number, name, rules, leverage_max, fee_rate,
       fill_profile, start_balance, created_at, updated_at, program_attempt, program_step)
     values ($1, $2, $3, $4, $5, $6, ${freeNameSql('$7', '$14')}, $8, $9, $10, $11, $12, $13, $13, $15, $16)`,
    [
      ...[id, ownerId, belonging.kind, classId, programId, number],
      ...[terms.name, terms.rules, terms.leverageMax],
      toDecimalString(isNet ? fillTerms[lockedProfile].takerFee : tradingFeeRate),
      ...[isNet ? lockedProfile : 'exact', terms.startBalance, at],
      `${belonging.kind === 'challenge' ? `#${belonging.number} ` : ''}${(classId ?? programId ?? '').slice(0, 8)}`,
      ...[attempt, step],
    ],
    'open_locked_account',
  );
  await openWallet(tx, { accountId: id, initialBalance: parseDecimal(terms.startBalance), at });
  return id;
}

/** A name has 40 characters at most. */
const freeNameSql = (name: string, suffix: string): string =>
  `case when exists (select from app.trading_accounts o where o.owner_id = $2 and lower(o.name) = lower(${name}::text))
     then left(${name}::text, least(30, 39 - length(${suffix}::text))) || ' ' || ${suffix}::text else ${name}::text end`;
