/**
 * The main landmark of a layout. Going to another page of the app puts the focus here, where the browser would leave it on
 * a link that may be gone, and the page at its top; a page that chose its own field keeps it.
 */
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** The page shown last, in whichever layout; null while the first one is. */
let shownPath: string | null = null;

export function Main({ className, children }: { readonly className: string; readonly children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const navigation = useNavigationType();
  // Before it is painted: whoever scrolls the new page at once is not sent back to its top.
  useLayoutEffect(() => {
    const isFirst = shownPath === null;
    if (shownPath === pathname) return;
    shownPath = pathname;
    if (isFirst) return;
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
    if (navigation !== 'POP') scrollTo({ top: 0, behavior: 'instant' });
  }, [pathname, navigation]);
  return (
    <main ref={main} id="content" tabIndex={-1} className={`outline-none ${className}`}>
      {children}
    </main>
  );
}
