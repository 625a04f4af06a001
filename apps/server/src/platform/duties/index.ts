/**
 * Duties: work that one process of several does at a time. A duty is a row of `app.duties` with a holder and a term that rises with
 * each holder. Invariants: at most one process holds a term; a write that proves its term (`withTerm`) changes nothing once a later
 * term has begun; a process that gets no beat through stops believing in its duty before another one may take it for silence.
 *
 * The holder has a session of its own with the advisory lock of the duty and term. Others look four times a second and take the duty
 * when it was given back, when the lock is free at two looks in a row (the process died), or without a beat for 3 s (it hangs, or is
 * cut off). Lock and beat only decide when a duty changes hands; the row decides what is written.
 */
import { busy } from '@fulcrum/contract';
import type pg from 'pg';
import type { Timers } from '../clock/index.ts';
import type { Database, Queryable } from '../database/index.ts';
import type { Log } from '../log/index.ts';

/** First half of the advisory lock of each duty; the second one is the term. */
const lockSpaces = { market: 0x44555401, ledger: 0x44555402, chores: 0x44555403 } as const;
type DutyName = keyof typeof lockSpaces;

const checkEveryMs = 250;
const beatEveryMs = 500;
/** By PostgreSQL's clock. */
const silentAfter = `interval '3 seconds'`;
/** By the monotonic clock, from the start of the last beat that was acknowledged. */
const believedForMs = 2_500;
const beliefCheckedEveryMs = 100;
/** More time for both while the work begins, which may keep the process busy; one that dies meanwhile frees the lock. */
const beginsWithinS = 10;
/** After PostgreSQL was away nobody has a lock at first. */
const locksReturnWithinMs = 2_000;
/** After work that could not begin; another process may have more luck. */
const restMs = 1_000;

/** Second half of the advisory lock. */
const lockOfTerm = (term: string): string => `(${term} % 2147483647)::int`;

export interface DutyTerm {
  readonly name: DutyName;
  readonly term: number;
}

export interface DutyWork {
  /** Called when this process has got the duty. When it rejects, the duty is given back. */
  begin(held: DutyTerm): Promise<void>;
  /**
   * Called once after each `begin` that was called, whatever became of it, when the duty is over or is to be given back; the duty is
   * given back when it resolves. What must not outlive the duty ends before its first `await`.
   */
  end(): Promise<void>;
  /** False while this process could not do the work: it takes nothing then, and gives back what it has. Left out: always true. */
  isWilling?(): boolean;
  /** How far the work is, for whoever cannot hear of it; it only rises within a term. */
  mark?(): number | null;
}

interface DutyOptions {
  readonly db: Database;
  readonly timers: Timers;
  readonly log: Log;
  readonly name: DutyName;
  /** Id of this process, a new one each start. */
  readonly processId: string;
  readonly work: DutyWork;
}

export interface Duty {
  /** Begins to compete for it. */
  start(): void;
  /** The term that this process holds; null while it holds none. */
  term(): number | null;
  /** Ends the work, gives the duty back and competes no more. */
  stop(): Promise<void>;
}

interface Held {
  readonly term: number;
  /** Null while the connection is lost. */
  session: pg.PoolClient | null;
  believedUntil: number;
  beatAt: number;
  /** Settles when the work has begun, or could not. */
  readonly begun: Promise<boolean>;
  hasBegun: boolean;
}

