/**
 * The pair selector's state: a combobox whose field has the focus while arrow keys walk the list. It closes on
 * Escape, on a choice, and on a click or focus elsewhere. Each opening starts with an empty search.
 */
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useActions } from '../../../shared/actions/index.ts';
import type { PairTab } from './search.ts';
import { usePairSearch } from './usePairSearch.ts';
import type { Pair } from './usePairs.ts';

export function usePairMenu(pairs: readonly Pair[], onSelect: (symbol: string) => void) {
  const found = usePairSearch(pairs);
  const { field, reset } = found;
  const root: RefObject<HTMLDivElement | null> = useRef(null);
  const trigger: RefObject<HTMLButtonElement | null> = useRef(null);
  const [open, setOpen] = useState(false);

  const show = useCallback(() => {
    setOpen(true);
    field.current?.focus();
  }, [field]);
  const close = useCallback(() => {
    setOpen(false);
    reset();
  }, [reset]);
  /** Closes and moves the focus to the button that names the pair. */
  const leave = useCallback(() => {
    close();
    trigger.current?.focus();
  }, [close]);
  const pick = (symbol: string) => {
    leave();
    onSelect(symbol);
  };
  // A field inside the panel exists only after the panel opened.
  useEffect(() => {
    if (open) field.current?.focus();
  }, [open, field]);
  const search = (text: string) => {
    setOpen(true);
    found.search(text);
  };
  const showTab = (next: PairTab) => {
    found.showTab(next);
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

  const onKeyDown = (event: KeyboardEvent) => {
    if (open && event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      leave();
    } else if (open) {
      found.onRowKey(event, pick);
    } else if (found.isMove(event)) {
      event.preventDefault();
      setOpen(true);
    }
  };

  return {
    ...found,
    root,
    trigger,
    open,
    show,
    close,
    leave,
    pick,
    search,
    showTab,
    onKeyDown,
  };
}
export type PairMenuState = ReturnType<typeof usePairMenu>;
