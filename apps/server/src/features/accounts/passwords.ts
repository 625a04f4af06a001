/**
 * Password hashes: argon2id with 19 MiB and two passes (OWASP Password Storage Cheat Sheet, 2024). Invariant: at most
 * two hashes are computed at a time, because each one holds a thread that PostgreSQL's name look-ups and files also
 * need, and at most `waitingMax` callers wait; the next one is told that the service is busy.
 *
 * Known limitation: the decoy has today's cost. A hash made with another one would answer in another time, so a change
 * of cost should rehash at sign-in.
 */
import { randomBytes } from 'node:crypto';
import { busy } from '@fulcrum/contract';
import { hash, verify } from '@node-rs/argon2';

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const runningMax = 2;
/** About 1.5 s of work: two classes of 30 pressing 'Login' at once still fit. */
const waitingMax = 100;

export interface Passwords {
  /** @throws AppError `busy` when too many wait already. */
  hash(password: string): Promise<string>;
  /** `null` (no such account) costs the same work as a hash and is never right. @throws AppError `busy` */
  verify(hash: string | null, password: string): Promise<boolean>;
}

export function createPasswords(): Passwords {
  const run = createQueue();
  // Nobody knows its password, so it stands in for the hash of an unknown account.
  const decoy = hash(randomBytes(32), cost);
  return {
    hash: (password) => run(() => hash(password, cost)),
    verify: (stored, password) =>
      run(async () => {
        const matches = await verify(stored ?? (await decoy), password);
        return matches && stored !== null;
      }),
  };
}

/** Runs work in the order it came, `runningMax` at a time. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= runningMax) {
      if (waiting.length >= waitingMax) throw busy();
      // The one who ends hands over its place, so `running` does not change in between.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
