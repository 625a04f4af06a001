/**
 * A dashboard that is loaded anew stands where it stood. The browser looks for that place before there are any rows, so it is
 * noted in the history's entry when the page goes away and taken up once by the page that comes.
 */
import { type RefObject, useEffect } from 'react';
import { useLocation } from 'react-router';
import { holdPlace } from './hold-place.ts';

const note = 'scrolledTo';
/** Only the page that was just loaded asks: whoever comes back within the app finds the place that the browser kept. */
let isJustLoaded = true;

/** `page` holds every row. An address that names one leads there instead. */
export function useKeptPlace(page: RefObject<HTMLElement | null>): void {
  const { hash } = useLocation();
  useEffect(() => {
    const onHide = () => history.replaceState({ ...history.state, [note]: scrollY }, '');
    addEventListener('pagehide', onHide);
    return () => removeEventListener('pagehide', onHide);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the address that was loaded
  useEffect(() => {
    const top: unknown = isJustLoaded ? history.state?.[note] : null;
    isJustLoaded = false;
    if (hash !== '' || typeof top !== 'number' || top <= 0 || page.current === null) return;
    return holdPlace(page.current, () => scrollTo({ top, behavior: 'instant' }));
  }, []);
}
