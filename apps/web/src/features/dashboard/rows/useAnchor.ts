/**
 * `#journal` and the like lead to their row although its code, and that of the rows above, arrives only then: the row is held at
 * the top while the page takes its shape, until the reader does something or a few seconds have passed. The focus goes along.
 */
import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { isInPlace } from '../../../shared/in-place/index.ts';
import { holdPlace } from './hold-place.ts';

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
    held.current = holdPlace(page.current, () =>
      target.scrollIntoView({ block: 'start', behavior: 'instant' }),
    );
    if (!target.contains(target.ownerDocument.activeElement)) target.focus({ preventScroll: true });
  }, [hash, key, page]);
  useEffect(() => () => held.current?.(), []);
}
