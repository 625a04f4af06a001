/**
 * Password hashes: argon2id with 19 MiB and two passes (OWASP Password Storage Cheat Sheet, 2024). Invariant: at most two
 * hashes run at a time, because each holds a thread that PostgreSQL's name look-ups and files also need. A bounded fair
 * queue alternates between callers, so one caller cannot block sign-ins of others.
 *
 * Known limitation: the decoy has today's cost. A hash of another cost would take another time, so a change of cost should
 * rehash at sign-in.
 */
import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { createFairQueue } from '../../platform/fair-queue.ts';

/** In KiB and passes. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
}

const owaspCost: PasswordCost = { memoryCost: 19_456, timeCost: 2 };
const runningMax = 2;
/** About 1.5 s of work. */
const waitingMax = 100;
/** For one user, or the server and its staff; an address has one hash at a time (`address-queues.ts`). */
const waitingOfOneMax = 60;
/** The queue key of hashes without a caller: those of the server and its staff. */
const serverCaller = '';

export interface Passwords {
  /** Hashes a password; `caller` is the key of the fair queue: an address or a user. @throws AppError `busy` when too many wait. */
  hash(password: string, caller?: string): Promise<string>;
  /** `null` (no such account) costs the same work as a hash and is never right. @throws AppError `busy` */
  verify(hash: string | null, password: string, caller?: string): Promise<boolean>;
}

/** A hash that no known password has, in the form and at the cost of the others: of a user who has not chosen one yet. */
export function makeUnusableHash(cost = owaspCost): string {
  const part = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$${part(16)}$${part(32)}`;
}

/** `passwordCost`: of tests whose subject is not the hash; by default OWASP's. */
export function createPasswords(passwordCost = owaspCost): Passwords {
  const cost = { ...passwordCost, parallelism: 1 };
  const run = createFairQueue({ runningMax, waitingMax, waitingOfOneMax });
  // The hash of a random password, used for unknown accounts.
  const decoy = hash(randomBytes(32), cost);
  return {
    hash: (password, caller = serverCaller) => run(caller, () => hash(password, cost)),
    verify: (stored, password, caller = serverCaller) =>
      run(caller, async () => {
        const matches = await verify(stored ?? (await decoy), password);
        return matches && stored !== null;
      }),
  };
}
