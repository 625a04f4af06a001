/**
 * In the header of every staff page: opens the quick search, as Ctrl+K or Cmd+K does from anywhere, including text fields,
 * unless a dialog is open or loading. The shortcut has a modifier, so it works with single-key shortcuts off (WCAG 2.1.4).
 *
 * Invariant: no key is lost. The code loads when the browser is idle or the pointer comes near; a field of this module takes
 * the keys until then (`EarlyField`), and hands over its text when the search is there.
 */
import Search from 'lucide-react/icons/search';
import { Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { type Action, useActions } from '../../../shared/actions/index.ts';
import { type LoadCode, lazyCode, type MissingProps } from '../../../shared/code/lazy-code.tsx';
import { usePrefetch } from '../../../shared/code/usePrefetch.ts';
import { isDialogPresent } from '../../../shared/ui/dialog-fallback.tsx';
import { Dialog, ErrorState } from '../../../shared/ui/index.ts';
import { EarlyField, type EarlyInput } from './EarlyField.tsx';

interface SearchControl {
  readonly onClose: () => void;
  /** What was typed before the search was there. */
  readonly early: EarlyInput;
  /** The search has the focus and the text. */
  readonly onReady: () => void;
  /** Had the focus before. */
  readonly opener: Element | null;
}

function Missing({ onClose, onReady, onRetry, retrying }: SearchControl & MissingProps) {
  useLayoutEffect(onReady, [onReady]);
  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || onClose()} title="Quick search">
      <ErrorState title="The search failed to load" onRetry={onRetry} retrying={retrying} />
    </Dialog>
  );
}

/** Shown while the code loads: a dialog that the user opens meanwhile takes precedence over the search. */
function SearchLoading({ onClose }: Pick<SearchControl, 'onClose'>) {
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

const load: LoadCode<SearchControl> = async () => {
  const { default: QuickSearch } = await import('./QuickSearch.tsx');
  return {
    default: function OpenedSearch(control) {
      const { onClose } = control;
      // Pressed while a dialog is loading: that dialog stays, and the search does not open over it.
      const [isLate] = useState(isDialogPresent);
      useEffect(() => {
        if (isLate) onClose();
      }, [isLate, onClose]);
      return isLate ? null : <QuickSearch {...control} />;
    },
  };
};
const prefetched = [load];
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
  const [isReady, setReady] = useState(false);
  const early = useRef<EarlyInput>({ text: '', enter: null, field: null });
  const opener = useRef<Element | null>(null);
  usePrefetch(prefetched);
  const open = useCallback(() => {
    early.current = { text: '', enter: null, field: null };
    opener.current = document.activeElement;
    setReady(false);
    setOpened({ key, pathname });
  }, [key, pathname]);
  const isOpen = opened !== null;
  const control = useMemo<SearchControl | null>(
    () =>
      isOpen
        ? {
            onClose: () => setOpened(null),
            early: early.current,
            onReady: () => setReady(true),
            opener: opener.current,
          }
        : null,
    [isOpen],
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
        // A failed one is repeated, and reported, when the search opens.
        onPointerOver={() => void load().catch(() => undefined)}
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
      {control !== null ? (
        <>
          {isReady ? null : (
            <EarlyField input={control.early} onClose={control.onClose} opener={control.opener} />
          )}
          <Suspense fallback={<SearchLoading onClose={control.onClose} />}>
            <LazySearch {...control} />
          </Suspense>
        </>
      ) : null}
    </>
  );
}
