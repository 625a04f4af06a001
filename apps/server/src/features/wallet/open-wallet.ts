/**
 * Makes wallets. Invariant: a user has one, made by the server and never with a balance that a client named (A14); what
 * it starts with is booked as a completed deposit, so the books explain the first cent too (A13), counted in the totals of
 * the day and the first point of the equity curve (A108).
 */
import { randomUUID } from 'node:crypto';
import type { SignedIn } from '@fulcrum/contract';
import { parseDecimal, toDecimalString } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';

export interface Opening {
  readonly userId: string;
  /** USDT in 1e-8, zero or more. */
  readonly initialBalance: bigint;
  /** Of the deposit in the wallet's history; default 'Initial balance'. */
  readonly description?: string;
}

// One statement, so the wallet never exists without its ledger group, its line, its count: all of them or none.
const openFunded = `
  with wallet as (
    insert into app.wallets (user_id, available_balance, version) values ($1, $2, 1)
    on conflict (user_id) do nothing
    returning id, user_id, last_updated
  ), deposit as (
    insert into app.transactions (id, user_id, wallet_id, type, amount, status, created_at, completed_at, description)
    select $3, user_id, id, 'deposit', $2, 'completed', last_updated, last_updated, $4 from wallet
    returning id
  ), counted as (
    insert into app.daily_totals as t (day, writer, deposits, balance)
    select (last_updated at time zone 'utc')::date, 'accounts', $2, $2 from wallet
    on conflict (day, writer) do update
      set deposits = t.deposits + excluded.deposits, balance = t.balance + excluded.balance
  ), drawn as (
    insert into app.equity_snapshots (user_id, at, balance, equity)
    select user_id, last_updated, $2, $2 from wallet
  )
  insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id)
  select deposit.id, side.account, case when side.account = 'user:cash' then wallet.user_id end, side.amount, 'deposit',
         deposit.id
  from wallet, deposit, (values ('user:cash', $2::numeric), ('external', -$2::numeric)) as side (account, amount)`;

const openEmpty = `insert into app.wallets (user_id) values ($1) on conflict (user_id) do nothing`;

/** Makes the user's wallet; does nothing when there is one. @throws RangeError for a negative balance. */
export async function openWallet(tx: Queryable, opening: Opening): Promise<void> {
  const { userId, initialBalance, description = 'Initial balance' } = opening;
  if (initialBalance < 0n) throw new RangeError('an initial balance is not negative');
  if (initialBalance === 0n) {
    await tx.query(openEmpty, [userId]);
    return;
  }
  await tx.query(openFunded, [userId, toDecimalString(initialBalance), randomUUID(), description]);
}

/** What the account was opened with, USDT in 1e-8; null when it was opened with nothing (A13). */
export async function startBalanceOf(db: Queryable, userId: string): Promise<bigint | null> {
  const { rows } = await db.query<{ amount: string }>(
    `select amount from app.transactions where user_id = $1 and type = 'deposit' and description = 'Initial balance'
     order by created_at limit 1`,
    [userId],
    'start_balance_of',
  );
  return rows[0] ? parseDecimal(rows[0].amount) : null;
}

/** RULE-26: a trader who reads a wallet that is not there gets one, with zero balance. Staff get none this way (A14). */
export async function ensureWallet(db: Queryable, caller: Pick<SignedIn, 'role' | 'userId'>): Promise<void> {
  if (caller.role !== 'trader') return;
  await db.query(
    `insert into app.wallets (user_id)
     select $1 where not exists (select from app.wallets where user_id = $1)
     on conflict (user_id) do nothing`,
    [caller.userId],
    'ensure_wallet',
  );
}
