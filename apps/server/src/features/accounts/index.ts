/**
 * Trading accounts (A112): opens, renames and archives the practice accounts of a user. Invariants: an account is opened
 * together with its wallet and start balance, or not at all; an archived account has no open position and no waiting order.
 *
 * The main account is opened by the database with the user. Kinds besides `practice` are opened by what they belong to.
 */
import {
  AppError,
  type ArgsOf,
  type SignedIn,
  type TradingAccountRow,
  texts,
  tradingAccountRow,
} from '@fulcrum/contract';
import {
  checkAccountName,
  type FillProfile,
  fillTerms,
  isLeverage,
  MAX_LEVERAGE,
  MIN_LEVERAGE,
  normaliseAccountName,
  practiceBalance,
  type QuotedProfile,
  type RuleSetName,
  toDecimalString,
  toNumber,
} from '@fulcrum/domain';
import { readWireRows } from '../../platform/changes/index.ts';
import { type Config, tradingFeeRateMax } from '../../platform/config/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { inReadSnapshot } from '../../platform/database/read-snapshot.ts';
import { isWaitingSql } from '../../platform/database/row-scope.ts';
import { mapUniqueViolation } from '../../platform/database/unique-violation.ts';
import { defaultLimits } from '../../platform/limits/index.ts';
import { countAttempt } from '../../platform/rate-limit/window-counter.ts';
import type { Services } from '../../platform/services.ts';
import type { Market } from '../market/index.ts';
import { marksOf, readEquity, requireTrader } from '../trading/index.ts';
import { openWallet } from '../wallet/index.ts';
import { newAccountId } from './account-id.ts';
import { parseAmount } from './amount.ts';
import { createOwnLimits } from './own-limits.ts';

export { openLockedAccount } from './locked-account.ts';

const { openingsOfAccounts, practiceAccountsOfUser, archivedAccountsOfUser } = defaultLimits;
/** No two accounts of a user have one name. */
export const accountNameIndex = 'trading_accounts_name';

interface AccountsDependencies extends Pick<Services, 'db' | 'clock' | 'bus'> {
  readonly config: Pick<Config, 'rules' | 'tradingFeeRate' | 'signupBalance'>;
  /** Reads these accounts again, after a change from outside the engine. */
  readonly reload: (accountIds: Iterable<string>) => void;
  readonly market: Pick<Market, 'price'>;
}

/** Whether the account has an open position or a waiting order. */
export const isOpenSql = (account: string): string =>
  `(exists (select from app.positions where user_id = ${account} and status = 'open')
    or exists (select from app.orders where user_id = ${account} and ${isWaitingSql('status')}))`;

const accountNotFound = () => new AppError('not_found', texts.accountGone);

interface ListedRow {
  readonly account: TradingAccountRow;
  readonly balance: number;
  readonly available_balance: number;
  readonly open_positions: number;
  readonly waiting_orders: number;
}

const listQuery = `
  select to_json(a) as account, coalesce(w.balance, 0)::float8 as balance,
         coalesce(w.available_balance, 0)::float8 as available_balance,
         (select count(*)::int from app.positions p where p.user_id = a.id and p.status = 'open') as open_positions,
         (select count(*)::int from app.orders o where o.user_id = a.id and ${isWaitingSql('o.status')}) as waiting_orders
  from api.trading_accounts a left join app.wallets w on w.user_id = a.id
  where a.owner_id = $1 and ($2::uuid is null or a.id = $2) order by a.status = 'archived', a.id <> a.owner_id, a.created_at, a.id`;

interface StoredAccount {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
}