export function createDuty({ db, timers, log, name, processId, work }: DutyOptions): Duty {
  const space = lockSpaces[name];
  let held: Held | null = null;
  /** Ends the judgement of whether the held duty may still be believed in. */
  let cancelBelief = (): void => {};
  /** The end of the work and what follows it. */
  let ending: Promise<void> | null = null;
  let isBusy = false;
  let isStopped = false;
  let restUntil = 0;
  /** The term whose lock was free at the last look. */
  let freeTerm: string | null = null;
  /** When PostgreSQL answered again; null while it does not. */
  let answersSince: number | null = -Infinity;
  const cancels: (() => void)[] = [];

  async function openSession(): Promise<pg.PoolClient> {
    const session = await db.pool.connect();
    // Without a listener a lost connection would end the process.
    session.on('error', (error) => {
      if (held?.session !== session) return;
      log.warn({ err: error, duty: name }, 'the holder of a duty lost its database connection');
      held.session = null;
      session.release(error);
    });
    return session;
  }

  /** Whether the duty is free to take, and of which term it would be the end. */
  async function check(): Promise<string | null> {
    const { rows } = await db.query<{ term: string; isFree: boolean; isUnlocked: boolean }>(
      `select term, holder is null or heard_at < clock_timestamp() - ${silentAfter} as "isFree",
         pg_try_advisory_xact_lock($2, ${lockOfTerm('term')}) as "isUnlocked"
       from app.duties where name = $1`,
      [name, space],
      'check_duty',
    );
    const [row] = rows;
    const now = performance.now();
    answersSince ??= now;
    const isUnlockedAgain = row?.isUnlocked === true && row.term === freeTerm;
    freeTerm = row?.isUnlocked ? row.term : null;
    if (!row) return null;
    const isLockGone = isUnlockedAgain && now - answersSince >= locksReturnWithinMs;
    return row.isFree || isLockGone ? row.term : null;
  }

  /** The new term, with its lock on `session`; null when another process was first. */
  async function take(session: pg.PoolClient, before: string): Promise<number | null> {
    await session.query('begin');
    const { rowCount } = await session.query(
      `select from app.duties where name = $1 and term = $2 and (holder is null
         or heard_at < clock_timestamp() - ${silentAfter} or pg_try_advisory_xact_lock($3, ${lockOfTerm('term')}))
       for update`,
      [name, before, space],
    );
    const { rows } = await session.query<{ locked: boolean }>(
      `select pg_try_advisory_lock($1, ${lockOfTerm('($2::bigint + 1)')}) as locked`,
      [space, before],
    );
    if (rowCount !== 1 || rows[0]?.locked !== true) return null;
    const { rows: taken } = await session.query<{ term: string }>(
      `update app.duties set holder = $2, term = term + 1, mark = null,
         heard_at = clock_timestamp() + make_interval(secs => $3)
       where name = $1 returning term`,
      [name, processId, beginsWithinS],
    );
    await session.query('commit');
    return Number(taken[0]?.term);
  }

  async function tryToTake(before: string): Promise<void> {
    const sentAt = performance.now();
    const session = await openSession();
    try {
      const term = await take(session, before);
      if (term === null || isStopped) {
        // Its end gives lock and transaction back.
        session.release(true);
        return;
      }
      log.info({ duty: name, term }, 'a duty was taken');
      const begun = work.begin({ name, term }).then(
        () => true,
        (error: unknown) => {
          log.error({ err: error, duty: name, term }, 'the work of a duty could not begin');
          return false;
        },
      );
      const believedUntil = sentAt + 1_000 * beginsWithinS + believedForMs;
      held = { term, session, believedUntil, beatAt: sentAt, begun, hasBegun: false };
      // Apart from the beat, which may hang.
      cancelBelief = timers.every(beliefCheckedEveryMs, () => {
        if (held && performance.now() > held.believedUntil) void release('no beat got through');
      });
      void begun.then((isBegun) => {
        if (!isBegun) restUntil = performance.now() + restMs;
        if (held?.begun !== begun) return;
        if (!isBegun) {
          void release('it could not begin');
          return;
        }
        // The next beat ends the extra time, here and in the row.
        held.hasBegun = true;
      });
    } catch (error) {
      session.release(true);
      throw error;
    }
  }

  async function beat(current: Held): Promise<void> {
    const sentAt = performance.now();
    current.beatAt = sentAt;
    if (!current.session) {
      const session = await openSession();
      const { rows } = await session
        .query<{ locked: boolean }>(
          `select pg_try_advisory_lock($1, ${lockOfTerm('$2::bigint')}) as locked`,
          [space, current.term],
        )
        .catch(() => ({ rows: [] }));
      if (rows[0]?.locked !== true || held !== current) {
        session.release(true);
        return;
      }
      current.session = session;
    }
    const { session, hasBegun } = current;
    const { rowCount } = await session.query(
      `update app.duties set mark = $3,
         heard_at = case when $5 then clock_timestamp() else greatest(heard_at, clock_timestamp()) end
       where name = $1 and term = $2 and holder = $4`,
      [name, current.term, work.mark?.() ?? null, processId, hasBegun],
    );
    if (held !== current) return;
    const believedUntil = sentAt + believedForMs;
    if (rowCount === 1)
      current.believedUntil = hasBegun ? believedUntil : Math.max(current.believedUntil, believedUntil);
    else await release('another process has taken it');
  }

  /** Ends the work and gives the duty back, if it is still this process's. */
  function release(reason: string): Promise<void> {
    const current = held;
    if (!current) return ending ?? Promise.resolve();
    held = null;
    cancelBelief();
    log.info({ duty: name, term: current.term, reason }, 'a duty is over here');
    // Called at once: what must not outlive the duty ends here.
    const ended = work.end();
    ending = finish(current, ended).finally(() => {
      ending = null;
    });
    return ending;
  }

  async function finish({ term, session, begun }: Held, ended: Promise<void>): Promise<void> {
    await begun;
    await ended.catch((error: unknown) => {
      log.error({ err: error, duty: name, term }, 'the work of a duty did not end cleanly');
    });
    if (!session) return;
    // Its end frees the lock; a beat that hangs on it ends too.
    const giving = session.query(
      'update app.duties set holder = null, heard_at = null, mark = null where name = $1 and term = $2 and holder = $3',
      [name, term, processId],
    );
    let cancel = (): void => {};
    const patience = new Promise<void>((resolve) => {
      cancel = timers.after(believedForMs, resolve);
    });
    await Promise.race([giving.then(() => undefined).catch(() => undefined), patience]);
    cancel();
    giving.catch(() => undefined);
    session.release(true);
  }

  async function step(): Promise<void> {
    const isWilling = work.isWilling?.() ?? true;
    if (held) {
      if (!isWilling) await release('this process cannot do it now');
      else if (performance.now() - held.beatAt >= beatEveryMs) await beat(held);
      return;
    }
    if (ending || !isWilling || performance.now() < restUntil) return;
    const before = await check();
    if (before !== null && !isStopped) await tryToTake(before);
  }

  async function checkOrBeat(): Promise<void> {
    if (isBusy || isStopped) return;
    isBusy = true;
    try {
      await step();
    } catch (error) {
      if (!held) answersSince = null;
      log.debug({ err: error, duty: name }, 'a duty could not be checked or prolonged');
    } finally {
      isBusy = false;
    }
  }

  return {
    start() {
      void checkOrBeat();
      cancels.push(timers.every(checkEveryMs, () => void checkOrBeat()));
    },
    term: () => held?.term ?? null,
    async stop() {
      isStopped = true;
      for (const cancel of cancels.splice(0)) cancel();
      await release('this process stops');
    },
  };
}

