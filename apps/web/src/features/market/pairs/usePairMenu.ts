/**
 * The pair selector's state: a combobox whose field keeps the focus while the arrow keys walk the list. It closes on
 * Escape, on a click or a focus elsewhere and with a choice; each opening starts with an empty search.
 */
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useActions } from '../../../shared/actions/index.ts';
import { isFavorite, useFavorites } from './favorites.ts';
import { optionId } from './PairList.tsx';
import { defaultTab, type PairTab, pairsByTab, shownTab } from './search.ts';
import { useToggleFavorite } from './useFavorite.ts';
import type { Pair } from './usePairs.ts';

const rowsPerPage = 10;
const none: ReadonlySet<string> = new Set();

export function usePairMenu(pairs: readonly Pair[], onSelect: (symbol: string) => void) {
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const [chosenTab, setChosenTab] = useState<PairTab>(defaultTab);
  const [active, setActive] = useState(0);
  const { symbols } = useFavorites();
  const toggle = useToggleFavorite();

  const favorites = useCallback((symbol: string) => isFavorite(symbols, symbol), [symbols]);
  // A row that loses its star stays until the menu closes or another tab is shown: nothing moves under the pointer.
  const [unstarred, setUnstarred] = useState<ReadonlySet<string>>(none);
  const listed = useCallback(
    (symbol: string) => favorites(symbol) || unstarred.has(symbol),
    [favorites, unstarred],
  );
  const found = useMemo(() => pairsByTab(pairs, query, listed), [pairs, query, listed]);
  const tab = shownTab(chosenTab, query, found);
  const rows = found.pairs[tab];
  const current = Math.min(active, Math.max(0, rows.length - 1));

  const show = useCallback(() => {
    setOpen(true);
    field.current?.focus();
  }, []);
  const close = useCallback(() => {
    setOpen(false);
    setQuery('');
    setActive(0);
    setUnstarred(none);
  }, []);
  /** Closes and leaves the focus on the button that tells the pair. */
  const leave = useCallback(() => {
    close();
    trigger.current?.focus();
  }, [close]);
  const pick = (symbol: string) => {
    leave();
    onSelect(symbol);
  };
  // Where the field is part of the panel it is there only now.
  useEffect(() => {
    if (open) field.current?.focus();
  }, [open]);
  const star = (symbol: string) => {
    if (favorites(symbol)) setUnstarred((before) => new Set(before).add(symbol));
    toggle(symbol);
  };
  const countOf = (of: PairTab): number =>
    of === 'favorites'
      ? found.pairs.favorites.filter(({ symbol }) => favorites(symbol)).length
      : found.pairs[of].length;
  const search = (text: string) => {
    setOpen(true);
    setQuery(text);
    setActive(0);
  };
  const showTab = (next: PairTab) => {
    setChosenTab(next);
    setActive(0);
    setUnstarred(none);
    if (found.pairs[next].length === 0) setQuery('');
    field.current?.focus();
  };

  useEffect(() => {
    if (!open) return;
    // A click elsewhere closes it, and so does leaving it with Tab: the focus is never beneath it.
    const elsewhere = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) close();
    };
    document.addEventListener('pointerdown', elsewhere);
    document.addEventListener('focusin', elsewhere);
    return () => {
      document.removeEventListener('pointerdown', elsewhere);
      document.removeEventListener('focusin', elsewhere);
    };
  }, [open, close]);

  useActions([{ id: 'search', label: 'Search for a pair', group: 'General', keys: ['/'], perform: show }]);

  const last = rows.length - 1;
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: current === last ? 0 : current + 1,
    ArrowUp: current === 0 ? last : current - 1,
    PageDown: Math.min(last, current + rowsPerPage),
    PageUp: Math.max(0, current - rowsPerPage),
    // With a text they move in the text.
    ...(query === '' && { Home: 0, End: last }),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[current];
    if (event.key === 'Escape' && open) {
      event.preventDefault();
      event.stopPropagation();
      leave();
    } else if (event.key === 'Enter' && open && row) {
      event.preventDefault();
      pick(row.symbol);
    } else if (event.altKey && event.code === 'KeyS' && open && row) {
      event.preventDefault();
      star(row.symbol);
    } else if (moves[event.key] !== undefined) {
      event.preventDefault();
      if (open) setActive(Math.max(0, moves[event.key] ?? 0));
      else setOpen(true);
    }
  };

  return {
    root: root as RefObject<HTMLDivElement | null>,
    field: field as RefObject<HTMLInputElement | null>,
    trigger: trigger as RefObject<HTMLButtonElement | null>,
    listId,
    open,
    query,
    tab,
    found,
    rows,
    active: current,
    activeId: open && rows.length > 0 ? optionId(listId, current) : undefined,
    favorites,
    show,
    close,
    leave,
    pick,
    search,
    showTab,
    star,
    countOf,
    onKeyDown,
  };
}
export type PairMenuState = ReturnType<typeof usePairMenu>;
