/** Holds the window at a place of a page that is still taking its shape: until the reader does something or a few seconds have passed. */

const settleMs = 4_000;
const doings = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Calls `put` now and whenever `page` changes its size, until the returned function is called, somebody acts, or time is up. */
export function holdPlace(page: Element, put: () => void): () => void {
  // Calls back once at the start, after the layout has put the new page at its top.
  const observer = new ResizeObserver(put);
  const end = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const doing of doings) removeEventListener(doing, end);
  };
  const timer = setTimeout(end, settleMs);
  for (const doing of doings) addEventListener(doing, end, { passive: true });
  observer.observe(page);
  return end;
}
