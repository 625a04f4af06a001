/**
 * Toasts at the edge of the screen, never over the order form. The library (sonner) loads with the first toast, or earlier
 * through `prefetchToasts`, so that a toast can also report a server that stopped answering. Limit: three are visible at once,
 * more wait. Without the library's code a toast is only logged.
 */
import { type ComponentType, lazy, Suspense, useSyncExternalStore } from 'react';
import { log } from '../log/log.ts';

export type ToastKind = 'success' | 'error' | 'info';

const loadToaster = () => import('./Toaster.tsx');

/** The outlet of the toasts. It stays empty when its code does not load, and the page goes on. */
const Toaster = lazy(
  (): Promise<{ default: ComponentType }> =>
    loadToaster().then(
      (module) => ({ default: module.Toaster }),
      (cause: unknown) => {
        log.warn('The code of the toasts failed to load', cause);
        return { default: () => null };
      },
    ),
);
const listeners = new Set<() => void>();
let wasUsed = false;

/** Fetches the code of the toasts without showing one. Rejects when it fails to load. */
export const prefetchToasts = (): Promise<unknown> => Promise.all([loadToaster(), import('sonner')]);

export interface ToastOptions {
  readonly description?: string;
  readonly id?: string;
  /** The toast stays until the user closes it. */
  readonly isSticky?: boolean;
}

/** Shows `text`; with the same `id` it replaces the one before. */
export function showToast(
  kind: ToastKind,
  text: string,
  { isSticky = false, ...options }: ToastOptions = {},
): void {
  wasUsed = true;
  for (const listener of listeners) listener();
  import('sonner').then(
    ({ toast }) =>
      toast[kind](text, {
        ...options,
        ...(isSticky && { duration: Number.POSITIVE_INFINITY, closeButton: true }),
      }),
    (cause: unknown) => log.error(`A toast could not be shown: ${text}`, cause),
  );
}

/** Dismisses all toasts, for example when the user opens the notifications list, which contains them. */
export function dismissToasts(): void {
  if (!wasUsed) return;
  import('sonner').then(
    ({ toast }) => toast.dismiss(),
    (cause: unknown) => log.warn('Toasts could not be dismissed', cause),
  );
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Rendered once in the app. */
export function ToastOutlet() {
  const shown = useSyncExternalStore(subscribe, () => wasUsed);
  if (!shown) return null;
  return (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  );
}
