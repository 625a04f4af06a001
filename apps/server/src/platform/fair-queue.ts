/**
 * Runs work a fixed number at a time. Those who ask take turns, however much each of them wants, and the work of one runs in
 * the order it came: nobody keeps the others waiting by asking a lot. Invariant: at most `waitingMax` wait in all, and
 * `waitingOfOneMax` of them for one asker; the next one is told that the service is busy.
 */
import { busy } from '@fulcrum/contract';

export interface QueueLimits {
  readonly runningMax: number;
  readonly waitingMax: number;
  readonly waitingOfOneMax: number;
}

/** Runs `work` when it is the turn of `asker`. @throws AppError `busy` at once when too many wait; what `work` throws */
export type FairQueue = <T>(asker: string, work: () => Promise<T>) => Promise<T>;

export function createFairQueue({ runningMax, waitingMax, waitingOfOneMax }: QueueLimits): FairQueue {
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
