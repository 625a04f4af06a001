/** Fetches code ahead of its first use once the browser has nothing better to do. */
import { useEffect } from 'react';
import { log } from '../shared/log/log.ts';

/** Where the browser does not say when it is idle (Safari), or never is. */
const settleMs = 2000;

/** Calls `work` once the browser is idle, unless the returned function is called before. */
export function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const request = requestIdleCallback(work, { timeout: settleMs });
    return () => cancelIdleCallback(request);
  }
  const timer = setTimeout(work, settleMs);
  return () => clearTimeout(timer);
}

/** Code that cannot be had now is fetched when it is needed. `loads` must not change between renders. */
export function usePrefetch(loads: readonly (() => Promise<unknown>)[], isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return;
    return whenIdle(() => {
      for (const load of loads)
        load().catch((cause: unknown) => log.warn('Code could not be fetched ahead', cause));
    });
  }, [loads, isWanted]);
}
