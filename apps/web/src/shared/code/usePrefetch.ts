/** Fetches code ahead of its first use once the browser has nothing better to do. */
import { useEffect } from 'react';
import { log } from '../log/log.ts';

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

/**
 * Code that cannot be had now is fetched when it is needed. One after the other, so that what a page asks for meanwhile never
 * waits behind all of them. `loads` must not change between renders.
 */
export function usePrefetch(loads: readonly (() => Promise<unknown>)[]): void {
  useEffect(() => {
    let isLeft = false;
    const fetchAll = async () => {
      for (const load of loads) {
        if (isLeft) return;
        await load().catch((cause: unknown) => log.warn('Code could not be fetched ahead', cause));
      }
    };
    const cancel = whenIdle(() => void fetchAll());
    return () => {
      isLeft = true;
      cancel();
    };
  }, [loads]);
}
