/** Time and timers as dependencies, so that tests control them. All times are milliseconds since the Unix epoch, UTC. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export interface ManualClock extends Clock {
  advance(ms: number): void;
  set(ms: number): void;
}

/** Creates a clock that changes only when a test moves it. It runs no timers. */
export function createManualClock(start: number): ManualClock {
  let current = start;
  return {
    now: () => current,
    advance: (ms) => {
      current += ms;
    },
    set: (ms) => {
      current = ms;
    },
  };
}

/** A clock with timers. A cancelled timer never runs. */
export interface Timers extends Clock {
  /** Runs once, after at least `ms`. Returns the function that cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Runs repeatedly, `ms` apart. Returns the function that cancels it. */
  every(ms: number, run: () => void): () => void;
}

/** Combines a clock with Node's timers, which keep the process alive. */
export const realTimers = (clock: Clock): Timers => ({
  now: () => clock.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  every(ms, run) {
    const timer = setInterval(run, ms);
    return () => clearInterval(timer);
  },
});

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
