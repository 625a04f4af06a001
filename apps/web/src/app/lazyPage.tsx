/**
 * Pages and layouts whose code arrives when they are first shown. Code that does not arrive is not an error of the page:
 * while the server is silent its place shows Retry. When the server answers and the code is still missing, a release has
 * replaced the files this tab knows (or the browser remembers the failed import), and a reload fetches the current ones.
 * Invariant: without somebody asking, a tab reloads at most once per `reloadPauseMs`.
 */
import { type ComponentType, use, useEffect, useState } from 'react';
import { log } from '../shared/log/log.ts';
import { PageUnreachable, Unreachable } from './Unreachable.tsx';

/** Imports a module that exports a page or layout as its default. */
export type LoadPage = () => Promise<{ readonly default: ComponentType }>;

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

/** Whether a reload is in order, and notes that there is one. */
function noteReload(cause: 'shown' | 'retried'): boolean {
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

async function arrive(load: LoadPage, cause: 'shown' | 'retried'): Arrival {
  try {
    return (await load()).default;
  } catch (error) {
    log.warn('The code of a page did not arrive', error);
  }
  if (!(await isServed())) return null;
  if (!noteReload(cause)) return null;
  location.reload();
  // Nothing is drawn until the reload takes the document away.
  return new Promise(() => {});
}

interface MissingProps {
  readonly onRetry: () => void;
}

function lazyWith(load: LoadPage, Missing: ComponentType<MissingProps>): ComponentType {
  let latest: Arrival | null = null;

  return function LazyPage() {
    const [arrival, setArrival] = useState(() => {
      latest ??= arrive(load, 'shown');
      return latest;
    });
    const Arrived = use(arrival);

    useEffect(() => {
      if (Arrived !== null) return;
      // Whoever comes back to this page tries again.
      return () => {
        if (latest === arrival) latest = null;
      };
    }, [Arrived, arrival]);

    const retry = () => {
      latest = arrive(load, 'retried');
      setArrival(latest);
    };
    return Arrived === null ? <Missing onRetry={retry} /> : <Arrived />;
  };
}

/** A page inside a layout, which stays usable around it. */
export const lazyPage = (load: LoadPage): ComponentType => lazyWith(load, PageUnreachable);

/** A layout: without it there is nothing around the message. */
export const lazyLayout = (load: LoadPage): ComponentType => lazyWith(load, Unreachable);
