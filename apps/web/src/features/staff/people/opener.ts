/** Where the focus goes when a dialog about a person closes. A dialog takes what has the focus as it opens for its opener. */

/** An item of a menu is gone by then: the button that opened the menu is meant. */
export function returnToOpener(): void {
  const menu = document.activeElement?.closest('[role="menu"]');
  const trigger = menu?.getAttribute('aria-labelledby');
  if (trigger) document.getElementById(trigger)?.focus();
}

/** How long a list may take to lose the row of somebody who was deleted. */
const waitMs = 10_000;

/**
 * The deleted person's row goes with the next reading of the list, and with it the control that opened the dialog: when both are
 * gone and nothing else has the focus, the page takes it.
 */
export function keepFocus(opener: Element | null): void {
  const observer = new MutationObserver(() => {
    if (opener?.isConnected || document.querySelector('[role="dialog"]')) return;
    observer.disconnect();
    if (document.activeElement !== document.body) return;
    document.getElementById('content')?.focus({ preventScroll: true });
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), waitMs);
}
