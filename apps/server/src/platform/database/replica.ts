/**
 * Reads on a standby. Invariant: a read sees everything that had been acknowledged when it began. It asks the primary how far its log is on disk, waits
 * until the standby has replayed that much, and goes to the primary where this takes too long; so a user finds their own write, and a list
 * that is read again because of a change shows that change (docs/decisions/0033). Positions of two timelines say nothing about each other, so a standby serves
 * only after a row that was written on the primary's present timeline has arrived there.
 *
 * Known limitation: a long read that the standby cancels, because replaying may wait for it no longer, is answered with `busy`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, busy } from '@fulcrum/contract';
import { createGather } from '../gather.ts';
import type { Log } from '../log/index.ts';
import type { Database, Queryable } from './pool.ts';

export interface Reader extends Queryable {
  /** Commits when `work` resolves, rolls back when it rejects. `work` writes nothing. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
}

export type ReplicaState = 'in use' | 'behind' | 'not reachable';

interface Replica extends Reader {
  /** Resolves when the standby serves, or why it does not yet is known. */
  start(): Promise<void>;
  state(): ReplicaState;
  close(): Promise<void>;
}

/** A position in the log of PostgreSQL, in bytes, and the timeline that it is on. */
interface LogPosition {
  readonly bytes: bigint;
  readonly timeline: string;
}

const catchUpWithinMs = 100;
const askAgainEveryMs = 2;
const tryAgainEveryMs = 1_000;
const callersMax = 10_000;

/** Gathers callers: what is asked while a statement is under way waits for the next one, which is younger than each of them. */
const gathered = <Value>(ask: () => Promise<Value>): (() => Promise<Value>) => {
  const gather = createGather<null, Value>(
    async (items) => {
      const value = await ask();
      return items.map(() => value);
    },
    { itemsMax: callersMax },
  );
  return () => gather(null);
};

/** @throws AppError `busy` when the primary has just become a standby, or is away */
async function readAcknowledged(primary: Queryable): Promise<LogPosition> {
  try {
    const { rows } = await primary.query<{ bytes: string; timeline: string }>(
      `select (lsn - '0/0')::bigint as bytes, left(pg_walfile_name(lsn), 8) as timeline from pg_current_wal_flush_lsn() as lsn`,
      [],
      'acknowledged_position',
    );
    const [row] = rows;
    if (!row) throw new Error('a position is one row');
    return { bytes: BigInt(row.bytes), timeline: row.timeline };
  } catch (error) {
    throw codeOf(error) === recoveryInProgress ? busy() : error;
  }
}

async function readReplayed(standby: Queryable): Promise<bigint> {
  const { rows } = await standby.query<{ bytes: string | null }>(
    `select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::bigint end as bytes`,
    [],
    'replayed_position',
  );
  const bytes = rows[0]?.bytes ?? null;
  if (bytes === null) throw new Error('DATABASE_REPLICA_URL leads to a server that is no standby');
  return BigInt(bytes);
}

/**
 * `standby` serves the reads; `positions` is a connection beside them, whose statements fail after a second. Both belong to the replica, which
 * closes them. `cutOff` ends what is under way on them: a host that is gone answers no statement.
 */
