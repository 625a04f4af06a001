/**
 * Guesses at passwords, counted twice: narrowly per account and address, and widely per account. So one address cannot use up
 * an account's guesses for its owner at another address.
 *
 * Known limitations: an attacker on the owner's address, or with about ten addresses, can still block new sign-ins (existing
 * sessions go on, and recovery by mail has limits of its own). `address-queues.ts` slows wrong passwords for many accounts,
 * but does not refuse them.
 */
import type { Queryable } from '../../platform/database/index.ts';
import { defaultLimits as limits } from '../../platform/limits/index.ts';
import { counterKey } from '../../platform/rate-limit/window-counter.ts';

/** The subject of what is counted per account and address; an email has no blanks. */
export const emailAtAddress = (email: string, address: string): string => `${email} ${address}`;

/** Gives all guesses at an account's password back, wherever they came from: it has a new one, or its owner is there. */
export async function clearSignInAttempts(db: Queryable, email: string): Promise<void> {
  await db.query(
    `delete from app.attempt_limits where key = $1 or starts_with(key, $2)`,
    [
      counterKey(limits.signInOfAccount, email),
      counterKey(limits.signInOfAccountFromAddress, emailAtAddress(email, '')),
    ],
    'clear_sign_in_attempts',
  );
}
