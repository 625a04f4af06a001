/**
 * Restores the dashboard's scroll position after a reload. The browser restores it before any rows exist. The page
 * therefore stores it for this tab when it is left, and the next load of the same history entry uses it once.
 */
import { type RefObject, useEffect } from 'react';
import { useLocation } from 'react-router';
import { log } from '../../../shared/log/log.ts';
import { pinScrollPosition } from './pin-scroll-position.ts';

const storageKey = 'fulcrum-dashboard-place';
const storedPattern = /^(?<entry>\S+) (?<top>\d+)$/u;

function storePosition(entry: string): void {
  try {
    sessionStorage.setItem(storageKey, `${entry} ${Math.round(scrollY)}`);
  } catch (cause) {
    log.warn('The scroll position could not be stored', cause);
  }
}

/** Taken once: later visits of this page use the browser's own restoration. */
function takeStoredPosition(entry: string): number {
  try {
    const { entry: storedEntry, top } =
      storedPattern.exec(sessionStorage.getItem(storageKey) ?? '')?.groups ?? {};
    sessionStorage.removeItem(storageKey);
    return storedEntry === entry ? Number(top) : 0;
  } catch (cause) {
    log.warn('The scroll position could not be restored', cause);
    return 0;
  }
}

/** `page` contains every row. An address that names a row scrolls there instead. */
export function useScrollRestoration(page: RefObject<HTMLElement | null>): void {
  const { hash, key } = useLocation();
  useEffect(() => {
    const onHide = () => storePosition(key);
    addEventListener('pagehide', onHide);
    return () => removeEventListener('pagehide', onHide);
  }, [key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the address that was loaded
  useEffect(() => {
    const top = takeStoredPosition(key);
    if (hash !== '' || top === 0 || page.current === null) return;
    return pinScrollPosition(page.current, () => scrollTo({ top, behavior: 'instant' }));
  }, []);
}
