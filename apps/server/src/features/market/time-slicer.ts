/**
 * Runs long computations beside all other work of the process. Each takes slices of a few milliseconds, one slice per
 * round of the event loop; the next slice goes to the computation with the fewest, so a short one passes the long ones.
 * Invariant: however many computations there are, other work (an order, a price frame) waits for one slice at most; beyond
 * `computationsMax` a further one is refused.
 * Known limitations: a slice ends only where the work yields, so one step should stay well below `sliceMs`; a steady
 * stream of short ones delays the long ones.
 */
import { busy } from '@fulcrum/contract';

const sliceMs = 5;
const computationsMax = 256;

export interface Slice {
  /** Await it before each costly step: resolves at once while the slice lasts, else when the next one begins. */
  yield(): Promise<void> | undefined;
}

export interface TimeSlicer {
  /** Runs `work`, whose first slice begins at its first yield. @throws AppError busy */
  run<Result>(work: (slice: Slice) => Promise<Result>): Promise<Result>;
}

interface WaitingComputation {
  readonly slicesUsed: number;
  readonly resume: () => void;
}

export function createTimeSlicer(): TimeSlicer {
  const waiting = new Set<WaitingComputation>();
  let computations = 0;
  let isScheduled = false;

  /** The work that is woken runs before the next round of the event loop begins. */
  function startNextSlice(): void {
    let next: WaitingComputation | null = null;
    for (const one of waiting) if (next === null || one.slicesUsed < next.slicesUsed) next = one;
    if (next) {
      waiting.delete(next);
      next.resume();
    }
    isScheduled = waiting.size > 0;
    if (isScheduled) setImmediate(startNextSlice);
  }

  function nextSlice(slicesUsed: number): Promise<void> {
    if (!isScheduled) setImmediate(startNextSlice);
    isScheduled = true;
    return new Promise((resume) => {
      waiting.add({ slicesUsed, resume });
    });
  }

  return {
    async run(work) {
      if (computations >= computationsMax) throw busy();
      computations += 1;
      let slicesUsed = 0;
      let endsAt = -Infinity;

      async function wait(): Promise<void> {
        await nextSlice(slicesUsed);
        slicesUsed += 1;
        endsAt = performance.now() + sliceMs;
      }
      try {
        return await work({ yield: () => (performance.now() < endsAt ? undefined : wait()) });
      } finally {
        computations -= 1;
      }
    },
  };
}
