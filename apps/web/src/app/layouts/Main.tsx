/**
 * The main landmark of a layout. Navigating to another page moves the focus here and the scroll position to the top; a page
 * that focuses a field of its own keeps that focus.
 */
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** The path of the previous page, in any layout; null on the first one. */
let shownPath: string | null = null;

export function Main({ className, children }: { readonly className: string; readonly children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const navigation = useNavigationType();
  // Before paint, so that a user who scrolls the new page at once is not sent back to its top.
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
