/** Time and timers as dependencies, so that a test can hold and move them. All times are milliseconds since the Unix epoch, UTC. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export interface ManualClock extends Clock {
  advance(ms: number): void;
  set(ms: number): void;
}

/** A clock that stands still until it is moved. It moves no timers. */
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

/** A clock that also wakes. What was cancelled never runs. */
export interface Timers extends Clock {
  /** Runs once, after at least `ms`. Returns what cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Runs again and again, `ms` apart. Returns what cancels it. */
  every(ms: number, run: () => void): () => void;
}

/** Node's own timers beside a clock; they keep the process alive like any other. */
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
  /**
   * Moves time on, stopping at each timer that falls due on the way and waiting after it until what it began has settled.
   */
  advance(ms: number): Promise<void>;
}

/** `settle` resolves when what the last timer began (requests, messages) is over; the default lets promises run on. */
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
