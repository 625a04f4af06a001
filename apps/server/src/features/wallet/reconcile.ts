/**
 * Wallets held against their ledger entries, all of them from the first to the last, whatever a checkpoint says. One statement,
 * so trading that goes on is no fault, and the ledger is read once in the order in which it lies: in the order of accounts
 * each entry is a page of its own. Only what was found comes here. It only reads.
 *
 * Known limitation: what an account without a wallet has in the ledger is judged by the passes, not here.
 */
import { asMoney, type Money, parseDecimal } from '@fulcrum/domain';
import { type Books, inSnapshot } from './snapshot.ts';

export interface Reconciled {
  readonly wallets: number;
  readonly entries: number;
  readonly balance: Money;
  readonly ledger: Money;
  /** The first hundred. */
  readonly drifting: readonly Drifting[];
  readonly driftingTotal: number;
}
export interface Drifting {
  readonly userId: string;
  readonly username: string;
  readonly balance: Money;
  readonly ledger: Money;
}

const namedMax = 100;
// For the sums of a hundred thousand accounts; with more of them PostgreSQL goes on in files.
const settings = `set local work_mem = '32MB'`;

interface Found {
  readonly wallets: string;
  readonly entries: string;
  readonly balance: string;
  readonly ledger: string;
  readonly driftingTotal: string;
  readonly drifting: readonly { userId: string; username: string; balance: string; ledger: string }[];
}

/** Held against their sums: the wallets `w` and the users' entries `e` that `of` says. */
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
const everybodys = query({ wallets: 'true', entries: 'e.user_id is not null' });
const oneUsers = query({ wallets: 'w.user_id = $1', entries: 'e.user_id = $1' });

const moneyOf = (amount: string): Money => asMoney(parseDecimal(amount));

/** Of every wallet, or of one user's. */
export function reconcileWallets(db: Books, userId: string | null): Promise<Reconciled> {
  return inSnapshot(db, async (tx) => {
    await tx.query(settings);
    const { rows } = await tx.query<Found>(
      userId === null ? everybodys : oneUsers,
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
