/**
 * The engine's own connection: it holds the advisory lock that makes this engine the only one, writes the batches and
 * looks up what they need.
 * Lock and writes share one session on purpose. The lock ends with the session, so when a new connection gets it, the
 * fate of whatever the old one was writing is decided and can be read (`has`). The epoch is the second fence: each start
 * raises it, and `engine_commit` refuses any other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Database, Queryable } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { StartError } from '../../../platform/start-error.ts';
import { type Batch, commitStatement } from './commit.ts';

/** 'FULC'; the second half of the key names what is locked. */
const lockKey = [0x46554c43, 1] as const;
/** How long a lost session may keep the lock, or PostgreSQL be away, before callers are told that we are busy. */
const reconnectLimitMs = 10_000;
/** A predecessor that was killed leaves its session a moment later. */
const startLimitMs = 2_000;
const retryEveryMs = 50;

/** PostgreSQL refused the batch: nothing of it is written. */
export class CommitRefused extends Error {
  override readonly name: string = 'CommitRefused';
}
/** A client id of the batch has a stored answer already. */
export class RepeatedCommand extends CommitRefused {
  override readonly name = 'RepeatedCommand';
}
/** The connection broke: the batch is written or not, and only `has` can tell. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
}
/** PostgreSQL, or the lock in it, was not to be had within the limit. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}
/** Another engine has started on this database; this one must never write again. */
export class EpochOver extends Error {
  override readonly name = 'EpochOver';
}
const epochOverState = 'ZE001';
const answersKey = 'commands_pkey';

// Every statement of the engine finds its rows by key. While a table is new the planner would rather scan it, and that
// plan would stay when the table has grown.
const sessionSettings = `
  set plan_cache_mode = force_generic_plan; set enable_seqscan = off;
  set enable_hashjoin = off; set enable_mergejoin = off`;

const unreachable = (cause: Error): never => {
  throw new Unreachable(cause.message, { cause });
};

/** Closes the session when `work` on it fails: held by nobody it would keep the lock and its place in the pool. */
async function orRelease<T>(session: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    session.release(true);
    throw error;
  }
}

const epochOf = (session: pg.PoolClient, statement: string): Promise<number> =>
  orRelease(session, async () => {
    const { rows } = await session.query<{ epoch: string }>(statement);
    if (!rows[0]) throw new Error('app.engine_epoch has no row');
    return Number(rows[0].epoch);
  });

export class Writer implements Queryable {
  readonly #db: Database;
  readonly #log: Log;
  #session: pg.PoolClient | undefined;
  #epoch = 0;

  constructor(db: Database, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** @throws StartError when another engine runs on this database. */
  async start(): Promise<void> {
    const session = await this.#lock(startLimitMs);
    if (!session) throw new StartError('another Fulcrum engine is running on this database');
    this.#epoch = await epochOf(session, 'update app.engine_epoch set epoch = epoch + 1 returning epoch');
    this.#session = session;
  }

  async stop(): Promise<void> {
    this.#letGo();
  }

  /**
   * Makes sure that there is a session with the lock.
   * @throws EpochOver when another engine took over meanwhile; Unreachable.
   */
  async ready(): Promise<void> {
    if (this.#session) return;
    const session = await this.#lock(reconnectLimitMs).catch(unreachable);
    if (!session) throw new Unreachable('the engine cannot get its lock back');
    const epoch = await epochOf(session, 'select epoch from app.engine_epoch').catch(unreachable);
    if (epoch !== this.#epoch) {
      session.release(true);
      throw new EpochOver(`engine epoch ${this.#epoch} is over, ${epoch} runs`);
    }
    this.#session = session;
    this.#log.warn({ epoch: this.#epoch }, 'the engine has its database connection back');
  }

  /** A read between two batches. @throws Error when the connection is lost; `ready` then gets a new one. */
  async query<Row>(text: string, values: readonly unknown[] = [], name?: string) {
    const session = this.#session;
    if (!session) throw new Error('the engine has no connection');
    const result = await session.query({
      text,
      values: [...values],
      ...(name === undefined ? {} : { name }),
    });
    return { rows: result.rows as Row[], rowCount: result.rowCount ?? 0 };
  }

  /** Writes the batch, all or nothing. @throws CommitRefused, RepeatedCommand, CommitUnknown, EpochOver, Unreachable. */
  async commit(batch: Omit<Batch, 'epoch'>): Promise<void> {
    const session = this.#session;
    // Lost since `ready`: nothing was sent, and the commands are good for another try.
    if (!session) throw new Unreachable('the engine has no connection');
    const statement = commitStatement({ ...batch, epoch: this.#epoch });
    try {
      await session.query(statement);
    } catch (error) {
      const cause = error as Error;
      if (!(await this.#isUsable(session))) {
        this.#letGo(cause);
        throw new CommitUnknown(cause.message, { cause });
      }
      if (cause instanceof pg.DatabaseError) {
        if (cause.code === epochOverState) throw new EpochOver(cause.message, { cause });
        if (cause.constraint === answersKey) throw new RepeatedCommand(cause.message, { cause });
      }
      throw new CommitRefused(cause.message, { cause });
    }
  }

  /** Whether the batch is written; call after `ready`. */
  async has(batchId: string): Promise<boolean> {
    const { rowCount } = await this.query('select from app.engine_batches where id = $1', [batchId]);
    return rowCount === 1;
  }

  /** A session that still answers has rolled the failed statement back: its outcome is known. */
  async #isUsable(session: pg.PoolClient): Promise<boolean> {
    if (session !== this.#session) return false;
    return session.query('select 1').then(
      () => true,
      () => false,
    );
  }

  /** Undefined when the lock was not to be had within the limit. */
  async #lock(limitMs: number): Promise<pg.PoolClient | undefined> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const session = await this.#tryLock().catch((error: Error) => {
        if (performance.now() >= deadline) throw error;
        return undefined;
      });
      if (session || performance.now() >= deadline) return session;
      await sleep(retryEveryMs);
    }
  }

  /** A new session if it gets the lock at once; without it the session is closed. */
  async #tryLock(): Promise<pg.PoolClient | undefined> {
    const session = await this.#db.pool.connect();
    // Without a listener a lost connection would end the process.
    session.on('error', (error) => {
      if (this.#session !== session) return;
      this.#log.error({ err: error }, 'the engine lost its database connection');
      this.#letGo(error);
    });
    const isLocked = await orRelease(session, async () => {
      await session.query(sessionSettings);
      const { rows } = await session.query<{ locked: boolean }>(
        'select pg_try_advisory_lock($1, $2) as locked',
        [...lockKey],
      );
      return rows[0]?.locked === true;
    });
    if (isLocked) return session;
    session.release(true);
    return undefined;
  }

  /** Closes the session rather than returning it to the pool: it must not carry the lock or its settings there. */
  #letGo(cause?: Error): void {
    const session = this.#session;
    this.#session = undefined;
    session?.release(cause ?? true);
  }
}
