/**
 * Limits on attempts, kept in the database so that a restart grants nobody a new set. An attempt is counted before its
 * work is done and given back when it was right: parallel guesses cannot all pass the check first.
 *
 * What is guessed of one account is counted twice: narrowly from one address, and widely from everywhere. So one address
 * cannot use up an account's guesses for its owner, who is somewhere else.
 *
 * Known limitations: windows are fixed, so twice the limit fits around a window's edge; whoever shares the owner's
 * address, or commands about ten addresses, can still keep them from signing in anew (sessions that exist go on, and
 * recovery by mail has limits of its own).
 */
import type { Queryable } from '../../platform/database/index.ts';
import { TooManyAttempts } from './errors.ts';

export interface AttemptLimit {
  readonly name: string;
  readonly attemptsMax: number;
  readonly windowMs: number;
}

const minute = 60_000;
/** Generous enough for a class of 30 behind one address. */
export const limits = {
  signInOfAccount: { name: 'sign-in:account', attemptsMax: 100, windowMs: 15 * minute },
  /** Of `accountFrom`. */
  signInOfAccountFromAddress: { name: 'sign-in:account-from', attemptsMax: 10, windowMs: 15 * minute },
  signInFromAddress: { name: 'sign-in:address', attemptsMax: 100, windowMs: 15 * minute },
  signUpFromAddress: { name: 'sign-up:address', attemptsMax: 200, windowMs: 60 * minute },
  recoveryOfAccount: { name: 'recovery:account', attemptsMax: 20, windowMs: 60 * minute },
  /** Of `accountFrom`. */
  recoveryOfAccountFromAddress: { name: 'recovery:account-from', attemptsMax: 5, windowMs: 60 * minute },
  recoveryFromAddress: { name: 'recovery:address', attemptsMax: 100, windowMs: 60 * minute },
  /** Each one writes to the address that is left behind; not given back when it was right. */
  emailChange: { name: 'email-change:account', attemptsMax: 5, windowMs: 60 * minute },
  /** Right ones, each of which sends a notice. */
  passwordSet: { name: 'password-set:account', attemptsMax: 10, windowMs: 60 * minute },
  passwordChange: { name: 'password-change:account', attemptsMax: 10, windowMs: 15 * minute },
  /** Messages of visitors; those of somebody signed in count for the account too. */
  contactFromAddress: { name: 'contact:address', attemptsMax: 5, windowMs: 60 * minute },
  contactFromAddressOfDay: { name: 'contact:address-day', attemptsMax: 50, windowMs: 24 * 60 * minute },
  contactOfAccount: { name: 'contact:account', attemptsMax: 5, windowMs: 60 * minute },
} as const satisfies Record<string, AttemptLimit>;
const windowMsMax = Math.max(...Object.values(limits).map((limit) => limit.windowMs));

const keyOf = (limit: AttemptLimit, subject: string): string => `${limit.name}:${subject}`;

/** The subject of what is counted per account and address; an email has no blanks. */
export const accountFrom = (email: string, address: string): string => `${email} ${address}`;

/** Counts one attempt of `subject`. @throws TooManyAttempts when it is one too many in the current window. */
export async function countAttempt(
  db: Queryable,
  limit: AttemptLimit,
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

/** Gives one attempt back: it was right, so it does not count against others behind the same address. */
export async function forgiveAttempt(db: Queryable, limit: AttemptLimit, subject: string): Promise<void> {
  await db.query(
    `update app.attempt_limits set attempts = attempts - 1 where key = $1 and attempts > 0`,
    [keyOf(limit, subject)],
    'forgive_attempt',
  );
}

/** Gives all attempts of the account back: its owner has just proved to be there. */
export async function clearAttempts(db: Queryable, limit: AttemptLimit, subject: string): Promise<void> {
  await db.query(`delete from app.attempt_limits where key = $1`, [keyOf(limit, subject)], 'clear_attempts');
}

/** Gives all guesses at an account's password back, wherever they came from: it has a new one, or its owner is there. */
export async function clearSignInAttempts(db: Queryable, email: string): Promise<void> {
  await db.query(
    `delete from app.attempt_limits where key = $1 or starts_with(key, $2)`,
    [keyOf(limits.signInOfAccount, email), keyOf(limits.signInOfAccountFromAddress, accountFrom(email, ''))],
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
 * The part of an address that one person cannot change at will: IPv4 whole (also when mapped into IPv6), of IPv6 the
 * /64 network that a provider hands to one customer.
 */
export function addressOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1]) return mapped[1];
  if (!ip.includes(':')) return ip;
  const [head = '', tail] = ip.split('%', 1)[0]?.split('::', 2) ?? [];
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const tailGroups = tail === '' ? [] : tail.split(':');
    while (groups.length + tailGroups.length < 8) groups.push('0');
    groups.push(...tailGroups);
  }
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
