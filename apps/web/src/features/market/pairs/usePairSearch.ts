/**
 * The state that the pair selector and the market list share: text, tab, matching rows, active row and stars. The
 * search field has the focus while keys walk the rows.
 *
 * Invariant: a row that loses its star stays in place until the tab changes or the search is reset, so that nothing
 * moves under the pointer.
 */
import { type KeyboardEvent, type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import { useCombobox } from '../../../shared/combobox/index.ts';
import type { MarketSort } from '../../../shared/preferences/index.ts';
import { isFavorite, useFavorites } from './favorites.ts';
import { defaultTab, getShownTab, type PairTab, pairsByTab } from './search.ts';
import { sortPairs } from './sort-pairs.ts';
import { useToggleFavorite } from './useFavorite.ts';
import type { Pair } from './usePairs.ts';
import { isListed, useShownWatchlists } from './watchlists.ts';

const rowsPerPage = 10;
const none: ReadonlySet<string> = new Set();

interface PairSearchOptions {
  /** The order of the rows while the search is empty; null is the catalogue's. */
  readonly sort?: MarketSort | null;
}

export function usePairSearch(pairs: readonly Pair[], { sort = null }: PairSearchOptions = {}) {
  const field: RefObject<HTMLInputElement | null> = useRef(null);
  const [query, setQuery] = useState('');
  const [chosenTab, setChosenTab] = useState<PairTab>(defaultTab);
  const { symbols } = useFavorites();
  const toggle = useToggleFavorite();

  const favorites = useCallback((symbol: string) => isFavorite(symbols, symbol), [symbols]);
  const [unstarred, setUnstarred] = useState<ReadonlySet<string>>(none);
  const { shown: watchlist } = useShownWatchlists();
  /** The pairs of the favorites tab: the stars, or those of the shown watchlist. */
  const listed = useCallback(
    (symbol: string) =>
      watchlist === null ? favorites(symbol) || unstarred.has(symbol) : isListed(watchlist, symbol),
    [favorites, unstarred, watchlist],
  );
  const found = useMemo(() => pairsByTab(pairs, query, listed), [pairs, query, listed]);
  const tab = getShownTab(chosenTab, query, found);
  const matches = found.pairs[tab];
  // A search shows its best match first.
  const rows = useMemo(
    () => (query.trim() === '' ? sortPairs(matches, sort) : matches),
    [matches, query, sort],
  );
  const { setActiveKey, ...combobox } = useCombobox({
    items: rows,
    keyOf: ({ symbol }) => symbol,
    // With text in the field, Home and End move the text cursor.
    paging: { rows: rowsPerPage, isEmpty: query === '' },
  });

  const search = (text: string) => {
    setQuery(text);
    setActiveKey(null);
  };
  const reset = useCallback(() => {
    setQuery('');
    setActiveKey(null);
    setUnstarred(none);
  }, [setActiveKey]);
  const showTab = (next: PairTab) => {
    setChosenTab(next);
    setActiveKey(null);
    setUnstarred(none);
    if (found.pairs[next].length === 0) setQuery('');
  };
  const star = (symbol: string) => {
    if (favorites(symbol)) setUnstarred((before) => new Set(before).add(symbol));
    toggle(symbol);
  };
  const countOf = (of: PairTab): number =>
    of === 'favorites' && watchlist === null
      ? found.pairs.favorites.filter(({ symbol }) => favorites(symbol)).length
      : found.pairs[of].length;

  /** Handles Enter, Alt+S and the keys that move. */
  const onRowKey = (event: KeyboardEvent, pick: (symbol: string) => void) => {
    if (!event.altKey || event.code !== 'KeyS') {
      combobox.onKeyDown(event, (row) => row && pick(row.symbol));
    } else if (combobox.active) {
      star(combobox.active.symbol);
      event.preventDefault();
    }
  };

  return {
    ...combobox,
    field,
    query,
    tab,
    rows,
    watchlist,
    favorites,
    search,
    reset,
    showTab,
    star,
    countOf,
    onRowKey,
    /** Makes this the active row, from which keys continue. */
    activate: setActiveKey,
  };
}
export type PairSearch = ReturnType<typeof usePairSearch>;
