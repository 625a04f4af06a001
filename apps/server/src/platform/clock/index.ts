/** Time and timers as dependencies, so that tests control them. All times are milliseconds since the Unix epoch, UTC. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export interface ManualClock extends Clock {
  advance(ms: number): void;
  set(ms: number): void;
}

/** Creates a clock that changes only when its owner moves it. It runs no timers. */
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
