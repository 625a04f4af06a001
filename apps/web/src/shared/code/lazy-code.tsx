/**
 * Parts of the app whose code loads when they are first shown. While the server does not answer, the part shows Retry instead
 * of an error. When the server answers and the code is still missing, a release has replaced the files, or the browser caches a
 * failed import. A reload then fetches the current files. Invariant: without a user's retry a tab reloads at most once per
 * `reloadPauseMs`, and never for a part of a page.
 */
import { type ComponentType, use, useEffect, useState, useTransition } from 'react';
import { log } from '../log/log.ts';

/** Imports a module that exports a component as its default. */
export type LoadCode<Props = object> = () => Promise<{ readonly default: ComponentType<Props> }>;

/** Resolves to null when the code can't be loaded now. */
type ComponentPromise<Props = object> = Promise<ComponentType<Props> | null>;

const reloadedKey = 'fulcrum.reloaded-for-code';
const reloadPauseMs = 60_000;
const serverTimeoutMs = 5000;

/** Whether a reload would show the app, not the browser's error page. */
const isServerReachable = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(serverTimeoutMs) }).then(
    (response) => response.ok,
    () => false,
  );

/** Whether a tab that last reloaded at `stored` (ms since epoch, null for never) may reload automatically at `now`. */
export function mayReload(stored: string | null, now: number): boolean {
  const elapsed = now - Number(stored ?? Number.NEGATIVE_INFINITY);
  return elapsed < 0 || elapsed >= reloadPauseMs;
}

export type LoadCause = 'shown' | 'retried';

/** Whether the tab may reload; records the reload. */
function recordReload(cause: LoadCause): boolean {
  const now = Date.now();
  try {
    if (cause === 'shown' && !mayReload(sessionStorage.getItem(reloadedKey), now)) return false;
    sessionStorage.setItem(reloadedKey, String(now));
    return true;
  } catch (error) {
    log.warn('A reload could not be recorded in this browser', error);
    // Without a record the tab could reload forever.
    return cause === 'retried';
  }
}

/** What is missing. A page may reload the tab by itself; for a part, a reload would discard input elsewhere on the page. */
export type LazyScope = 'page' | 'part';

export async function loadOrReload<Props>(
  load: LoadCode<Props>,
  scope: LazyScope,
  cause: LoadCause,
): ComponentPromise<Props> {
  try {
    return (await load()).default;
  } catch (error) {
    log.warn(`The code of a ${scope} failed to load`, error);
  }
  if (scope === 'part' && cause === 'shown') return null;
  if (!(await isServerReachable())) return null;
  if (!recordReload(cause)) return null;
  location.reload();
  // Nothing renders until the reload replaces the document.
  return new Promise(() => {});
}

export interface MissingProps {
  readonly onRetry: () => void;
  readonly retrying: boolean;
}

/** `Missing` replaces code that failed to load; while loading, the caller's `Suspense` shows its fallback. */
export function lazyCode<Props extends object = object>(
  load: LoadCode<Props>,
  scope: LazyScope,
  Missing: ComponentType<Props & MissingProps>,
): ComponentType<Props> {
  let latest: ComponentPromise<Props> | null = null;

  return function LazyCode(props) {
    const [retrying, startRetry] = useTransition();
    const [arrival, setArrival] = useState(() => {
      latest ??= loadOrReload(load, scope, 'shown');
      return latest;
    });
    const Arrived = use(arrival);

    useEffect(() => {
      if (Arrived !== null) return;
      // The next mount of this part tries again.
      return () => {
        if (latest === arrival) latest = null;
      };
    }, [Arrived, arrival]);

    const retry = () => {
      const next = loadOrReload(load, scope, 'retried');
      latest = next;
      startRetry(() => setArrival(next));
    };
    return Arrived === null ? (
      <Missing {...props} onRetry={retry} retrying={retrying} />
    ) : (
      <Arrived {...props} />
    );
  };
}