/** Proves within `tx` that the term has not ended, and keeps it from ending before the commit. @throws AppError `busy` */
async function proveTerm(tx: Queryable, { name, term }: DutyTerm): Promise<void> {
  const { rowCount } = await tx.query(
    'select from app.duties where name = $1 and term = $2 and holder is not null for key share',
    [name, term],
    'prove_term',
  );
  if (rowCount !== 1) throw busy();
}

/** Statements that change nothing, by their first word: those of a holder that only read prove nothing. */
const isRead = (text: string): boolean => /^\s*select\b/i.test(text);

/**
 * The database of a term's holder: transactions, and single statements that do not begin with `select`, prove the term first.
 * @throws AppError `busy` once the term is over; nothing was changed then
 */
export function withTerm(db: Database, held: DutyTerm): Database {
  const transaction: Database['transaction'] = (run) =>
    db.transaction(async (tx) => {
      await proveTerm(tx, held);
      return run(tx);
    });
  return {
    ...db,
    transaction,
    query: (text, values, statement) =>
      isRead(text)
        ? db.query(text, values, statement)
        : transaction((tx) => tx.query(text, values, statement)),
  };
}

/** How far the holder of a duty is, by its row: for a process that does not hear of it. */
export async function readMark(
  db: Queryable,
  name: DutyName,
): Promise<{ readonly term: number; readonly mark: number | null }> {
  const { rows } = await db.query<{ term: string; mark: string | null }>(
    'select term, mark from app.duties where name = $1',
    [name],
    'read_duty_mark',
  );
  const [row] = rows;
  return { term: Number(row?.term ?? 0), mark: row?.mark == null ? null : Number(row.mark) };
}
