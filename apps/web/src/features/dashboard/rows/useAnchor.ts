/**
 * `#journal` and the like lead to their row although its code, and that of the rows above, arrives only then: the row is held at
 * the top while the page takes its shape, until the reader does something or a few seconds have passed. The focus goes along.
 */
import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { isInPlace } from '../../../shared/in-place/index.ts';

const settleMs = 4_000;
const doings = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Keeps `target` at the top of the window until the returned function is called, somebody acts, or time is up. */
function holdAtTop(page: Element, target: Element): () => void {
  const toTop = () => target.scrollIntoView({ block: 'start', behavior: 'instant' });
  // Calls back once at the start, after the layout has put the new page at its top.
  const observer = new ResizeObserver(toTop);
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

/** `page` holds every row; each has its id. */
export function useAnchor(page: RefObject<HTMLElement | null>): void {
  const { hash, key, state } = useLocation();
  const held = useRef<(() => void) | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is another visit to the same place
  useEffect(() => {
    // A page that is loaded anew is led to its row whatever the address remembers; a reader who is there is left alone.
    if (hash === '' || page.current === null || (held.current && isInPlace(state))) return;
    const target = page.current.querySelector(`:scope > [id="${CSS.escape(hash.slice(1))}"]`);
    if (!(target instanceof HTMLElement)) return;
    held.current?.();
    held.current = holdAtTop(page.current, target);
    if (!target.contains(target.ownerDocument.activeElement)) target.focus({ preventScroll: true });
  }, [hash, key, page]);
  useEffect(() => () => held.current?.(), []);
}
