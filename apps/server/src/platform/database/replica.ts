/**
 * Reads on a standby. Invariant: a read sees everything that had been acknowledged when it began. It asks the primary how far its log is on disk, waits
 * until the standby has replayed that much, and goes to the primary where this takes too long; so a user finds their own write, and a list
 * that is read again because of a change shows that change (docs/decisions/0033).
 *
 * Known limitation: a long read that the standby cancels, because replaying may wait for it no longer, is answered with `busy`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@fulcrum/contract';
import { createGather } from '../gather.ts';
import type { Log } from '../log/index.ts';
import type { Database, Queryable } from './pool.ts';

export interface Reader extends Queryable {
  /** Commits when `work` resolves, rolls back when it rejects. `work` writes nothing. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
}

export type ReplicaState = 'in use' | 'behind' | 'not reachable';

export interface Replica extends Reader {
  state(): ReplicaState;
  close(): Promise<void>;
}

/** Log positions of PostgreSQL, in bytes. */
type Position = bigint;

const catchUpWithinMs = 100;
const askAgainEveryMs = 2;
const tryAgainEveryMs = 1_000;
const callersMax = 10_000;

/** Gathers callers: what is asked while a statement is under way waits for the next one, which is younger than each of them. */
const gathered = (ask: () => Promise<Position>): (() => Promise<Position>) => {
  const gather = createGather<null, Position>(
    async (items) => {
      const position = await ask();
      return items.map(() => position);
    },
    { itemsMax: callersMax },
  );
  return () => gather(null);
};

async function readPosition(db: Queryable, text: string, name: string): Promise<Position> {
  const { rows } = await db.query<{ position: string | null }>(text, [], name);
  const position = rows[0]?.position ?? null;
  if (position === null) throw new Error('DATABASE_REPLICA_URL leads to a server that is no standby');
  return BigInt(position);
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
  const acknowledged = gathered(() =>
    readPosition(
      primary,
      `select (pg_current_wal_flush_lsn() - '0/0')::bigint as position`,
      'acknowledged_position',
    ),
  );
  const replayed = gathered(() =>
    readPosition(
      positions,
      `select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::bigint end as position`,
      'replayed_position',
    ),
  );
  let state: ReplicaState = 'in use';
  let isClosed = false;

  function become(next: ReplicaState, error?: unknown): void {
    if (next === state || isClosed) return;
    state = next;
    if (next === 'in use') log.info('reads go to the replica again');
    else log.warn({ err: error }, `reads go to the primary: the replica is ${next}`);
  }

  async function catchesUpWith(required: Position): Promise<boolean> {
    const deadline = performance.now() + catchUpWithinMs;
    while ((await replayed()) < required) {
      if (performance.now() > deadline) return false;
      await sleep(askAgainEveryMs);
    }
    return true;
  }

  /** Beside the reads: those that come meanwhile do not wait for a replica that is away. */
  async function comeBack(): Promise<void> {
    while (!isClosed && state !== 'in use') {
      await sleep(tryAgainEveryMs, undefined, { ref: false });
      if (isClosed) return;
      try {
        become((await catchesUpWith(await acknowledged())) ? 'in use' : 'behind');
      } catch (error) {
        become('not reachable', error);
      }
    }
  }

  function leave(next: ReplicaState, error?: unknown): void {
    const wasInUse = state === 'in use';
    become(next, error);
    if (wasInUse && next === 'not reachable') cutOff();
    if (wasInUse) void comeBack();
  }

  async function choose(): Promise<Database> {
    if (state !== 'in use') return primary;
    const required = await acknowledged();
    try {
      if (await catchesUpWith(required)) return standby;
      leave('behind');
    } catch (error) {
      leave('not reachable', error);
    }
    return primary;
  }

  return {
    async query(text, values, name) {
      const chosen = await choose();
      try {
        return await chosen.query(text, values, name);
      } catch (error) {
        if (chosen === primary || !isFaultOfStandby(error)) throw error;
        if (isBusy(error)) leave('not reachable', error);
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
        if (isBusy(error)) leave('not reachable', error);
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

/** What the pool throws for a connection that was lost. */
const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === 'busy';
/** A standby cancels a read that stands in the way of replaying for too long (PostgreSQL's documentation, 26.4.2). */
const conflictWithRecovery = '40001';
const isFaultOfStandby = (error: unknown): boolean =>
  isBusy(error) || (error instanceof Error && 'code' in error && error.code === conflictWithRecovery);
