/** Waits for orders whose account has a latency: they are acknowledged when they arrive, and filled some milliseconds later. */
import type { Bus } from '../../../platform/bus/index.ts';
import type { Timers } from '../../../platform/clock/index.ts';
import { waitAtMost } from '../../../platform/clock/wait-at-most.ts';

/** No latency is longer. */
const waitMsMax = 2_000;

export type Arrivals = ReturnType<typeof createArrivals>;

export function createArrivals(bus: Bus, timers: Timers) {
  const waiting = new Map<string, Set<() => void>>();
  const stopListening = bus.subscribe('account.changed', ({ changes }) => {
    if (waiting.size === 0) return;
    for (const { table, record } of changes) {
      if (table !== 'orders' || record?.due_at !== null) continue;
      for (const resolve of waiting.get(String(record.id)) ?? []) resolve();
    }
  });
  return {
    /** Resolves when the order is no longer on its way, or after 2 s. Call before the row is read, and await it after. */
    expect({ id, accountId }: { readonly id: string; readonly accountId: string }) {
      const endNeed = bus.needRows(accountId);
      let resolve = (): void => {};
      const settled = new Promise<void>((done) => {
        resolve = done;
      });
      const listeners = waiting.get(id) ?? new Set();
      waiting.set(id, listeners.add(resolve));
      const forget = (): void => {
        endNeed();
        listeners.delete(resolve);
        if (listeners.size === 0 && waiting.get(id) === listeners) waiting.delete(id);
      };
      return { arrived: () => waitAtMost(timers, waitMsMax, settled).finally(forget), forget };
    },
    stop: stopListening,
  };
}
