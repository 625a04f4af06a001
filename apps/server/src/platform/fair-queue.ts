/**
 * Runs work a fixed number at a time. Those who ask take turns, however much each of them wants, and the work of one runs in
 * the order it came: nobody keeps the others waiting, or out, by asking a lot. Invariant: at most `waitingMax` wait in all, and
 * `waitingOfOneMax` of them for one asker. Where all places to wait are taken, the last one of whoever has the most of them
 * makes room for who has fewer, and is told that the service is busy. At most `runningOfOneMax` of one asker run at once,
 * also while places are free.
 */
import { busy } from '@fulcrum/contract';

export interface QueueLimits {
  readonly runningMax: number;
  /** As many as run at all unless said otherwise. */
  readonly runningOfOneMax?: number;
  readonly waitingMax: number;
  readonly waitingOfOneMax: number;
}

/**
 * Runs `work` when it is the turn of `asker`; what it is given says whether another asker waits who could run if this one ended.
 * @throws AppError `busy` when too many wait, at once or while it waits itself; what `work` throws
 */
export type FairQueue = <T>(asker: string, work: (isWaitedFor: () => boolean) => Promise<T>) => Promise<T>;

interface Waiting {
  readonly start: () => void;
  readonly refuse: (reason: Error) => void;
}

export function createFairQueue({
  runningMax,
  runningOfOneMax = runningMax,
  waitingMax,
  waitingOfOneMax,
}: QueueLimits): FairQueue {
  let running = 0;
  let waiting = 0;
  /** How many of whom run. */
  const runningOf = new Map<string, number>();
  /** Those who wait by who asks; whoever stands first has the next turn. */
  const queues = new Map<string, Waiting[]>();

  const hasShareLeft = (asker: string): boolean => (runningOf.get(asker) ?? 0) < runningOfOneMax;
  const mayBegin = (asker: string): boolean => running < runningMax && hasShareLeft(asker);

  function begin(asker: string): void {
    running += 1;
    runningOf.set(asker, (runningOf.get(asker) ?? 0) + 1);
  }

  function end(asker: string): void {
    running -= 1;
    const left = (runningOf.get(asker) ?? 0) - 1;
    if (left > 0) runningOf.set(asker, left);
    else runningOf.delete(asker);
  }

  /** Where somebody has at least two places more than `places`, the last of them is free then. */
  function makeRoom(places: number): boolean {
    let most: Waiting[] = [];
    for (const queue of queues.values()) if (queue.length > most.length) most = queue;
    if (most.length < places + 2) return false;
    most.pop()?.refuse(busy());
    waiting -= 1;
    return true;
  }

  function enqueue(asker: string, asked: Waiting): void {
    const queue = queues.get(asker) ?? [];
    if (queue.length >= waitingOfOneMax) throw busy();
    if (waiting >= waitingMax && !makeRoom(queue.length)) throw busy();
    queue.push(asked);
    queues.set(asker, queue);
    waiting += 1;
  }

  /** One that ends makes room for one. */
  function startNext(): void {
    for (const [asker, queue] of queues) {
      if (!mayBegin(asker)) continue;
      const next = queue.shift();
      waiting -= 1;
      queues.delete(asker);
      if (queue.length > 0) queues.set(asker, queue);
      begin(asker);
      next?.start();
      return;
    }
  }

  return async (asker, work) => {
    // Whoever starts another one has begun for it, so nobody takes its place in between.
    if (mayBegin(asker)) begin(asker);
    else await new Promise<void>((start, refuse) => enqueue(asker, { start, refuse }));
    try {
      return await work(() => [...queues.keys()].some((other) => other !== asker && hasShareLeft(other)));
    } finally {
      end(asker);
      startNext();
    }
  };
}
