/** A queue in the browser's storage, the same for every tab; in memory alone where the browser keeps nothing. */
import { forget, keep, kept } from '../../../shared/storage/index.ts';
import { parseQueue, type Queue } from './queue.ts';

export interface KeptQueue {
  readonly read: () => Queue;
  readonly write: (queue: Queue) => void;
}

export function keptQueue(key: string): KeptQueue {
  let text: string | null = null;
  let queue: Queue = [];
  let isKept = true;
  return {
    read() {
      const stored = isKept ? kept(key) : text;
      // The same text is the same queue: what shows it has nothing to do.
      if (stored !== text) {
        text = stored;
        queue = parseQueue(stored);
      }
      return queue;
    },
    write(next) {
      queue = next;
      text = next.length === 0 ? null : JSON.stringify(next);
      if (text === null) forget(key);
      else keep(key, text);
      isKept = kept(key) === text;
    },
  };
}
