/** The stored signals. Invariant: a signal leaves `pending` once, and its plan is written once. */
import type { SignalRow } from '@fulcrum/contract';
import { dayMs, type SignalOutcome } from '@fulcrum/domain';
import type { Database, Queryable } from '../../platform/database/index.ts';
import { defaultLimits } from '../../platform/limits/index.ts';
import type { Plan } from './plan.ts';

export interface StoredSignal {
  readonly id: string;
  readonly accountId: string;
  readonly receivedAt: Date;
  readonly body: string;
  /** Null: not planned yet. */
  readonly plan: Plan | null;
  /** Whether its address has ended since it came. */
  readonly isRevoked: boolean;
}

/** What is known of a finished signal. */
export interface Result {
  readonly outcome: Exclude<SignalOutcome, 'pending'>;
  /** Of a signal that has no plan. */
  readonly summary?: string;
  readonly detail: string | null;
  readonly orderIds: readonly string[];
  readonly positionIds: readonly string[];
}

interface Hook {
  readonly id: string;
  readonly accountId: string;
}

/** Undefined for an unknown secret and for an address that was revoked. */
export async function findHook(db: Queryable, secretHash: Buffer): Promise<Hook | undefined> {
  const { rows } = await db.query<Hook>(
    `select id, account_id as "accountId" from app.signal_hooks where secret_hash = $1 and revoked_at is null`,
    [secretHash],
    'find_signal_hook',
  );
  return rows[0];
}

interface NewSignal {
  readonly id: string;
  readonly hook: Hook;
  readonly at: Date;
  readonly body: string;
  readonly bodyHash: Buffer;
  /** Why it cannot be read; null for a signal that can. */
  readonly fault: string | null;
}

/** The same body is one signal for so long. */
const repeatedForMs = 60_000;

/**
 * Stores the signal, or finds the one with the same body of the last minute. Undefined for an address that was revoked or deleted
 * meanwhile. The lock of the address lets two deliveries of one body find each other.
 */
