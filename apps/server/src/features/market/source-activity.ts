/** Counts the ticks of each source within the last minute, by slots of two seconds. No clock of its own. */
import type { Source } from './feed.ts';

const slotMs = 2_000;
const slots = 30;

interface SourceTicks {
  readonly counts: Map<number, number>;
  lastAt: number;
}

export type SourceActivity = ReturnType<typeof createSourceActivity>;

export function createSourceActivity() {
  const ticksBySource = new Map<Source, SourceTicks>();
  return {
    /** `at` in ms since the epoch, here as below. */
    record(source: Source, at: number): void {
      const slot = Math.floor(at / slotMs);
      const known = ticksBySource.get(source) ?? { counts: new Map(), lastAt: at };
      ticksBySource.set(source, known);
      const { counts } = known;
      known.lastAt = at;
      const count = counts.get(slot);
      counts.set(slot, (count ?? 0) + 1);
      if (count !== undefined) return;
      // Once a slot; after the clock was set back, slots in the future are ignored.
      for (const other of counts.keys()) if (other <= slot - slots || other > slot) counts.delete(other);
    },
    /** Ticks by slot, the oldest first; the last slot is the one that `at` lies in. */
    lastMinute(source: Source, at: number): number[] {
      const last = Math.floor(at / slotMs);
      const counts = ticksBySource.get(source)?.counts;
      return Array.from({ length: slots }, (_, i) => counts?.get(last - slots + 1 + i) ?? 0);
    },
    lastTickAt: (source: Source): number | null => ticksBySource.get(source)?.lastAt ?? null,
  };
}
