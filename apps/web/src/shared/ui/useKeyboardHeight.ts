/**
 * The height of the page that the on-screen keyboard covers, in CSS px. A keyboard shrinks the visual viewport only, so it
 * would cover elements fixed to the bottom. 0 where the browser does not report it.
 */
import { useSyncExternalStore } from 'react';

/** A smaller difference is a browser bar that slides away, not a keyboard. */
const keyboardMinPx = 80;

function coveredHeight(): number {
  const view = window.visualViewport;
  if (view?.scale !== 1) return 0;
  const hidden = Math.round(window.innerHeight - view.height - view.offsetTop);
  return hidden < keyboardMinPx ? 0 : hidden;
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

export const useKeyboardHeight = (): number => useSyncExternalStore(subscribe, coveredHeight);
