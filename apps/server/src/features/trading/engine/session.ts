/**
 * The engine's own connection. It holds the advisory lock that makes this engine the only one. Lock and writes share
 * one session on purpose. The lock ends with the session, so when a new connection gets it, the last write of the old
 * one is either committed or lost, and can be read. The epoch is the second fence: each start raises it, and
 * `engine_write_v1` refuses any other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Database } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { StartError } from '../../../platform/start-error.ts';
import { EpochExpired, StoreUnreachable } from './store.ts';

/** 'FULC'; the second half of the key names what is locked. */
const lockKey = [0x46554c43, 1] as const;
/** How long a lost session may hold the lock, or PostgreSQL be away, before callers get a busy error. */
const reconnectLimitMs = 10_000;
/** The session of a killed predecessor ends a moment later. */
const startLimitMs = 2_000;
const retryEveryMs = 50;

// Every statement of the engine finds its rows by key. For a new table the planner would prefer a scan, and that plan
// would remain when the table has grown.
const sessionSettings = `
  set plan_cache_mode = force_generic_plan; set enable_seqscan = off;
  set enable_hashjoin = off; set enable_mergejoin = off`;

const unreachable = (cause: Error): never => {
  throw new StoreUnreachable(cause.message, { cause });
};

/**
 * Closes the session when `work` on it fails: an unused session would still hold the lock and its place in the pool.
 */
async function releaseOnError<T>(session: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    session.release(true);
    throw error;
  }
}

const readEpoch = (session: pg.PoolClient, statement: string): Promise<number> =>
  releaseOnError(session, async () => {
    const { rows } = await session.query<{ epoch: string }>(statement);
    if (!rows[0]) throw new Error('app.engine_epoch has no row');
    return Number(rows[0].epoch);
  });

export class EngineSession {
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

  /** Undefined while the connection is lost. */
  get client(): pg.PoolClient | undefined {
    return this.#session;
  }

  /** @throws StartError when another engine runs on this database. */
  async start(): Promise<void> {
    const session = await this.#lock(startLimitMs);
    if (!session) throw new StartError('another Fulcrum engine is running on this database');
    this.#epoch = await readEpoch(session, 'update app.engine_epoch set epoch = epoch + 1 returning epoch');
    this.#session = session;
  }

  /**
   * Makes sure that there is a session with the lock.
   * @throws EpochExpired when another engine took over meanwhile; Unreachable.
   */
  async ready(): Promise<void> {
    if (this.#session) return;
    const session = await this.#lock(reconnectLimitMs).catch(unreachable);
    if (!session) throw new StoreUnreachable('the engine cannot get its lock back');
    const epoch = await readEpoch(session, 'select epoch from app.engine_epoch').catch(unreachable);
    if (epoch !== this.#epoch) {
      session.release(true);
      throw new EpochExpired(`engine epoch ${this.#epoch} is over, ${epoch} runs`);
    }
    this.#session = session;
    this.#log.warn({ epoch: this.#epoch }, 'the engine has its database connection back');
  }

  /** Closes the session rather than returning it to the pool: it must not carry the lock or its settings there. */
  release(cause?: Error): void {
    const session = this.#session;
    this.#session = undefined;
    session?.release(cause ?? true);
  }

  /** A session that still answers has rolled its failed statement back: the outcome is known. */
  async isUsable(session: pg.PoolClient): Promise<boolean> {
    if (session !== this.#session) return false;
    return session.query('select 1').then(
      () => true,
      () => false,
    );
  }

  /** Undefined when the lock was not available within the limit. */
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
      this.release(error);
    });
    const isLocked = await releaseOnError(session, async () => {
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
}
