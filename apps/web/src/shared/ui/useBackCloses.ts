/**
 * On a phone, Back closes what lies over the page, such as a sheet, instead of leaving the page. Each open layer is one history
 * entry with the page's own address; a layer that closes otherwise removes its entry.
 *
 * Invariants: the router's counter of entries (`idx`) stays right, so that it never sees another page. An address that changed
 * meanwhile stays. Known limitation: the entry of a dialog that cannot be closed now is used up by Back.
 */
import { useEffect, useEffectEvent } from 'react';

const phone = '(width < 768px), (height < 500px)';

/** Entries of closed layers that are not removed yet. */
let unused = 0;

function entryIndex(): number {
  const state: unknown = history.state;
  const hasIndex = typeof state === 'object' && state !== null && 'idx' in state;
  return hasIndex && typeof state.idx === 'number' ? state.idx : 0;
}

/** Adds an entry, or takes over that of a layer that closes at the same time; returns its index. */
function openEntry(): number {
  if (unused > 0) unused -= 1;
  else history.pushState({ ...history.state, idx: entryIndex() + 1 }, '');
  return entryIndex() - unused;
}

/** Removes the entry once all layers that close now are known: they are one step back together. */
function closeEntry(): void {
  unused += 1;
  setTimeout(() => {
    const count = unused;
    unused = 0;
    if (count === 0) return;
    const { href } = location;
    const keepAddress = () => {
      if (location.href === href) return;
      history.replaceState(history.state, '', href);
      // The router has read the former address.
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
    };
    addEventListener('popstate', keepAddress, { once: true });
    history.go(-count);
  });
}

export function useBackCloses(isOpen: boolean, close: () => void): void {
  const onBack = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen || !matchMedia(phone).matches) return;
    const { pathname } = location;
    const own = openEntry();
    let isClosedByBack = false;
    const onPop = () => {
      if (entryIndex() >= own) return;
      isClosedByBack = true;
      onBack();
    };
    addEventListener('popstate', onPop);
    return () => {
      removeEventListener('popstate', onPop);
      // A link on the layer has led to another page.
      if (!isClosedByBack && location.pathname === pathname) closeEntry();
    };
  }, [isOpen]);
}