export function createAccounts({ db, clock, bus, config, reload, market }: AccountsDependencies) {
  async function readRow(tx: Queryable, id: string): Promise<TradingAccountRow> {
    const [row] = await readWireRows(tx, 'trading_accounts', [id]);
    if (!row) throw new Error('a written account exists');
    return tradingAccountRow.parse(row);
  }

  /**
   * Locks the user's row, so that two requests of one user count and name their accounts one after the other.
   * @throws AppError not_found for a user who is deleted at the same time
   */
  async function lockOwner(tx: Queryable, ownerId: string): Promise<void> {
    const { rowCount } = await tx.query('select from app.users where id = $1 for no key update', [ownerId]);
    if (rowCount === 0) throw new AppError('not_found', texts.userNotFound);
  }

  /** @throws AppError not_found for another user's account; not_allowed for one that is not a practice account */
  async function lockPractice(tx: Queryable, caller: SignedIn, id: string): Promise<StoredAccount> {
    const { rows } = await tx.query<StoredAccount>(
      'select id, kind, status from app.trading_accounts where id = $1 and owner_id = $2 for no key update',
      [id, caller.userId],
    );
    const [account] = rows;
    if (!account) throw accountNotFound();
    if (account.kind !== 'practice') {
      throw new AppError('not_allowed', 'Only a practice account can be changed.');
    }
    return account;
  }

  return {
    procedures: {
      ...createOwnLimits({ db, clock, reload, market }),

      /** @throws AppError not_found, not_allowed for staff who ask about a user they may not manage */
      list_accounts: async (caller: SignedIn, { p_user_id }: ArgsOf<'list_accounts'>) => {
        const ownerId = p_user_id?.toLowerCase() ?? caller.userId;
        if (ownerId !== caller.userId) await requireTrader(db, caller, ownerId);
        return inReadSnapshot(db, async (tx) => {
          // A key is for one account, and the user's others are none of its business.
          const only = caller.apiKey === undefined ? null : caller.accountId;
          const { rows } = await tx.query<ListedRow>(listQuery, [ownerId, only], 'list_accounts');
          const listed = [];
          for (const { account, ...figures } of rows) {
            // Only open positions set the equity apart from the balance.
            const equity =
              figures.open_positions === 0 ? null : await readEquity(tx, account.id, marksOf(market));
            listed.push({
              ...tradingAccountRow.parse(account),
              ...figures,
              equity: equity === null ? figures.balance : toNumber(equity),
            });
          }
          return listed;
        });
      },

      /** @throws AppError invalid_argument in words, conflict for a name in use or beyond the limit */
      create_account: async (caller: SignedIn, args: ArgsOf<'create_account'>) => {
        const ownerId = caller.userId;
        const name = requireName(args.p_name);
        const balance = requireBalance(args.p_start_balance, config.signupBalance);
        const leverageMax = requireLeverage(args.p_leverage_max);
        const rules = args.p_rules ?? config.rules;
        const fillProfile = requireProfile(rules, args.p_fill_profile ?? null);
        const feeRate =
          fillProfile === 'exact'
            ? requireFeeRate(args.p_fee_rate, config.tradingFeeRate)
            : requireFeeOfProfile(fillProfile, args.p_fee_rate ?? null);
        const at = new Date(clock.now());
        return db.transaction(async (tx) => {
          await lockOwner(tx, ownerId);
          const repeated = await findByClientId(tx, ownerId, args.p_client_id ?? null);
          if (repeated !== null) return readRow(tx, repeated);
          await requireRoom(tx, ownerId);
          await countAttempt(tx, openingsOfAccounts, ownerId, at);
          const id = newAccountId(ownerId);
          await namedOnce(() =>
            tx.query(
              `insert into app.trading_accounts (id, owner_id, kind, name, rules, leverage_max, fee_rate, fill_profile,
                 start_balance, client_id, created_at, updated_at)
               values ($1, $2, 'practice', $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
              [
                ...[id, ownerId, name, rules, leverageMax, toDecimalString(feeRate), fillProfile],
                ...[toDecimalString(balance), args.p_client_id ?? null, at],
              ],
            ),
          );
          await openWallet(tx, { accountId: id, initialBalance: balance, at });
          return readRow(tx, id);
        });
      },

      /** @throws AppError invalid_argument, not_found, not_allowed, conflict for a name in use */
      rename_account: async (caller: SignedIn, args: ArgsOf<'rename_account'>) => {
        const name = requireName(args.p_name);
        const at = new Date(clock.now());
        return db.transaction(async (tx) => {
          await lockOwner(tx, caller.userId);
          const { id } = await lockPractice(tx, caller, args.p_account_id);
          await namedOnce(() =>
            tx.query('update app.trading_accounts set name = $2, updated_at = $3 where id = $1', [
              id,
              name,
              at,
            ]),
          );
          return readRow(tx, id);
        });
      },

      /** A repeat answers with the archived account. @throws AppError not_found, not_allowed, conflict while something is open */
      archive_account: async (caller: SignedIn, args: ArgsOf<'archive_account'>) => {
        const at = new Date(clock.now());
        const row = await db.transaction(async (tx) => {
          const { id, status } = await lockPractice(tx, caller, args.p_account_id);
          if (status === 'archived') return readRow(tx, id);
          // The new version makes a decision on the former state fail, so nothing opens beside this transaction.
          await tx.query('update app.wallets set version = version + 1 where user_id = $1', [id]);
          await requireNothingOpen(tx, id);
          await tx.query(
            `update app.trading_accounts set status = 'archived', archived_at = $2, updated_at = $2 where id = $1`,
            [id, at],
          );
          return readRow(tx, id);
        });
        reload([row.id]);
        bus.publish('account.archived', { accountId: row.id });
        return row;
      },
    },
  };
}

/** @throws AppError invalid_argument with the text of the fault */
function requireName(name: string): string {
  const objection = checkAccountName(name);
  if (objection !== null) throw new AppError('invalid_argument', objection);
  return normaliseAccountName(name);
}

function requireBalance(given: string | number | null | undefined, signupBalance: bigint): bigint {
  const { min, max, default: usual } = practiceBalance;
  if (given === null || given === undefined) return signupBalance > 0n ? signupBalance : usual;
  const balance = parseAmount(given);
  if (balance === null || balance < min || balance > max) {
    throw new AppError(
      'invalid_argument',
      `The start balance is from ${toDecimalString(min)} to ${toDecimalString(max)} USDT.`,
    );
  }
  return balance;
}

function requireLeverage(given: number | null | undefined): number {
  const leverage = given ?? MAX_LEVERAGE;
  if (isLeverage(leverage)) return leverage;
  throw new AppError(
    'invalid_argument',
    `The greatest leverage is a whole number from ${MIN_LEVERAGE} to ${MAX_LEVERAGE}.`,
  );
}

function requireFeeRate(given: string | number | null | undefined, usual: bigint): bigint {
  if (given === null || given === undefined) return usual;
  const rate = parseAmount(given);
  if (rate !== null && rate >= 0n && rate <= tradingFeeRateMax) return rate;
  throw new AppError(
    'invalid_argument',
    `The fee is a fraction from 0 to ${toDecimalString(tradingFeeRateMax)}.`,
  );
}

/** Orders of `perpetual` fill on a book, those of the other rule sets at the price. */
function requireProfile(rules: RuleSetName, given: QuotedProfile | null): FillProfile {
  if (rules === 'perpetual') return given ?? 'retail';
  if (given === null) return 'exact';
  throw new AppError('invalid_argument', 'Only an account with perpetual rules has a fill profile.');
}

/** The profile states the fees; its taker fee stands in the row. */
function requireFeeOfProfile(profile: QuotedProfile, given: string | number | null): bigint {
  if (given === null) return fillTerms[profile].takerFee;
  throw new AppError(
    'invalid_argument',
    'The fees of an account with perpetual rules are those of its fill profile.',
  );
}

async function findByClientId(
  tx: Queryable,
  ownerId: string,
  clientId: string | null,
): Promise<string | null> {
  if (clientId === null) return null;
  const { rows } = await tx.query<{ id: string }>(
    'select id from app.trading_accounts where owner_id = $1 and client_id = $2',
    [ownerId, clientId],
  );
  return rows[0]?.id ?? null;
}

/** @throws AppError conflict */
async function requireRoom(tx: Queryable, ownerId: string): Promise<void> {
  const { rows } = await tx.query<{ active: number; all: number }>(
    `select count(*) filter (where status = 'active')::int as active, count(*)::int as all
     from app.trading_accounts where owner_id = $1 and kind = 'practice'`,
    [ownerId],
  );
  const { active = 0, all = 0 } = rows[0] ?? {};
  if (active >= practiceAccountsOfUser.most) {
    throw new AppError(
      'conflict',
      `You have ${practiceAccountsOfUser.most} practice accounts. Archive one first.`,
    );
  }
  if (all >= archivedAccountsOfUser.most) {
    throw new AppError(
      'conflict',
      'You have archived too many accounts. Rename and reset one that you have.',
    );
  }
}

/** @throws AppError conflict */
async function requireNothingOpen(tx: Queryable, id: string): Promise<void> {
  const { rows } = await tx.query<{ positions: boolean; orders: boolean }>(
    `select exists (select from app.positions where user_id = $1 and status = 'open') as positions,
            exists (select from app.orders where user_id = $1 and ${isWaitingSql('status')}) as orders`,
    [id],
  );
  if (rows[0]?.positions) throw new AppError('conflict', 'Close the open positions of this account first.');
  if (rows[0]?.orders) throw new AppError('conflict', 'Cancel the waiting orders of this account first.');
}

/** @throws AppError conflict when another account of the user has the name */
const namedOnce = <T>(write: () => Promise<T>): Promise<T> =>
  mapUniqueViolation(
    {
      [accountNameIndex]: () =>
        new AppError('conflict', 'You have an account of this name. Choose another one.'),
    },
    write,
  );
