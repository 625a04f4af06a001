/**
 * One at a time for each key. Sign-ins of one account take turns, so that people who share it and know its password are
 * not counted as so many guesses while their hashes are being computed. Invariant: at most `waitingMax` wait in all; the
 * next one is told that the service is busy.
 */
import { busy } from '@fulcrum/contract';

const waitingMax = 200;

export function createTurns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  /** By key, those who wait for the one at work; a key without an entry is free. */
  const queues = new Map<string, (() => void)[]>();
  let waiting = 0;
  return async (key, work) => {
    const queue = queues.get(key);
    if (queue) {
      if (waiting >= waitingMax) throw busy();
      waiting += 1;
      await new Promise<void>((resolve) => queue.push(resolve));
      waiting -= 1;
    } else {
      queues.set(key, []);
    }
    try {
      return await work();
    } finally {
      const next = queues.get(key)?.shift();
      if (next) next();
      else queues.delete(key);
    }
  };
}
