/**
 * How much of the page the on-screen keyboard covers, in CSS px: a keyboard lies over the page and shrinks the visual
 * viewport alone, so that what is fixed to the bottom would be beneath it. 0 where the browser does not tell.
 */
import { useSyncExternalStore } from 'react';

/** Less than this is a browser's bar that slides away, no keyboard. */
const leastKeyboardPx = 80;

function covered(): number {
  const view = window.visualViewport;
  if (view?.scale !== 1) return 0;
  const hidden = Math.round(window.innerHeight - view.height - view.offsetTop);
  return hidden < leastKeyboardPx ? 0 : hidden;
}

function subscribe(changed: () => void): () => void {
  const view = window.visualViewport;
  view?.addEventListener('resize', changed);
  view?.addEventListener('scroll', changed);
  return () => {
    view?.removeEventListener('resize', changed);
    view?.removeEventListener('scroll', changed);
  };
}

export const useKeyboardHeight = (): number => useSyncExternalStore(subscribe, covered);
