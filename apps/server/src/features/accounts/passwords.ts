/**
 * Password hashes: argon2id with 19 MiB and two passes (OWASP Password Storage Cheat Sheet, 2024). Invariant: at most
 * two hashes are computed at a time, because each one holds a thread that PostgreSQL's name look-ups and files also
 * need, and who asks takes turns with the others in a bounded queue: nobody keeps them from signing in by asking a lot.
 *
 * Known limitation: the decoy has today's cost. A hash made with another one would answer in another time, so a change
 * of cost should rehash at sign-in.
 */
import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { createFairQueue } from '../../platform/fair-queue.ts';

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const runningMax = 2;
/** About 1.5 s of work. */
const waitingMax = 100;
/** Of one who asks: two classes of 30 pressing 'Login' at once behind one address still fit, and leave room for others. */
const waitingOfOneMax = 60;
/** Who asks when nobody is named: the server itself and its staff. */
const ourselves = '';

export interface Passwords {
  /** `asker` is who takes turns with the others: an address, or a person. @throws AppError `busy` when too many wait already. */
  hash(password: string, asker?: string): Promise<string>;
  /** `null` (no such account) costs the same work as a hash and is never right. @throws AppError `busy` */
  verify(hash: string | null, password: string, asker?: string): Promise<boolean>;
}

export function createPasswords(): Passwords {
  const run = createFairQueue({ runningMax, waitingMax, waitingOfOneMax });
  // Nobody knows its password, so it stands in for the hash of an unknown account.
  const decoy = hash(randomBytes(32), cost);
  return {
    hash: (password, asker = ourselves) => run(asker, () => hash(password, cost)),
    verify: (stored, password, asker = ourselves) =>
      run(asker, async () => {
        const matches = await verify(stored ?? (await decoy), password);
        return matches && stored !== null;
      }),
  };
}
