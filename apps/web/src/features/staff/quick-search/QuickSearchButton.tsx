/**
 * In the head of every back office: opens the quick search, as Ctrl+K or Cmd+K does from anywhere, a field too, unless a
 * question is open or on its way. It carries modifiers, so it holds where single keys are switched off (WCAG 2.1.4).
 */
import Search from 'lucide-react/icons/search';
import { createContext, Suspense, useContext, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { type Action, useActions } from '../../../shared/actions/index.ts';
import { type LoadCode, lazyCode, type MissingProps } from '../../../shared/code/lazy-code.tsx';
import { isDialogThere } from '../../../shared/ui/dialog-arriving.tsx';
import { Dialog, ErrorState } from '../../../shared/ui/index.ts';

const Opened = createContext<{ readonly onClose: () => void }>({ onClose: () => undefined });

function Missing({ onRetry, retrying }: MissingProps) {
  const { onClose } = useContext(Opened);
  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || onClose()} title="Quick search">
      <ErrorState title="The search could not be fetched" onRetry={onRetry} retrying={retrying} />
    </Dialog>
  );
}

/** While the code is on its way: whoever opens a question meanwhile wants that, and not the search after it. */
function Arriving() {
  const { onClose } = useContext(Opened);
  useLayoutEffect(() => {
    const observer = new MutationObserver(() => {
      if (isDialogThere()) onClose();
    });
    // Where dialogs are put. Let go before the search's own is: a layout effect ends with the part it belongs to.
    observer.observe(document.body, { childList: true });
    return () => observer.disconnect();
  }, [onClose]);
  return null;
}

const load: LoadCode = async () => {
  const { default: QuickSearch } = await import('./QuickSearch.tsx');
  return {
    default: function OpenedSearch() {
      const { onClose } = useContext(Opened);
      // By the button while a question is on its way: that one stays, and this is not stacked on it.
      const [isLate] = useState(isDialogThere);
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
      // The browser has a use of its own for it, which is no use here.
      event.preventDefault();
      if (!event.repeat && !isDialogThere()) open();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [open]);
}

export function QuickSearchButton() {
  // Of one place: whoever goes back while it is open wants the page before, and not the search over it. A filter that was
  // typed just before writes itself into the address of the same place.
  const { key, pathname } = useLocation();
  const isSamePlace = useNavigationType() === 'REPLACE';
  const [opened, setOpened] = useState<{ readonly key: string; readonly pathname: string } | null>(null);
  if (opened !== null && opened.key !== key) {
    // Closed and not only hidden: going forward again brings back the page alone.
    setOpened(isSamePlace && opened.pathname === pathname ? { key, pathname } : null);
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
        <Opened value={control}>
          <Suspense fallback={<Arriving />}>
            <LazySearch />
          </Suspense>
        </Opened>
      ) : null}
    </>
  );
}
