/**
 * Pins the window's scroll position while the page's layout settles, until the user interacts or a few seconds have
 * passed.
 */

const settleMs = 4_000;
const userEvents = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Calls `applyPosition` now and whenever `page` changes its size, until the returned function is called, the user interacts,
 * or the time is up.
 */
export function pinScrollPosition(page: Element, applyPosition: () => void): () => void {
  // Calls back once at the start, after the layout has put the new page at its top.
  const observer = new ResizeObserver(applyPosition);
  const end = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const eventName of userEvents) removeEventListener(eventName, end);
  };
  const timer = setTimeout(end, settleMs);
  for (const eventName of userEvents) addEventListener(eventName, end, { passive: true });
  observer.observe(page);
  return end;
}
