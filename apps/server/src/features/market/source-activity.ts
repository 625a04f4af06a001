/** How often each source of prices has spoken within the last minute, by slots of two seconds. No clock of its own. */
import type { Source } from './feed.ts';

const slotMs = 2_000;
const slots = 30;

export interface SourceActivity {
  /** `at` in ms since the epoch, here as below. */
  note(source: Source, at: number): void;
  /** Ticks by slot, the oldest first; the last slot is the one that `at` lies in. */
  lastMinute(source: Source, at: number): number[];
  lastTickAt(source: Source): number | null;
}

interface Heard {
  readonly counts: Map<number, number>;
  lastAt: number;
}

export function createSourceActivity(): SourceActivity {
  const heard = new Map<Source, Heard>();
  return {
    note(source, at) {
      const slot = Math.floor(at / slotMs);
      const known = heard.get(source) ?? { counts: new Map(), lastAt: at };
      heard.set(source, known);
      const { counts } = known;
      known.lastAt = at;
      const count = counts.get(slot);
      counts.set(slot, (count ?? 0) + 1);
      if (count !== undefined) return;
      // Once a slot; after a clock that was set back what lies ahead says nothing.
      for (const other of counts.keys()) if (other <= slot - slots || other > slot) counts.delete(other);
    },
    lastMinute(source, at) {
      const last = Math.floor(at / slotMs);
      const counts = heard.get(source)?.counts;
      return Array.from({ length: slots }, (_, i) => counts?.get(last - slots + 1 + i) ?? 0);
    },
    lastTickAt: (source) => heard.get(source)?.lastAt ?? null,
  };
}
