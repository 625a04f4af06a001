/**
 * The pace of the sender of one upload. Invariant: only time spent waiting for the sender counts, so a slow database
 * never ends an upload. Once that time exceeds the grace, an average below the minimum ends the upload within a
 * second.
 *
 * Known limitation: it is an average. A sender that starts fast may pause for as long as the average allows.
 */
import type { Clock } from '../../platform/clock/index.ts';
import { FileError } from './errors.ts';

const checkEveryMs = 500;

interface PaceLimit {
  readonly bytesPerSMin: number;
  readonly graceMs: number;
}

export interface Pace {
  /** Whether the sender was cut off; the remaining bytes may never arrive. */
  readonly isTooSlow: boolean;
  /** Waits for the sender. @throws FileError `upload_too_slow`, without waiting for `step` any longer; what `step` throws */
  wait<T>(step: Promise<T>): Promise<T>;
  /** Counts bytes from `wait`. @throws FileError `upload_too_slow` */
  count(bytes: number): void;
}

export function createPace(clock: Clock, { bytesPerSMin, graceMs }: PaceLimit): Pace {
  let waitedMs = 0;
  let received = 0;
  let isTooSlow = false;

  const check = (ms: number) => {
    isTooSlow ||= ms > Math.max(graceMs, (received / bytesPerSMin) * 1000);
    return isTooSlow;
  };

  return {
    get isTooSlow() {
      return isTooSlow;
    },
    async wait(step) {
      const since = clock.now();
      let timer: NodeJS.Timeout | undefined;
      const tooSlow = new Promise<never>((_resolve, reject) => {
        timer = setInterval(() => {
          if (check(waitedMs + clock.now() - since)) reject(new FileError('upload_too_slow'));
        }, checkEveryMs).unref();
      });
      try {
        return await Promise.race([step, tooSlow]);
      } finally {
        clearInterval(timer);
        waitedMs += clock.now() - since;
      }
    },
    count(bytes) {
      received += bytes;
      // Frequent small pieces never wait long, so the check needs no timer.
      if (check(waitedMs)) throw new FileError('upload_too_slow');
    },
  };
}
