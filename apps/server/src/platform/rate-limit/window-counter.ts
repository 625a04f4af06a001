/**
 * Limits on attempts, counted in the database so that a restart resets none. An attempt is counted before its work and
 * refunded when it was correct, so parallel guesses cannot all pass the check first.
 *
 * Known limitation: windows are fixed, so twice the limit fits around a window's edge.
 */
import type { Queryable } from '../database/index.ts';
import type { WindowLimit } from '../limits/declarations.ts';
import { defaultLimits as limits } from '../limits/index.ts';
import type { Log } from '../log/index.ts';
import { TooManyAttempts } from './too-many-attempts.ts';

const windowMsMax = Math.max(
  ...Object.values(limits).map((limit) => (limit.kind === 'window' ? limit.windowMs : 0)),
);

/** The key of a counter. */
export const counterKey = (limit: WindowLimit, subject: string): string => `${limit.name}:${subject}`;

/** Counts one attempt of `subject`. @throws TooManyAttempts when it is one too many in the current window. */
export async function countAttempt(
  db: Queryable,
  limit: WindowLimit,
  subject: string,
  now: Date,
): Promise<void> {
  const { rows } = await db.query<{ attempts: number; window_started_at: Date }>(
    `insert into app.attempt_limits as l (key, window_started_at, attempts) values ($1, $2, 1)
     on conflict (key) do update set
       attempts = case when l.window_started_at <= $3 then 1 else least(l.attempts, $4) + 1 end,
       window_started_at = case when l.window_started_at <= $3 then $2 else l.window_started_at end
     returning attempts, window_started_at`,
    [counterKey(limit, subject), now, new Date(now.getTime() - limit.windowMs), limit.attemptsMax],
    'count_attempt',
  );
  const [counted] = rows;
  if (!counted) throw new Error('counting an attempt returned no row');
  if (counted.attempts <= limit.attemptsMax) return;
  const endsInMs = counted.window_started_at.getTime() + limit.windowMs - now.getTime();
  throw new TooManyAttempts(endsInMs / 1000);
}

/** How many attempts of `subject` are left in its present window. */
export async function countAttemptsLeft(
  db: Queryable,
  limit: WindowLimit,
  subject: string,
  now: Date,
): Promise<number> {
  const { rows } = await db.query<{ attempts: number }>(
    'select attempts from app.attempt_limits where key = $1 and window_started_at > $2',
    [counterKey(limit, subject), new Date(now.getTime() - limit.windowMs)],
  );
  return Math.max(limit.attemptsMax - (rows[0]?.attempts ?? 0), 0);
}

/**
 * Refunds one attempt that was correct, so that it does not count against others behind the same address. Never throws: the
 * result of the attempt is final. `db` is no transaction.
 */
export async function refundAttempt(
  db: Queryable,
  log: Log,
  limit: WindowLimit,
  subject: string,
): Promise<void> {
  try {
    await db.query(
      `update app.attempt_limits set attempts = attempts - 1 where key = $1 and attempts > 0`,
      [counterKey(limit, subject)],
      'forgive_attempt',
    );
  } catch (error) {
    log.warn({ err: error, limit: limit.name }, 'an attempt could not be given back');
  }
}

/** Gives all attempts of the account back: its owner has just proved to be there. */
export async function clearAttempts(db: Queryable, limit: WindowLimit, subject: string): Promise<void> {
  await db.query(
    `delete from app.attempt_limits where key = $1`,
    [counterKey(limit, subject)],
    'clear_attempts',
  );
}

/** Deletes counters whose window is over, whatever their limit. */
export async function pruneAttempts(db: Queryable, now: Date): Promise<void> {
  await db.query(`delete from app.attempt_limits where window_started_at <= $1`, [
    new Date(now.getTime() - windowMsMax),
  ]);
}
