/**
 * Placeholder of a dialog whose code is loading. It is invisible, and code that would open another dialog can detect it. Use it
 * as the `Suspense` fallback of every lazy dialog.
 */
export const dialogFallback = <span hidden data-dialog-loading />;

/** Whether a dialog is open or loading. */
export const isDialogPresent = (): boolean =>
  document.querySelector('[aria-modal="true"], [data-dialog-loading]') !== null;
