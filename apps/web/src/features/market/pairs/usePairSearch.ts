/**
 * The state that the pair selector and the market list share: text, tab, matching rows, active row and stars. The
 * search field has the focus while keys walk the rows.
 *
 * Invariant: a row that loses its star stays in place until the tab changes or the search is reset, so that nothing
 * moves under the pointer.
 */
import { type KeyboardEvent, type RefObject, useCallback, useId, useMemo, useRef, useState } from 'react';
import { isFavorite, useFavorites } from './favorites.ts';
import { optionId } from './PairList.tsx';
import { defaultTab, getShownTab, type PairTab, pairsByTab } from './search.ts';
import { useToggleFavorite } from './useFavorite.ts';
import type { Pair } from './usePairs.ts';

const rowsPerPage = 10;
const none: ReadonlySet<string> = new Set();

export function usePairSearch(pairs: readonly Pair[]) {
  const listId = useId();
  const field: RefObject<HTMLInputElement | null> = useRef(null);
  const [query, setQuery] = useState('');
  const [chosenTab, setChosenTab] = useState<PairTab>(defaultTab);
  const [active, setActive] = useState(0);
  const { symbols } = useFavorites();
  const toggle = useToggleFavorite();

  const favorites = useCallback((symbol: string) => isFavorite(symbols, symbol), [symbols]);
  const [unstarred, setUnstarred] = useState<ReadonlySet<string>>(none);
  const listed = useCallback(
    (symbol: string) => favorites(symbol) || unstarred.has(symbol),
    [favorites, unstarred],
  );
  const found = useMemo(() => pairsByTab(pairs, query, listed), [pairs, query, listed]);
  const tab = getShownTab(chosenTab, query, found);
  const rows = found.pairs[tab];
  const current = Math.min(active, Math.max(0, rows.length - 1));

  const search = (text: string) => {
    setQuery(text);
    setActive(0);
  };
  const reset = useCallback(() => {
    setQuery('');
    setActive(0);
    setUnstarred(none);
  }, []);
  const showTab = (next: PairTab) => {
    setChosenTab(next);
    setActive(0);
    setUnstarred(none);
    if (found.pairs[next].length === 0) setQuery('');
  };
  const star = (symbol: string) => {
    if (favorites(symbol)) setUnstarred((before) => new Set(before).add(symbol));
    toggle(symbol);
  };
  const countOf = (of: PairTab): number =>
    of === 'favorites'
      ? found.pairs.favorites.filter(({ symbol }) => favorites(symbol)).length
      : found.pairs[of].length;

  const last = rows.length - 1;
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: current === last ? 0 : current + 1,
    ArrowUp: current === 0 ? last : current - 1,
    PageDown: Math.min(last, current + rowsPerPage),
    PageUp: Math.max(0, current - rowsPerPage),
    // With text in the field, these keys move the text cursor.
    ...(query === '' && { Home: 0, End: last }),
  };
  /** The row that a key moves to; undefined for any other key. */
  const moveOf = (event: KeyboardEvent): number | undefined => moves[event.key];
  /** Handles Enter, Alt+S and the keys that move. */
  const onRowKey = (event: KeyboardEvent, pick: (symbol: string) => void) => {
    const row = rows[current];
    const move = moveOf(event);
    if (event.key === 'Enter' && row) pick(row.symbol);
    else if (event.altKey && event.code === 'KeyS' && row) star(row.symbol);
    else if (move !== undefined) setActive(Math.max(0, move));
    else return;
    event.preventDefault();
  };
  /** Makes this the active row, from which keys continue. */
  const activate = (symbol: string) => setActive(rows.findIndex((row) => row.symbol === symbol));

  return {
    listId,
    field,
    query,
    tab,
    rows,
    active: current,
    activeId: rows.length > 0 ? optionId(listId, current) : undefined,
    favorites,
    search,
    reset,
    showTab,
    star,
    countOf,
    moveOf,
    onRowKey,
    activate,
  };
}
export type PairSearch = ReturnType<typeof usePairSearch>;
