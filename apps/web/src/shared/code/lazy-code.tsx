/**
 * Parts of the app whose code arrives when they are first shown. Code that does not arrive is not an error of the part:
 * while the server is silent its place shows Retry. When the server answers and the code is still missing, a release has
 * replaced the files this tab knows (or the browser remembers the failed import), and a reload fetches the current ones.
 * Invariant: without somebody asking, a tab reloads at most once per `reloadPauseMs`, and never for a part of a page.
 */
import { type ComponentType, use, useEffect, useState, useTransition } from 'react';
import { log } from '../log/log.ts';

/** Imports a module that exports a component as its default. */
export type LoadCode = () => Promise<{ readonly default: ComponentType }>;

/** Resolves to null when the code cannot be had now. */
type Arrival = Promise<ComponentType | null>;

const reloadedKey = 'fulcrum.reloaded-for-code';
const reloadPauseMs = 60_000;
const answerWithinMs = 5000;

/** Whether a reload would find the app rather than the browser's own error page. */
const isServed = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(answerWithinMs) }).then(
    (response) => response.ok,
    () => false,
  );

/** Whether a tab that last reloaded at `stored` (ms since epoch, null for never) may do so on its own at `now`. */
export function mayReload(stored: string | null, now: number): boolean {
  const elapsed = now - Number(stored ?? Number.NEGATIVE_INFINITY);
  return elapsed < 0 || elapsed >= reloadPauseMs;
}

type Cause = 'shown' | 'retried';

/** Whether a reload is in order, and notes that there is one. */
function noteReload(cause: Cause): boolean {
  const now = Date.now();
  try {
    if (cause === 'shown' && !mayReload(sessionStorage.getItem(reloadedKey), now)) return false;
    sessionStorage.setItem(reloadedKey, String(now));
    return true;
  } catch (error) {
    log.warn('A reload could not be noted in this browser', error);
    // What cannot be noted could go on for ever.
    return cause === 'retried';
  }
}

/** What is missing: a page may fetch a release by itself, a part of one would take what is typed beside it away. */
export type Missed = 'page' | 'part';

async function arrive(load: LoadCode, missed: Missed, cause: Cause): Arrival {
  try {
    return (await load()).default;
  } catch (error) {
    log.warn(`The code of a ${missed} did not arrive`, error);
  }
  if (missed === 'part' && cause === 'shown') return null;
  if (!(await isServed())) return null;
  if (!noteReload(cause)) return null;
  location.reload();
  // Nothing is drawn until the reload takes the document away.
  return new Promise(() => {});
}

export interface MissingProps {
  readonly onRetry: () => void;
  readonly retrying: boolean;
}

/** `Missing` stands in for code that did not arrive; what is shown until it has is the caller's `Suspense`. */
export function lazyCode(
  load: LoadCode,
  missed: Missed,
  Missing: ComponentType<MissingProps>,
): ComponentType {
  let latest: Arrival | null = null;

  return function LazyCode() {
    const [retrying, startRetry] = useTransition();
    const [arrival, setArrival] = useState(() => {
      latest ??= arrive(load, missed, 'shown');
      return latest;
    });
    const Arrived = use(arrival);

    useEffect(() => {
      if (Arrived !== null) return;
      // Whoever comes back to this part tries again.
      return () => {
        if (latest === arrival) latest = null;
      };
    }, [Arrived, arrival]);

    const retry = () => {
      const next = arrive(load, missed, 'retried');
      latest = next;
      startRetry(() => setArrival(next));
    };
    return Arrived === null ? <Missing onRetry={retry} retrying={retrying} /> : <Arrived />;
  };
}
