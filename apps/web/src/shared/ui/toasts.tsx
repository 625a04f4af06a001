/**
 * Short notices at the edge of the screen, never over the order form. The library (sonner) loads with the first notice.
 * Limit: three are visible at once, more wait behind them.
 */
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { log } from '../log/log.ts';

export type ToastKind = 'success' | 'error' | 'info';

const Toaster = lazy(async () => ({ default: (await import('./Toaster.tsx')).Toaster }));
const listeners = new Set<() => void>();
let wanted = false;

/** Shows `text`; with the same `id` it replaces the one before. */
export function announce(
  kind: ToastKind,
  text: string,
  options: { readonly description?: string; readonly id?: string } = {},
): void {
  wanted = true;
  for (const listener of listeners) listener();
  import('sonner').then(
    ({ toast }) => toast[kind](text, options),
    (cause: unknown) => log.error(`A notice could not be shown: ${text}`, cause),
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
