/** Prefetches code once the browser is idle. */
import { useEffect } from 'react';
import { log } from '../log/log.ts';

/** Used where the browser does not report idle time (Safari), or is never idle. */
const idleTimeoutMs = 2000;

/** Calls `work` once the browser is idle, unless the returned function is called before. */
export function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const request = requestIdleCallback(work, { timeout: idleTimeoutMs });
    return () => cancelIdleCallback(request);
  }
  const timer = setTimeout(work, idleTimeoutMs);
  return () => clearTimeout(timer);
}

/**
 * Prefetches one module after the other, so that other requests of the page are not delayed by all of them. Code that fails to
 * load is fetched again when needed. `loads` must not change between renders.
 */
export function usePrefetch(loads: readonly (() => Promise<unknown>)[]): void {
  useEffect(() => {
    let isLeft = false;
    const fetchAll = async () => {
      for (const load of loads) {
        if (isLeft) return;
        await load().catch((cause: unknown) => log.warn('Prefetching code failed', cause));
      }
    };
    const cancel = whenIdle(() => void fetchAll());
    return () => {
      isLeft = true;
      cancel();
    };
  }, [loads]);
}
