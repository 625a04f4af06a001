/**
 * A dashboard that is loaded anew stands where it stood. The browser looks for that place before there are any rows, so it is
 * noted for this tab when the page goes away and taken up once by the page that comes to the same entry of its history.
 */
import { type RefObject, useEffect } from 'react';
import { useLocation } from 'react-router';
import { log } from '../../../shared/log/log.ts';
import { holdPlace } from './hold-place.ts';

const noteKey = 'fulcrum-dashboard-place';
const place = /^(?<entry>\S+) (?<top>\d+)$/u;

function note(entry: string): void {
  try {
    sessionStorage.setItem(noteKey, `${entry} ${Math.round(scrollY)}`);
  } catch (cause) {
    log.warn('The place on the dashboard is not kept', cause);
  }
}

/** Taken once: later visits of this page find what the browser itself kept. */
function takeNote(entry: string): number {
  try {
    const { entry: noted, top } = place.exec(sessionStorage.getItem(noteKey) ?? '')?.groups ?? {};
    sessionStorage.removeItem(noteKey);
    return noted === entry ? Number(top) : 0;
  } catch (cause) {
    log.warn('The place on the dashboard was not kept', cause);
    return 0;
  }
}

/** `page` holds every row. An address that names one leads there instead. */
export function useKeptPlace(page: RefObject<HTMLElement | null>): void {
  const { hash, key } = useLocation();
  useEffect(() => {
    const onHide = () => note(key);
    addEventListener('pagehide', onHide);
    return () => removeEventListener('pagehide', onHide);
  }, [key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the address that was loaded
  useEffect(() => {
    const top = takeNote(key);
    if (hash !== '' || top === 0 || page.current === null) return;
    return holdPlace(page.current, () => scrollTo({ top, behavior: 'instant' }));
  }, []);
}
