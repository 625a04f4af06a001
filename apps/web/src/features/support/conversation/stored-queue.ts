/** A queue in the browser's storage, shared by all tabs; in memory alone where storage is blocked. */
import { getStored, removeStored, setStored } from '../../../shared/storage/index.ts';
import { parseQueue, type Queue } from './queue.ts';

export interface StoredQueue {
  readonly read: () => Queue;
  readonly write: (queue: Queue) => void;
}

export function createStoredQueue(key: string): StoredQueue {
  let text: string | null = null;
  let queue: Queue = [];
  let isStored = true;
  return {
    read() {
      const stored = isStored ? getStored(key) : text;
      // An unchanged text is an unchanged queue: listeners are not notified.
      if (stored !== text) {
        text = stored;
        queue = parseQueue(stored);
      }
      return queue;
    },
    write(next) {
      queue = next;
      text = next.length === 0 ? null : JSON.stringify(next);
      if (text === null) removeStored(key);
      else setStored(key, text);
      isStored = getStored(key) === text;
    },
  };
}
