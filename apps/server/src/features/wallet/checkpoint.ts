/**
 * The checkpoint of the ledger verification (app.checkpoints) and the balances there (app.checkpoint_balances), so
 * that the minute pass reads only later entries.
 *
 * Ledger ids are assigned before a commit and may appear out of order: a registration books beside the engine. The
 * mark therefore moves to an id only when every transaction that could still commit a lower one had ended before the
 * pass took its snapshot. Transaction ids decide that, not the clock: a transaction writes a wallet before it books,
 * so it has a transaction id before it gets a ledger id. Within one account ids are in order, because the wallet's
 * row is locked first.
 *
 * Known limitation: an open write transaction, of any database of the cluster, delays the mark. Passes then read some
 * entries again, and miss none.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../../platform/database/index.ts';
import { ledgerSums } from './scope.ts';

interface Checkpoint {
  /** Entries up to it were found consistent; zero for none. */
  readonly ledgerId: bigint;
  /** Whether a full pass ever succeeded. */
  readonly isFounded: boolean;
}

/** Every entry up to `ledgerId` is final once all transactions before `xmax` have ended. */
interface LedgerReach {
  readonly ledgerId: bigint;
  readonly xmax: bigint;
}

const pollMs = 20;
const settleWithinMs = 2000;
/** Ledger ids whose balances one statement updates. */
const stepSize = 50_000n;

async function readReach(db: Queryable): Promise<LedgerReach> {
  const { rows } = await db.query<{ ledger_id: string; xmax: string }>(
    `select coalesce((select max(id) from app.ledger_entries), 0) as ledger_id,
            pg_snapshot_xmax(pg_current_snapshot())::text as xmax`,
  );
  const [row] = rows;
  if (!row) throw new Error('the reach of the ledger gave no row');
  return { ledgerId: BigInt(row.ledger_id), xmax: BigInt(row.xmax) };
}

/** Whether the snapshot of `db` includes all transactions that were running at the reach. */
export async function isSettled(db: Queryable, reach: LedgerReach): Promise<boolean> {
  const { rows } = await db.query<{ xmin: string }>(
    `select pg_snapshot_xmin(pg_current_snapshot())::text as xmin`,
  );
  return BigInt(rows[0]?.xmin ?? 0) >= reach.xmax;
}

/** The current end of the ledger; waits, within a limit, for running transactions below it. */
export async function readSettledReach(db: Queryable): Promise<LedgerReach> {
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

// The balances derive from the append-only ledger alone: they may be ahead of the mark, never wrong.
const updateBalances = `
  with touched as materialized (
    select distinct user_id from app.ledger_entries where id > $1 and id <= $2 and user_id is not null
  ), forgotten as (
    delete from app.checkpoint_balances c using touched t
    where c.user_id = t.user_id and not exists (select from app.trading_accounts a where a.id = t.user_id)
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
  where n.ledger_id is not null and exists (select from app.trading_accounts a where a.id = t.user_id)
  on conflict (user_id) do update set
    ledger_id = excluded.ledger_id, cash = excluded.cash, margin = excluded.margin,
    order_margin = excluded.order_margin`;

/** Moves the mark to `to`, which a pass has verified, step by step. */
export async function advanceCheckpoint(
  db: Queryable,
  { from, to, signal }: { readonly from: bigint; readonly to: bigint; readonly signal?: AbortSignal },
): Promise<void> {
  for (let after = from; after < to; after += stepSize) {
    signal?.throwIfAborted();
    const last = after + stepSize < to ? after + stepSize : to;
    await db.query(updateBalances, [String(after), String(last)]);
    await db.query(`update app.checkpoints set ledger_id = greatest(ledger_id, $1)`, [String(last)]);
  }
}

/** Records the time of a successful pass. */
export async function recordVerification(db: Queryable, depth: 'full' | 'minute'): Promise<void> {
  await db.query(
    `update app.checkpoints set checked_at = now(), full_checked_at = case when $1 then now() else full_checked_at end`,
    [depth === 'full'],
  );
}
