/**
 * Password hashes: argon2id with 19 MiB and two passes (OWASP Password Storage Cheat Sheet, 2024). Invariant: at most
 * two hashes are computed at a time, because each one holds a thread that PostgreSQL's name look-ups and files also
 * need, and at most `waitingMax` callers wait; the next one is told that the service is busy. Those who ask take turns,
 * however many hashes each of them wants: nobody keeps the others from signing in by asking a lot.
 *
 * Known limitation: the decoy has today's cost. A hash made with another one would answer in another time, so a change
 * of cost should rehash at sign-in.
 */
import { randomBytes } from 'node:crypto';
import { busy } from '@fulcrum/contract';
import { hash, verify } from '@node-rs/argon2';

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
  const run = createQueue();
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

/** Runs work `runningMax` at a time: those who ask in turn, the work of each in the order it came. */
function createQueue(): <T>(asker: string, work: () => Promise<T>) => Promise<T> {
  let running = 0;
  let waiting = 0;
  /** Those who wait by who asks; whoever stands first has the next turn. */
  const queues = new Map<string, (() => void)[]>();

  function enqueue(asker: string, start: () => void): void {
    const queue = queues.get(asker) ?? [];
    if (waiting >= waitingMax || queue.length >= waitingOfOneMax) throw busy();
    queue.push(start);
    queues.set(asker, queue);
    waiting += 1;
  }

  function dequeue(): (() => void) | undefined {
    const [first] = queues;
    if (!first) return undefined;
    const [asker, queue] = first;
    const start = queue.shift();
    waiting -= 1;
    queues.delete(asker);
    if (queue.length > 0) queues.set(asker, queue);
    return start;
  }

  return async (asker, work) => {
    if (running >= runningMax) {
      // The one who ends hands over its place, so `running` does not change in between.
      await new Promise<void>((start) => enqueue(asker, start));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const start = dequeue();
      if (start) start();
      else running -= 1;
    }
  };
}
