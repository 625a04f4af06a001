/**
 * Short notices at the edge of the screen, never over the order form. The library (sonner) loads with the first notice, or
 * ahead of it (`fetchNotices`), so that a server that fell silent can still be told of.
 * Limit: three are visible at once, more wait behind them. Without the library's code a notice is only logged.
 */
import { type ComponentType, lazy, Suspense, useSyncExternalStore } from 'react';
import { log } from '../log/log.ts';

export type ToastKind = 'success' | 'error' | 'info';

const loadOutlet = () => import('./Toaster.tsx');

/** A notice is no reason to lose the page: an outlet that does not arrive stays empty. */
const Toaster = lazy(
  (): Promise<{ default: ComponentType }> =>
    loadOutlet().then(
      (module) => ({ default: module.Toaster }),
      (cause: unknown) => {
        log.warn('The outlet of notices did not arrive', cause);
        return { default: () => null };
      },
    ),
);
const listeners = new Set<() => void>();
let wanted = false;

/** Fetches the code of notices, without one to show. Rejects when it cannot be had now. */
export const fetchNotices = (): Promise<unknown> => Promise.all([loadOutlet(), import('sonner')]);

interface NoticeOptions {
  readonly description?: string;
  readonly id?: string;
  /** It stays until somebody closes it. */
  readonly stays?: boolean;
}

/** Shows `text`; with the same `id` it replaces the one before. */
export function announce(
  kind: ToastKind,
  text: string,
  { stays = false, ...options }: NoticeOptions = {},
): void {
  wanted = true;
  for (const listener of listeners) listener();
  import('sonner').then(
    ({ toast }) =>
      toast[kind](text, {
        ...options,
        ...(stays && { duration: Number.POSITIVE_INFINITY, closeButton: true }),
      }),
    (cause: unknown) => log.error(`A notice could not be shown: ${text}`, cause),
  );
}

/** Takes away what is shown: whoever opens the list of notifications reads them there. */
export function dismissNotices(): void {
  if (!wanted) return;
  import('sonner').then(
    ({ toast }) => toast.dismiss(),
    (cause: unknown) => log.warn('Notices could not be taken away', cause),
  );
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Stands once in the app. */
export function ToastOutlet() {
  const shown = useSyncExternalStore(subscribe, () => wanted);
  if (!shown) return null;
  return (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  );
}
