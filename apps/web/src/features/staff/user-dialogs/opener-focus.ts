/** Focus after a user dialog closes. A dialog treats the element that has the focus when it opens as its opener. */

/** Focuses the menu's button before the dialog opens: the menu item itself disappears. */
export function focusMenuTrigger(): void {
  const menu = document.activeElement?.closest('[role="menu"]');
  const trigger = menu?.getAttribute('aria-labelledby');
  if (trigger) document.getElementById(trigger)?.focus();
}

/** The maximum time until a list drops the row of a deleted user. */
const rowGoneTimeoutMs = 10_000;

/**
 * The deleted user's row disappears with the next reading of the list, and with it the control that opened the dialog. When
 * both are gone and nothing else has the focus, the page takes it.
 */
export function focusContentAfterDelete(opener: Element | null): void {
  const observer = new MutationObserver(() => {
    if (opener?.isConnected || document.querySelector('[role="dialog"]')) return;
    observer.disconnect();
    if (document.activeElement !== document.body) return;
    document.getElementById('content')?.focus({ preventScroll: true });
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), rowGoneTimeoutMs);
}
