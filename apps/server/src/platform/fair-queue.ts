/**
 * Runs a fixed number of jobs at a time. The queue alternates between callers, and runs the jobs of one caller in their
 * order, so one caller cannot block the others. Invariants: at most `waitingMax` jobs wait, `waitingOfOneMax` of them of
 * one caller; at most `runningOfOneMax` jobs of one caller run, even while slots are free. A full queue evicts the newest
 * job of the caller with most waiting jobs when another caller has fewer; the evicted job fails with `busy`.
 */
import { busy } from '@fulcrum/contract';
import { UseCounter } from './rate-limit/use-counter.ts';

export interface QueueLimits {
  readonly runningMax: number;
  /** Defaults to `runningMax`. */
  readonly runningOfOneMax?: number;
  readonly waitingMax: number;
  readonly waitingOfOneMax: number;
}

/**
 * Runs `work` when a slot is free and `asker` is next. `work` receives a function: whether another caller waits that could
 * run if this job ended.
 * @throws AppError `busy` when too many jobs wait, at once or after an eviction; what `work` throws
 */
export type FairQueue = <T>(
  owner: string,
  work: (hasOtherWaiters: () => boolean) => Promise<T>,
) => Promise<T>;

interface Waiting {
  /** Receives the end of its slot. */
  readonly start: (end: () => void) => void;
  readonly refuse: (reason: Error) => void;
}

export function createFairQueue({
  runningMax,
  runningOfOneMax = runningMax,
  waitingMax,
  waitingOfOneMax,
}: QueueLimits): FairQueue {
  /** Jobs by caller. */
  const running = new UseCounter();
  let waiting = 0;
  /** Waiting jobs by caller; the first caller of the map is next. */
  const queues = new Map<string, Waiting[]>();

  const hasShareLeft = (owner: string): boolean => running.of(owner) < runningOfOneMax;
  const mayBegin = (owner: string): boolean => running.total < runningMax && hasShareLeft(owner);

  /** Evicts the newest job of a caller with at least two more waiting jobs than `slots`; false without such a caller. */
  function makeRoom(slots: number): boolean {
    let most: Waiting[] = [];
    for (const queue of queues.values()) if (queue.length > most.length) most = queue;
    if (most.length < slots + 2) return false;
    most.pop()?.refuse(busy());
    waiting -= 1;
    return true;
  }

  function enqueue(owner: string, entry: Waiting): void {
    const queue = queues.get(owner) ?? [];
    if (queue.length >= waitingOfOneMax) throw busy();
    if (waiting >= waitingMax && !makeRoom(queue.length)) throw busy();
    queue.push(entry);
    queues.set(owner, queue);
    waiting += 1;
  }

  /** Fills the slot of a job that ended. */
  function startNext(): void {
    for (const [owner, queue] of queues) {
      if (!mayBegin(owner)) continue;
      const next = queue.shift();
      waiting -= 1;
      queues.delete(owner);
      if (queue.length > 0) queues.set(owner, queue);
      next?.start(running.begin(owner));
      return;
    }
  }

  return async (owner, work) => {
    // The finished caller starts the next job synchronously, so no other job takes the slot in between.
    const end = mayBegin(owner)
      ? running.begin(owner)
      : await new Promise<() => void>((start, refuse) => enqueue(owner, { start, refuse }));
    try {
      return await work(() => [...queues.keys()].some((other) => other !== owner && hasShareLeft(other)));
    } finally {
      end();
      startNext();
    }
  };
}