export function storeSignal(
  db: Database,
  { id, hook, at, body, bodyHash, fault }: NewSignal,
): Promise<{ readonly id: string; readonly isRepeated: boolean } | undefined> {
  return db.transaction(async (tx) => {
    const { rowCount } = await tx.query(
      'update app.signal_hooks set last_used_at = $2 where id = $1 and revoked_at is null',
      [hook.id, at],
      'use_signal_hook',
    );
    if (rowCount === 0) return undefined;
    const { rows } = await tx.query<{ id: string }>(
      `select id from app.signals where hook_id = $1 and body_hash = $2 and received_at > $3
       order by received_at desc limit 1`,
      [hook.id, bodyHash, new Date(at.getTime() - repeatedForMs)],
      'find_repeated_signal',
    );
    const [repeated] = rows;
    if (repeated) return { id: repeated.id, isRepeated: true };
    await tx.query(
      `insert into app.signals (id, hook_id, account_id, received_at, body, body_hash, outcome, detail, finished_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        ...[id, hook.id, hook.accountId, at, body, bodyHash],
        ...(fault === null ? ['pending', null, null] : ['unreadable', fault, at]),
      ],
      'store_signal',
    );
    return { id, isRepeated: false };
  });
}

interface PendingRow {
  readonly id: string;
  readonly accountId: string;
  readonly receivedAt: Date;
  readonly body: string;
  readonly steps: Plan['steps'] | null;
  readonly summary: string | null;
  readonly isRevoked: boolean;
}

const pendingSql = `select s.id, s.account_id as "accountId", s.received_at as "receivedAt", s.body, s.steps, s.summary,
    h.revoked_at is not null as "isRevoked"
  from app.signals s join app.signal_hooks h on h.id = s.hook_id where s.outcome = 'pending'`;

const toStored = ({ steps, summary, ...signal }: PendingRow): StoredSignal => ({
  ...signal,
  plan: steps === null ? null : { steps, summary: summary ?? '' },
});

/** Signals without an outcome, the oldest first. */
export async function readPending(db: Queryable, most: number): Promise<readonly StoredSignal[]> {
  const { rows } = await db.query<PendingRow>(
    `${pendingSql} order by s.received_at, s.id limit $1`,
    [most],
    'pending_signals',
  );
  return rows.map(toStored);
}

/** Undefined for one that has an outcome, or is gone with its account. */
export async function readPendingOne(db: Queryable, id: string): Promise<StoredSignal | undefined> {
  const { rows } = await db.query<PendingRow>(`${pendingSql} and s.id = $1`, [id], 'pending_signal');
  return rows.map(toStored)[0];
}

/** False where the signal has a plan or an outcome already, or it or its address is gone. */
export async function storePlan(db: Queryable, id: string, { steps, summary }: Plan): Promise<boolean> {
  const { rowCount } = await db.query(
    `update app.signals s set steps = $2, summary = $3 from app.signal_hooks h
     where s.id = $1 and s.outcome = 'pending' and s.steps is null and h.id = s.hook_id and h.revoked_at is null`,
    [id, JSON.stringify(steps), summary],
    'plan_signal',
  );
  return rowCount === 1;
}

/** Those of these orders of the account that are cancelled. */
export async function readCanceled(
  db: Queryable,
  accountId: string,
  orderIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (orderIds.length === 0) return new Set();
  const { rows } = await db.query<{ id: string }>(
    `select id from app.orders where user_id = $1 and id = any ($2::uuid[]) and status = 'CANCELED'`,
    [accountId, orderIds],
    'canceled_orders',
  );
  return new Set(rows.map(({ id }) => id));
}

export async function finishSignal(
  db: Queryable,
  id: string,
  { outcome, summary, detail, orderIds, positionIds }: Result,
  at: Date,
): Promise<void> {
  await db.query(
    `update app.signals set outcome = $2, detail = $3, order_ids = $4, position_ids = $5, finished_at = $6,
       summary = coalesce(summary, $7)
     where id = $1 and outcome = 'pending'`,
    [id, outcome, detail, orderIds, positionIds, at, summary ?? null],
    'finish_signal',
  );
}

const listedMax = 100;

export async function listStored(db: Queryable, accountId: string): Promise<readonly SignalRow[]> {
  const { rows } = await db.query<{ signal: SignalRow }>(
    `select json_build_object('id', s.id, 'hook_id', s.hook_id, 'hook_name', h.name, 'received_at', s.received_at,
       'finished_at', s.finished_at, 'outcome', s.outcome, 'summary', s.summary, 'detail', s.detail,
       'order_ids', s.order_ids, 'position_ids', s.position_ids, 'body', s.body) as signal
     from app.signals s join app.signal_hooks h on h.id = s.hook_id
     where s.account_id = $1 order by s.received_at desc, s.id desc limit ${listedMax}`,
    [accountId],
    'list_signals',
  );
  return rows.map(({ signal }) => signal);
}

const retainedForMs = 30 * dayMs;
const { signalsOfAccount } = defaultLimits;
/** Rows of one statement; what is left is for the next run. */
const chunkSize = 2_000;

/** Deletes what is beyond the number that an account has. Signals without an outcome stay. */
export async function deleteBeyondLimit(db: Queryable, accountId: string): Promise<void> {
  await db.query(
    `delete from app.signals where outcome <> 'pending' and id in (
       select id from app.signals where account_id = $1 order by received_at desc, id desc offset $2 limit ${chunkSize})`,
    [accountId, signalsOfAccount.most],
    'delete_signals_beyond_limit',
  );
}

/** Deletes signals of more than 30 days ago, and addresses that were revoked as long ago. */
export async function deleteExpired(db: Queryable, now: number): Promise<void> {
  const before = new Date(now - retainedForMs);
  await db.query(
    `delete from app.signals where ctid = any (array(
       select ctid from app.signals where received_at < $1 and outcome <> 'pending' limit ${chunkSize}))`,
    [before],
  );
  await db.query(
    `delete from app.signal_hooks h where h.revoked_at < $1
       and not exists (select from app.signals s where s.hook_id = h.id)`,
    [before],
  );
}
