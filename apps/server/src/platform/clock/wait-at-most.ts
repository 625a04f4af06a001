import type { Timers } from './index.ts';

/** Resolves with `work`, or after `ms`. */
export async function waitAtMost(timers: Timers, ms: number, work: Promise<unknown>): Promise<void> {
  let cancel = (): void => {};
  const limit = new Promise<void>((resolve) => {
    cancel = timers.after(ms, resolve);
  });
  await Promise.race([work, limit]).finally(cancel);
}
