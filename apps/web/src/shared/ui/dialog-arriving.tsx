/**
 * A dialog whose code is on its way: nothing to be seen, but whoever would open another one over it finds it. To be the
 * `Suspense` fallback of every dialog that comes late.
 */
export const dialogArriving = <span hidden data-dialog-arriving />;

/** Whether a question is open, or on its way. */
export const isDialogThere = (): boolean =>
  document.querySelector('[aria-modal="true"], [data-dialog-arriving]') !== null;
