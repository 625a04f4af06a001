/** Timers that run only when a test advances the time. */
import type { Timers } from '../../src/platform/clock/index.ts';

export interface ManualTimers extends Timers {
  /** Advances the time, stops at each timer that falls due, and waits until the work of that timer settles. */
  advance(ms: number): Promise<void>;
}

/** `settle` resolves when the work that the last timer began (requests, messages) ends; by default it flushes promises. */
export function createManualTimers(
  start: number,
  settle: () => Promise<void> = () => new Promise((resolve) => setImmediate(resolve)),
): ManualTimers {
  interface Waiting {
    at: number;
    readonly everyMs: number | null;
    readonly run: () => void;
  }
  let current = start;
  const waiting = new Set<Waiting>();
  const wait = (ms: number, everyMs: number | null, run: () => void) => {
    const one: Waiting = { at: current + ms, everyMs, run };
    waiting.add(one);
    return () => void waiting.delete(one);
  };
  return {
    now: () => current,
    after: (ms, run) => wait(ms, null, run),
    every: (ms, run) => wait(ms, Math.max(1, ms), run),
    async advance(ms) {
      const end = current + ms;
      for (;;) {
        const [next] = [...waiting].sort((left, right) => left.at - right.at);
        if (!next || next.at > end) break;
        current = Math.max(current, next.at);
        if (next.everyMs === null) waiting.delete(next);
        else next.at += next.everyMs;
        next.run();
        await settle();
      }
      current = end;
      await settle();
    },
  };
}
