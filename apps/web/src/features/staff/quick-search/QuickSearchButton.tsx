/**
 * In the header of every staff page: opens the quick search, as Ctrl+K or Cmd+K does from anywhere, including text fields,
 * unless a dialog is open or loading. The shortcut has a modifier, so it works with single-key shortcuts off (WCAG 2.1.4).
 */
import Search from 'lucide-react/icons/search';
import { createContext, Suspense, useContext, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { type Action, useActions } from '../../../shared/actions/index.ts';
import { type LoadCode, lazyCode, type MissingProps } from '../../../shared/code/lazy-code.tsx';
import { isDialogPresent } from '../../../shared/ui/dialog-fallback.tsx';
import { Dialog, ErrorState } from '../../../shared/ui/index.ts';

const SearchContext = createContext<{ readonly onClose: () => void }>({ onClose: () => undefined });

function Missing({ onRetry, retrying }: MissingProps) {
  const { onClose } = useContext(SearchContext);
  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || onClose()} title="Quick search">
      <ErrorState title="The search failed to load" onRetry={onRetry} retrying={retrying} />
    </Dialog>
  );
}

/** Shown while the code loads: a dialog that the user opens meanwhile takes precedence over the search. */
function SearchLoading() {
  const { onClose } = useContext(SearchContext);
  useLayoutEffect(() => {
    const observer = new MutationObserver(() => {
      if (isDialogPresent()) onClose();
    });
    // Dialogs are added to the body. A layout effect ends before the search's own dialog is added.
    observer.observe(document.body, { childList: true });
    return () => observer.disconnect();
  }, [onClose]);
  return null;
}

const load: LoadCode = async () => {
  const { default: QuickSearch } = await import('./QuickSearch.tsx');
  return {
    default: function OpenedSearch() {
      const { onClose } = useContext(SearchContext);
      // Pressed while a dialog is loading: that dialog stays, and the search does not open over it.
      const [isLate] = useState(isDialogPresent);
      useEffect(() => {
        if (isLate) onClose();
      }, [isLate, onClose]);
      return isLate ? null : <QuickSearch onClose={onClose} />;
    },
  };
};
const LazySearch = lazyCode(load, 'part', Missing);

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);

function useSearchKey(open: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || altKey || shiftKey) return;
      // The browser has its own action for this key.
      event.preventDefault();
      if (!event.repeat && !isDialogPresent()) open();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [open]);
}

export function QuickSearchButton() {
  // The search belongs to one page: the back button leads to the previous page without the search over it. A filter typed
  // just before may still change the URL of the same page.
  const { key, pathname } = useLocation();
  const isReplaced = useNavigationType() === 'REPLACE';
  const [opened, setOpened] = useState<{ readonly key: string; readonly pathname: string } | null>(null);
  if (opened !== null && opened.key !== key) {
    // Closed, not only hidden: going forward again shows the page without the search.
    setOpened(isReplaced && opened.pathname === pathname ? { key, pathname } : null);
  }
  const { open, control } = useMemo(
    () => ({ open: () => setOpened({ key, pathname }), control: { onClose: () => setOpened(null) } }),
    [key, pathname],
  );
  useSearchKey(open);
  const listed: Action = {
    id: 'quick-search',
    label: 'Quick search',
    group: 'General',
    keys: ['Control+K'],
    isAlwaysOn: true,
    perform: open,
  };
  useActions([listed]);
  return (
    <>
      <button
        type="button"
        onClick={open}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title="Quick search"
        className="control flex h-8 min-w-0 items-center gap-2 px-2.5 text-12 text-text-3 hover:text-text md:w-56 md:min-w-24 md:shrink-999 max-lg:md:w-36 max-md:size-11 max-md:shrink-0 max-md:justify-center max-md:border-0 max-md:bg-transparent max-md:p-0"
      >
        <Search size={14} aria-hidden="true" className="shrink-0 max-md:size-[18px]" />
        <span className="truncate max-md:sr-only">Quick search</span>
        <span
          aria-hidden="true"
          className="ml-auto shrink-0 rounded-badge border border-line-strong px-1.5 font-sans text-11 leading-[18px] text-text-2 max-lg:hidden pointer-coarse:hidden"
        >
          {isApple ? '⌘K' : 'Ctrl K'}
        </span>
      </button>
      {opened !== null ? (
        <SearchContext value={control}>
          <Suspense fallback={<SearchLoading />}>
            <LazySearch />
          </Suspense>
        </SearchContext>
      ) : null}
    </>
  );
}
