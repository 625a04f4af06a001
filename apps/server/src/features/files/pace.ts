/**
 * How fast the sender of one upload is. Invariant: only time spent waiting for the sender counts, so that a slow database
 * is nobody's fault; once that is longer than the grace, an average below the minimum ends the upload within a second.
 *
 * Known limitation: it is an average. Who sends a lot first may pause for as long as that pays for.
 */
import type { Clock } from '../../platform/clock/index.ts';
import { FileError } from './errors.ts';

const lookEveryMs = 500;

export interface PaceLimit {
  readonly bytesPerSMin: number;
  readonly graceMs: number;
}

export interface Pace {
  /** Whether the sender was cut off: what it still owes may then never come. */
  readonly isTooSlow: boolean;
  /** Waits for the sender. @throws FileError `upload_too_slow`, without waiting for `step` any longer; what `step` throws */
  wait<T>(step: Promise<T>): Promise<T>;
  /** Counts bytes that `wait` brought. @throws FileError `upload_too_slow` */
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
      let looking: NodeJS.Timeout | undefined;
      const cut = new Promise<never>((_resolve, reject) => {
        looking = setInterval(() => {
          if (check(waitedMs + clock.now() - since)) reject(new FileError('upload_too_slow'));
        }, lookEveryMs).unref();
      });
      try {
        return await Promise.race([step, cut]);
      } finally {
        clearInterval(looking);
        waitedMs += clock.now() - since;
      }
    },
    count(bytes) {
      received += bytes;
      // Drops that come often enough are never waited for long.
      if (check(waitedMs)) throw new FileError('upload_too_slow');
    },
  };
}
