/**
 * The rows behind the leases: what a poll reads, and the transaction that ends engines and gives slots out. Invariants: one such transaction
 * runs at a time; the slots of an engine that ends change hands in the transaction that ends it, which waits for its batch under way.
 */
import type { Database, Queryable } from '../../../platform/database/index.ts';
import { memberLocks, pollLock } from '../engine/locks.ts';
import type { StoredHaltCause } from '../engine/store.ts';
import { isEmptyPlan, type SlotPlan, type SlotView } from './rules.ts';

interface HaltRow {
  readonly cause: StoredHaltCause;
  readonly reason: string;
}

/** What one poll reads. */
export interface Membership extends SlotView {
  /** The halts in force. */
  readonly halts: readonly HaltRow[];
}

const membershipQuery = `
  with locks as materialized (
    select objid::bigint as id from pg_locks
    where locktype = 'advisory' and granted and objsubid = 2 and classid = $1::bigint::oid
      and database = (select oid from pg_database where datname = current_database())
  ), living as (select * from app.engines where ended_at is null)
  select (
    select coalesce(json_agg(json_build_object(
      'id', e.id, 'processId', e.process, 'takesSlots', e.takes_slots, 'isLocked', e.id in (select id from locks),
      'silentMs', (extract(epoch from clock_timestamp() - e.heard_at) * 1000)::float8) order by e.id), '[]')
    from living e
  ) as engines, (
    select json_agg(coalesce(e.id, 0) order by s.slot) from app.engine_slots s left join living e on e.id = s.engine
  ) as owners, (
    select coalesce(json_agg(json_build_object('cause', h.cause, 'reason', h.reason)), '[]')
    from app.halts h where h.lifted_at is null
  ) as halts`;

/** @throws AppError `busy` */
export async function readMembership(db: Queryable): Promise<Membership> {
  const { rows } = await db.query<Membership>(membershipQuery, [memberLocks], 'read_members');
  if (!rows[0]) throw new Error('a poll has one row');
  return rows[0];
}

/**
 * Carries out what `plan` says of a poll under the lock of polling engines. Resolves with false when another engine is at it, or
 * nothing was to be done. `waits`: waits for the other one instead.
 */
export function changeSlots(
  db: Database,
  plan: (membership: Membership) => SlotPlan,
  waits = false,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (waits) await tx.query('select pg_advisory_xact_lock($1, $2)', [...pollLock], 'await_poll');
    else {
      const { rows } = await tx.query<{ locked: boolean }>(
        'select pg_try_advisory_xact_lock($1, $2) as locked',
        [...pollLock],
        'try_poll',
      );
      if (!rows[0]?.locked) return false;
    }
    const planned = plan(await readMembership(tx));
    if (isEmptyPlan(planned)) return false;
    await endEngines(tx, planned.over);
    await giveOut(tx, planned.owners);
    return true;
  });
}

/** Locks the rows first: that waits for the batches under way, and lets none begin. */
async function endEngines(tx: Queryable, over: readonly number[]): Promise<void> {
  if (over.length === 0) return;
  const statements = {
    lock_ended_engines:
      'select from app.engines where id = any ($1::bigint[]) and ended_at is null order by id for update',
    free_slots: 'update app.engine_slots set engine = null where engine = any ($1::bigint[])',
    end_engines:
      'update app.engines set ended_at = clock_timestamp() where id = any ($1::bigint[]) and ended_at is null',
  };
  for (const [name, text] of Object.entries(statements)) await tx.query(text, [over], name);
}

/** A slot of an engine that ended otherwise is free, too. */
async function giveOut(tx: Queryable, owners: ReadonlyMap<number, number>): Promise<void> {
  if (owners.size === 0) return;
  await tx.query(
    `update app.engine_slots s set engine = taken.engine
     from unnest($1::smallint[], $2::bigint[]) as taken (slot, engine)
     where s.slot = taken.slot
       and not exists (select from app.engines e where e.id = s.engine and e.ended_at is null)
       and exists (select from app.engines e where e.id = taken.engine and e.ended_at is null)`,
    [[...owners.keys()], [...owners.values()]],
    'give_slots_out',
  );
}

/**
 * One beat. It gives durability up: a beat that a crash of the database loses is a beat a moment ago, and a standby that hangs must not
 * end every engine. False when the engine has ended.
 */
export async function beat(db: Queryable, id: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `with settings as materialized (select set_config('synchronous_commit', 'off', true) as value)
     update app.engines set heard_at = clock_timestamp() from settings
     where id = $1 and ended_at is null and settings.value is not null`,
    [id],
    'engine_beat',
  );
  return rowCount === 1;
}

/** An engine that takes none gets no slot any more, and gives those that it has. */
export async function setTakesSlots(db: Queryable, id: number, takes: boolean): Promise<void> {
  await db.query('update app.engines set takes_slots = $2 where id = $1', [id, takes], 'set_takes_slots');
}