export function createReplica(deps: {
  readonly primary: Database;
  readonly standby: Database;
  readonly positions: Database;
  readonly cutOff: () => void;
  readonly log: Log;
}): Replica {
  const { primary, standby, positions, cutOff, log } = deps;
  const acknowledged = gathered(() => readAcknowledged(primary));
  const replayed = gathered(() => readReplayed(positions));
  let state: ReplicaState = 'behind';
  /** The timeline on which a row of the primary has arrived at the standby. */
  let proven: string | null = null;
  let isTryingAgain = false;
  let isClosed = false;

  function become(next: ReplicaState, error?: unknown): void {
    if (next === state || isClosed) return;
    state = next;
    if (next === 'in use') log.info('reads go to the replica');
    else log.warn({ err: error }, `reads go to the primary: the replica is ${next}`);
    if (next === 'not reachable') cutOff();
  }

  async function within(hasArrived: () => Promise<boolean>): Promise<boolean> {
    const deadline = performance.now() + catchUpWithinMs;
    while (!(await hasArrived())) {
      if (performance.now() > deadline) return false;
      await sleep(askAgainEveryMs);
    }
    return true;
  }

  const catchesUpWith = ({ bytes }: LogPosition) => within(async () => (await replayed()) >= bytes);

  /** Whether the standby follows the primary as it is now: the mark can come from nowhere else. */
  async function follows(): Promise<boolean> {
    await primary.query(`delete from app.replica_marks where created_at < now() - interval '1 hour'`);
    const { rows } = await primary.query<{ mark: string }>(
      'insert into app.replica_marks default values returning mark',
    );
    const mark = rows[0]?.mark;
    return within(async () => {
      const { rowCount } = await positions.query('select from app.replica_marks where mark = $1', [mark]);
      return rowCount === 1;
    });
  }

  async function tryToServe(): Promise<void> {
    try {
      const { timeline } = await acknowledged();
      if (timeline !== proven && !(await follows())) return become('behind');
      proven = timeline;
      become((await catchesUpWith(await acknowledged())) ? 'in use' : 'behind');
    } catch (error) {
      become('not reachable', error);
    }
  }

  /** Beside the reads: those that come meanwhile do not wait for a replica that is away. */
  async function tryAgain(): Promise<void> {
    if (isTryingAgain) return;
    isTryingAgain = true;
    while (!isClosed && state !== 'in use') {
      await sleep(tryAgainEveryMs, undefined, { ref: false });
      if (!isClosed) await tryToServe();
    }
    isTryingAgain = false;
  }

  function leave(next: Exclude<ReplicaState, 'in use'>, error?: unknown): void {
    become(next, error);
    void tryAgain();
  }

  async function choose(): Promise<Database> {
    if (state !== 'in use') return primary;
    const position = await acknowledged();
    try {
      if (position.timeline === proven && (await catchesUpWith(position))) return standby;
      leave('behind');
    } catch (error) {
      leave('not reachable', error);
    }
    return primary;
  }

  /** One lost session is no lost host: a standby ends what stands in the way of replaying. */
  async function leaveIfLost(error: unknown): Promise<void> {
    await replayed().catch(() => leave('not reachable', error));
  }

  return {
    async start() {
      await tryToServe();
      void tryAgain();
    },
    async query(text, values, name) {
      const chosen = await choose();
      try {
        return await chosen.query(text, values, name);
      } catch (error) {
        if (chosen === primary || !isFaultOfStandby(error)) throw error;
        if (isBusy(error)) await leaveIfLost(error);
        return primary.query(text, values, name);
      }
    },
    async transaction(work) {
      const chosen = await choose();
      let hasBegun = false;
      try {
        return await chosen.transaction((tx) => {
          hasBegun = true;
          return work(tx);
        });
      } catch (error) {
        if (chosen === primary || !isFaultOfStandby(error)) throw error;
        if (isBusy(error)) await leaveIfLost(error);
        // What `work` has passed on cannot be taken back.
        if (hasBegun) throw error;
        return primary.transaction(work);
      }
    },
    state: () => state,
    async close() {
      isClosed = true;
      await Promise.all([standby.close(), positions.close()]);
    },
  };
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);
/** What a server that has become a standby answers to functions of a primary (object_not_in_prerequisite_state). */
const recoveryInProgress = '55000';
/** What the pool throws for a connection that was lost. */
const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === 'busy';
/** A standby cancels a read that stands in the way of replaying for too long (PostgreSQL's documentation, 26.4.2). */
const conflictWithRecovery = '40001';
const isFaultOfStandby = (error: unknown): boolean => isBusy(error) || codeOf(error) === conflictWithRecovery;
