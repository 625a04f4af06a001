/**
 * Creates wallets. Invariants: a user has one, created by the server and never with a client's balance (A14). The
 * start balance is booked as a completed deposit, so the ledger explains every amount (A13). It counts in the totals
 * of the day and is the first point of the equity curve (A108).
 */
import { randomUUID } from 'node:crypto';
import type { SignedIn } from '@fulcrum/contract';
import { ownPayments, parseDecimal, toDecimalString } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';

export interface WalletOpening {
  readonly accountId: string;
  /** USDT in 1e-8, zero or more. */
  readonly initialBalance: bigint;
  /** The description of the deposit in the wallet's history; default `ownPayments.start`. */
  readonly description?: string;
  /** When it is booked; default now. Only an account of the demo with a past has another time. */
  readonly at?: Date;
}

// One statement, so wallet, ledger group, line and count are written together or not at all.
const openFunded = `
  with wallet as (
    insert into app.wallets (user_id, available_balance, version, last_updated) values ($1, $2, 1, coalesce($5, now()))
    on conflict (user_id) do nothing
    returning id, user_id, last_updated
  ), deposit as (
    insert into app.transactions (id, user_id, wallet_id, type, amount, status, created_at, completed_at, description)
    select $3, user_id, id, 'deposit', $2, 'completed', last_updated, last_updated, $4 from wallet
    returning id
  ), counted as (
    insert into app.daily_totals as t (day, writer, deposits, balance)
    select (last_updated at time zone 'utc')::date, 'accounts', $2, $2 from wallet
    where not exists (select from app.other_accounts o where o.id = wallet.user_id)
    on conflict (day, writer) do update
      set deposits = t.deposits + excluded.deposits, balance = t.balance + excluded.balance
  ), drawn as (
    insert into app.equity_snapshots (user_id, at, balance, equity)
    select user_id, last_updated, $2, $2 from wallet
  )
  insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id, created_at)
  select deposit.id, side.account, case when side.account = 'user:cash' then wallet.user_id end, side.amount, 'deposit',
         deposit.id, last_updated
  from wallet, deposit, (values ('user:cash', $2::numeric), ('external', -$2::numeric)) as side (account, amount)`;

const openEmpty = `insert into app.wallets (user_id) values ($1) on conflict (user_id) do nothing`;

/** Creates the user's wallet; does nothing when it exists. @throws RangeError for a negative balance. */
export async function openWallet(tx: Queryable, opening: WalletOpening): Promise<void> {
  const { accountId, initialBalance, description = ownPayments.start, at = null } = opening;
  if (initialBalance < 0n) throw new RangeError('an initial balance is not negative');
  if (initialBalance === 0n) {
    await tx.query(openEmpty, [accountId]);
    return;
  }
  await tx.query(openFunded, [accountId, toDecimalString(initialBalance), randomUUID(), description, at]);
}

/** The start balance of the account, USDT in 1e-8; null without one (A13). */
export async function findStartBalance(db: Queryable, accountId: string): Promise<bigint | null> {
  return (await findStartBalances(db, [accountId])).get(accountId) ?? null;
}

/** The same of many accounts; one that was opened without a balance is absent. */
export async function findStartBalances(
  db: Queryable,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await db.query<{ id: string; amount: string }>(
    `select distinct on (user_id) user_id as id, amount from app.transactions
     where user_id = any ($1::uuid[]) and type = 'deposit' and description = $2 order by user_id, created_at`,
    [accountIds, ownPayments.start],
    'start_balances_of',
  );
  return new Map(rows.map(({ id, amount }) => [id, parseDecimal(amount)]));
}

/** Creates an empty wallet for a trader who reads a missing one (RULE-26). Staff get none this way (A14). */
export async function ensureWallet(
  db: Queryable,
  caller: Pick<SignedIn, 'role' | 'accountId'>,
): Promise<void> {
  if (caller.role !== 'trader') return;
  await db.query(
    `insert into app.wallets (user_id)
     select $1 where not exists (select from app.wallets where user_id = $1)
     on conflict (user_id) do nothing`,
    [caller.accountId],
    'ensure_wallet',
  );
}
