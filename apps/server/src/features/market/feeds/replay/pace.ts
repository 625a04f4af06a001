/** Measured speed of a replay over the last seconds. Invariant: a speed near the requested one counts as the requested one. */
const windowMs = 5_000;
const shortestMs = 1_000;
/** Nearer than this share, the difference is that of timers. */
const near = 0.05;

export type Pace = ReturnType<typeof createPace>;

export function createPace() {
  let notes: { readonly at: number; readonly playedMs: number }[] = [];
  return {
    /** So much has been played at this wall time, both in ms. */
    record(at: number, playedMs: number): void {
      notes.push({ at, playedMs });
      while (notes[1] && notes[1].at <= at - windowMs) notes.shift();
    },
    /** Discards the measurement; needed after a pause, a change of speed or a restart of the recording. */
    reset(): void {
      notes = [];
    },
    /** Played seconds per second; the requested speed while nothing is measured yet. */
    speed(requested: number): number {
      const [first, last] = [notes[0], notes.at(-1)];
      if (!first || !last || last.at - first.at < shortestMs) return requested;
      const real = (last.playedMs - first.playedMs) / (last.at - first.at);
      return Math.abs(real / requested - 1) <= near ? requested : Number(real.toPrecision(2));
    },
  };
}
