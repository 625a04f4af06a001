/**
 * Limits on attempts, stored in the database so that a restart resets none. An attempt is counted before its work and
 * refunded when it was correct, so parallel guesses cannot all pass the check first.
 *
 * Guesses of one account are counted twice: narrowly per address, and widely in all. So one address cannot use up an
 * account's guesses for its owner at another address.
 *
 * Known limitations: windows are fixed, so twice the limit fits around a window's edge. An attacker on the owner's address,
 * or with about ten addresses, can still block new sign-ins (existing sessions go on, and recovery by mail has limits of
 * its own). `address-queues.ts` slows wrong passwords for many accounts, but does not refuse them.
 */
import type { Queryable } from '../../platform/database/index.ts';
import { bareAddress, groupsOf } from '../../platform/ip-addresses.ts';
import { defaultLimits as limits, type WindowLimit } from '../../platform/limits/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { TooManyAttempts } from './errors.ts';

const windowMsMax = Math.max(
  ...Object.values(limits).map((limit) => (limit.kind === 'window' ? limit.windowMs : 0)),
);

const keyOf = (limit: WindowLimit, subject: string): string => `${limit.name}:${subject}`;

/** The subject of what is counted per account and address; an email has no blanks. */
export const emailAtAddress = (email: string, address: string): string => `${email} ${address}`;

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
    [keyOf(limit, subject), now, new Date(now.getTime() - limit.windowMs), limit.attemptsMax],
    'count_attempt',
  );
  const [counted] = rows;
  if (!counted) throw new Error('counting an attempt returned no row');
  if (counted.attempts <= limit.attemptsMax) return;
  const endsInMs = counted.window_started_at.getTime() + limit.windowMs - now.getTime();
  throw new TooManyAttempts(Math.max(1, Math.ceil(endsInMs / 1000)));
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
      [keyOf(limit, subject)],
      'forgive_attempt',
    );
  } catch (error) {
    log.warn({ err: error, limit: limit.name }, 'an attempt could not be given back');
  }
}

/** Gives all attempts of the account back: its owner has just proved to be there. */
export async function clearAttempts(db: Queryable, limit: WindowLimit, subject: string): Promise<void> {
  await db.query(`delete from app.attempt_limits where key = $1`, [keyOf(limit, subject)], 'clear_attempts');
}

/** Gives all guesses at an account's password back, wherever they came from: it has a new one, or its owner is there. */
export async function clearSignInAttempts(db: Queryable, email: string): Promise<void> {
  await db.query(
    `delete from app.attempt_limits where key = $1 or starts_with(key, $2)`,
    [
      keyOf(limits.signInOfAccount, email),
      keyOf(limits.signInOfAccountFromAddress, emailAtAddress(email, '')),
    ],
    'clear_sign_in_attempts',
  );
}

/** Deletes counters whose window is over, whatever their limit. */
export async function pruneAttempts(db: Queryable, now: Date): Promise<void> {
  await db.query(`delete from app.attempt_limits where window_started_at <= $1`, [
    new Date(now.getTime() - windowMsMax),
  ]);
}

/**
 * The part of an address that one user cannot change at will: a whole IPv4 address (also mapped into IPv6), or the /64
 * network of an IPv6 one, in any notation. Other text is counted unchanged.
 */
export function rateLimitAddress(ip: string): string {
  const address = bareAddress(ip);
  if (address === null) return ip;
  if (!address.includes(':')) return address;
  return `${groupsOf(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}
