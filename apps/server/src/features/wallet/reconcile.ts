/**
 * Compares wallets with all their ledger entries, independent of checkpoints; it only reads. One statement sees one
 * snapshot, so concurrent trading causes no false drift. It reads the ledger once in physical order; by account each
 * entry would be a page of its own. Only differences leave the database.
 *
 * Known limitation: the passes check the entries of accounts without a wallet, not this module.
 */
import { asMoney, type Money, parseDecimal } from '@fulcrum/domain';
import type { SnapshotSource } from '../../platform/database/read-snapshot.ts';
import { inLedgerSnapshot } from './ledger-verification.ts';

export interface Reconciled {
  readonly wallets: number;
  readonly entries: number;
  readonly balance: Money;
  readonly ledger: Money;
  /** The first hundred. */
  readonly drifting: readonly DriftingWallet[];
  readonly driftingTotal: number;
}
export interface DriftingWallet {
  readonly userId: string;
  readonly username: string;
  readonly balance: Money;
  readonly ledger: Money;
}

const namedMax = 100;
// For the sums of a hundred thousand accounts; beyond that PostgreSQL uses temporary files.
const settings = `set local work_mem = '32MB'`;

interface ReconciledRow {
  readonly wallets: string;
  readonly entries: string;
  readonly balance: string;
  readonly ledger: string;
  readonly driftingTotal: string;
  readonly drifting: readonly { userId: string; username: string; balance: string; ledger: string }[];
}

/** Compares the wallets `w` with the sums of the users' entries `e` that `of` selects. */
const query = (of: { readonly wallets: string; readonly entries: string }) => `
  with booked as (
    select e.user_id, sum(e.amount) as amount, count(*) as entries from app.ledger_entries e where ${of.entries} group by e.user_id
  ), held as materialized (
    select w.user_id, w.balance, coalesce(b.amount, 0) as ledger, coalesce(b.entries, 0) as entries
    from app.wallets w left join booked b on b.user_id = w.user_id where ${of.wallets}
  )
  select count(*) as wallets, coalesce(sum(entries), 0) as entries, coalesce(sum(balance), 0) as balance,
         coalesce(sum(ledger), 0) as ledger, count(*) filter (where balance <> ledger) as "driftingTotal",
         (select coalesce(json_agg(json_build_object('userId', d.user_id, 'username', u.username, 'balance', d.balance::text,
                                                     'ledger', d.ledger::text) order by d.user_id), '[]')
          from (select * from held where balance <> ledger order by user_id limit ${namedMax}) d
          join app.users u on u.id = d.user_id) as drifting
  from held`;
const allWalletsQuery = query({ wallets: 'true', entries: 'e.user_id is not null' });
const oneWalletQuery = query({ wallets: 'w.user_id = $1', entries: 'e.user_id = $1' });

const moneyOf = (amount: string): Money => asMoney(parseDecimal(amount));

/** Compares every wallet with its ledger, or those of one user. */
export function reconcileWallets(db: SnapshotSource, userId: string | null): Promise<Reconciled> {
  return inLedgerSnapshot(db, async (tx) => {
    await tx.query(settings);
    const { rows } = await tx.query<ReconciledRow>(
      userId === null ? allWalletsQuery : oneWalletQuery,
      userId === null ? [] : [userId],
    );
    const [found] = rows;
    if (!found) throw new Error('the wallets gave no row');
    return {
      wallets: Number(found.wallets),
      entries: Number(found.entries),
      balance: moneyOf(found.balance),
      ledger: moneyOf(found.ledger),
      drifting: found.drifting.map((row) => ({
        ...row,
        balance: moneyOf(row.balance),
        ledger: moneyOf(row.ledger),
      })),
      driftingTotal: Number(found.driftingTotal),
    };
  });
}
