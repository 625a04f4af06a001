/**
 * Scrolls to the row of a hash such as `#journal`, although its code and that of the rows above is still loading. The
 * row is pinned to the top while the layout settles, until the user interacts or a few seconds have passed. The row
 * also receives the focus.
 */
import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { isUrlStateChange } from '../../../shared/url-state/index.ts';
import { pinScrollPosition } from './pin-scroll-position.ts';

/** `page` contains every row; each has its id. */
export function useScrollToHash(page: RefObject<HTMLElement | null>): void {
  const { hash, key, state } = useLocation();
  const releasePin = useRef<(() => void) | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` changes with each visit of the same address
  useEffect(() => {
    // A reload scrolls to its row whatever the address names; a user who is already there stays.
    if (hash === '' || page.current === null || (releasePin.current && isUrlStateChange(state))) return;
    const target = page.current.querySelector(`:scope > [id="${CSS.escape(hash.slice(1))}"]`);
    if (!(target instanceof HTMLElement)) return;
    releasePin.current?.();
    releasePin.current = pinScrollPosition(page.current, () =>
      target.scrollIntoView({ block: 'start', behavior: 'instant' }),
    );
    if (!target.contains(target.ownerDocument.activeElement)) target.focus({ preventScroll: true });
  }, [hash, key, page]);
  useEffect(() => () => releasePin.current?.(), []);
}
