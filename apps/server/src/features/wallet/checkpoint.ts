/**
 * Up to where the books were found whole (app.checkpoints), and what each account held there (app.checkpoint_balances), so
 * that the minute pass reads only what came after.
 *
 * Ledger ids are given before a commit and so may appear out of order: a registration books beside the engine. The mark
 * therefore moves to an id only when every transaction that could still bring a lower one had ended before the pass
 * took its snapshot. That is told by transaction ids, not by the clock: who books has written a wallet before, so it
 * has a transaction id before it gets a ledger id. Within one account ids are in order, because the wallet's row is
 * locked first.
 *
 * Known limitation: a write transaction that stays open, of any database of the cluster, holds the mark back; passes then
 * read what they have read before, and nothing is missed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../../platform/database/index.ts';
import { ledgerSums } from './scope.ts';

export interface Checkpoint {
  /** Entries up to it were found whole; zero for none. */
  readonly ledgerId: bigint;
  /** Whether a full pass ever was through. */
  readonly isFounded: boolean;
}

/** Every entry up to `ledgerId` is there for good once all transactions before `xmax` have ended. */
interface Reach {
  readonly ledgerId: bigint;
  readonly xmax: bigint;
}

const pollMs = 20;
const settleWithinMs = 2000;
/** Ledger ids whose accounts are brought up to date by one statement. */
const stepSize = 50_000n;

async function readReach(db: Queryable): Promise<Reach> {
  const { rows } = await db.query<{ ledger_id: string; xmax: string }>(
    `select coalesce((select max(id) from app.ledger_entries), 0) as ledger_id,
            pg_snapshot_xmax(pg_current_snapshot())::text as xmax`,
  );
  const [row] = rows;
  if (!row) throw new Error('the reach of the ledger gave no row');
  return { ledgerId: BigInt(row.ledger_id), xmax: BigInt(row.xmax) };
}

/** Whether the snapshot of `db` has all that was under way at the reach. */
export async function isSettled(db: Queryable, reach: Reach): Promise<boolean> {
  const { rows } = await db.query<{ xmin: string }>(
    `select pg_snapshot_xmin(pg_current_snapshot())::text as xmin`,
  );
  return BigInt(rows[0]?.xmin ?? 0) >= reach.xmax;
}

/** How far the ledger reaches now; waits, within a limit, for what is under way below it. */
export async function settledReach(db: Queryable): Promise<Reach> {
  const reach = await readReach(db);
  const deadline = performance.now() + settleWithinMs;
  while (!(await isSettled(db, reach)) && performance.now() < deadline) await sleep(pollMs);
  return reach;
}

export async function readCheckpoint(db: Queryable): Promise<Checkpoint> {
  const { rows } = await db.query<{ ledger_id: string; founded: boolean }>(
    `select ledger_id, full_checked_at is not null as founded from app.checkpoints`,
  );
  const [row] = rows;
  if (!row) throw new Error('the checkpoint is missing');
  return { ledgerId: BigInt(row.ledger_id), isFounded: row.founded };
}

// The sums follow from the ledger alone, which nobody can change: they may be ahead of the mark, never wrong.
const bringBalances = `
  with touched as materialized (
    select distinct user_id from app.ledger_entries where id > $1 and id <= $2 and user_id is not null
  ), forgotten as (
    delete from app.checkpoint_balances c using touched t
    where c.user_id = t.user_id and not exists (select from app.users u where u.id = t.user_id)
  )
  insert into app.checkpoint_balances as c (user_id, ledger_id, cash, margin, order_margin)
  select t.user_id, n.ledger_id, coalesce(old.cash, 0) + n.cash, coalesce(old.margin, 0) + n.margin,
         coalesce(old.order_margin, 0) + n.order_margin
  from touched t
  left join app.checkpoint_balances old on old.user_id = t.user_id
  cross join lateral (
    select max(l.id) as ledger_id, ${ledgerSums}
    from app.ledger_entries l where l.user_id = t.user_id and l.id > coalesce(old.ledger_id, 0) and l.id <= $2
  ) n
  where n.ledger_id is not null and exists (select from app.users u where u.id = t.user_id)
  on conflict (user_id) do update set
    ledger_id = excluded.ledger_id, cash = excluded.cash, margin = excluded.margin,
    order_margin = excluded.order_margin`;

/** Moves the mark to `to`, which a pass has proven, step by step. */
export async function advance(
  db: Queryable,
  { from, to, signal }: { readonly from: bigint; readonly to: bigint; readonly signal?: AbortSignal },
): Promise<void> {
  for (let after = from; after < to; after += stepSize) {
    signal?.throwIfAborted();
    const last = after + stepSize < to ? after + stepSize : to;
    await db.query(bringBalances, [String(after), String(last)]);
    await db.query(`update app.checkpoints set ledger_id = greatest(ledger_id, $1)`, [String(last)]);
  }
}

/** Notes when a pass was through. */
export async function noteChecked(db: Queryable, depth: 'full' | 'minute'): Promise<void> {
  await db.query(
    `update app.checkpoints set checked_at = now(), full_checked_at = case when $1 then now() else full_checked_at end`,
    [depth === 'full'],
  );
}
