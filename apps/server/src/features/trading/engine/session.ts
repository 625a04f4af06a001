/**
 * A session of an engine: it holds the engine's advisory lock and writes the batches. Lock and writes share it on purpose. The
 * lock ends with the session, so when a new session gets it, the last write of the old one is either committed or lost, and can be
 * read.
 *
 * A commit that PostgreSQL did not confirm (its wait for a standby was canceled) counts as unknown, and ends the session. A new
 * session begins with a commit of its own: what it reads once that is confirmed is on the standby as well.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Database } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { StartError } from '../../../platform/start-error.ts';
import type { SessionLock } from './locks.ts';
import { EpochExpired, StoreUnreachable } from './store.ts';

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

/** The function of PostgreSQL that warns of a canceled wait for a standby; the text of the warning may be translated. */
const unconfirmedRoutine = 'SyncRepWaitForLSN';

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

export class EngineSession {
  readonly #db: Database;
  readonly #log: Log;
  readonly #lock: SessionLock;
  readonly #unconfirmed = new WeakSet<pg.PoolClient>();
  #session: pg.PoolClient | undefined;
  #since = 0;
  #epoch = 0;

  constructor(db: Database, log: Log, lock: SessionLock) {
    this.#db = db;
    this.#log = log;
    this.#lock = lock;
  }

  /** The id of the engine's row; 0 before `begin`. */
  get epoch(): number {
    return this.#epoch;
  }

  /** How long the connection has stood, in milliseconds; null while it is lost. */
  get ageMs(): number | null {
    return this.#session ? performance.now() - this.#since : null;
  }

  /** Undefined while the connection is lost. */
  get client(): pg.PoolClient | undefined {
    return this.#session;
  }

  /** Takes the lock, and nothing else. @throws StartError when another server has it. */
  async connect(): Promise<pg.PoolClient> {
    const session = await this.#open(startLimitMs);
    if (!session) throw new StartError(this.#lock.refusal);
    this.#adopt(session);
    return session;
  }

  /** Goes on as the engine of that row. @throws EpochExpired, StoreUnreachable. */
  async begin(epoch: number): Promise<void> {
    this.#epoch = epoch;
    const session = this.#session;
    this.#session = undefined;
    if (!session) throw new StoreUnreachable('the engine has no connection');
    await this.#confirm(session);
    this.#adopt(session);
  }

  #adopt(session: pg.PoolClient): void {
    this.#session = session;
    this.#since = performance.now();
  }

  /**
   * Makes sure that there is a session with the lock, whose first commit is confirmed.
   * @throws EpochExpired when the engine was ended meanwhile; StoreUnreachable.
   */
  async ready(): Promise<void> {
    if (this.#session) return;
    const session = await this.#open(reconnectLimitMs).catch(unreachable);
    if (!session) throw new StoreUnreachable('the engine cannot get its lock back');
    await this.#confirm(session);
    this.#adopt(session);
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

  /** False once PostgreSQL has warned that a commit of this session may be on no standby. */
  isConfirmed(session: pg.PoolClient): boolean {
    return !this.#unconfirmed.has(session);
  }

  async #confirm(session: pg.PoolClient): Promise<void> {
    const { rowCount } = await releaseOnError(session, () =>
      session.query(
        'update app.engines set confirmed_at = clock_timestamp() where id = $1 and ended_at is null',
        [this.#epoch],
      ),
    ).catch(unreachable);
    if (rowCount === 1 && this.isConfirmed(session)) return;
    session.release(true);
    if (rowCount === 1)
      throw new StoreUnreachable('no standby has confirmed the first commit of the session');
    throw new EpochExpired(`engine epoch ${this.#epoch} is over`);
  }

  /** Undefined when the lock was not available within the limit. */
  async #open(limitMs: number): Promise<pg.PoolClient | undefined> {
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
    session.on('notice', ({ routine }) => {
      if (routine === unconfirmedRoutine) this.#unconfirmed.add(session);
    });
    const isLocked = await releaseOnError(session, async () => {
      await session.query(`${sessionSettings}; ${this.#lock.settings}`);
      const { text, values } = this.#lock.take(this.#epoch);
      const { rows } = await session.query<{ locked: boolean }>(text, values);
      return rows[0]?.locked === true;
    });
    if (isLocked) return session;
    session.release(true);
    return undefined;
  }
}
