/**
 * A combobox: the focus stays in a text field while keys walk the options of a listbox. Invariant: there is an active option
 * whenever there are options; one that disappears makes the first one active.
 *
 * `Listbox` scrolls the active option into view; a list of visible rows alone does it itself (`useVisibleRows`).
 */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';

interface ComboboxOptions<Item> {
  readonly items: readonly Item[];
  /** Unique among `items`. */
  readonly keyOf: (item: Item) => string;
  /** Further keys: Page Up and Page Down step by this many options. Home and End move in the empty field alone. */
  readonly paging?: { readonly rows: number; readonly isEmpty: boolean };
}

export const toOptionId = (listId: string, key: string): string => `${listId}-${key}`;

export function useCombobox<Item>({ items, keyOf, paging }: ComboboxOptions<Item>) {
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const isPointed = useRef<boolean>(false);
  const index = Math.max(
    0,
    items.findIndex((item) => keyOf(item) === activeKey),
  );
  const active = items[index];
  const activeId = active === undefined ? undefined : toOptionId(listId, keyOf(active));

  useEffect(() => {
    // What is under the pointer does not move.
    if (activeId !== undefined && !isPointed.current)
      list.current?.querySelector(`#${CSS.escape(activeId)}`)?.scrollIntoView({ block: 'nearest' });
    isPointed.current = false;
  }, [activeId]);

  const last = items.length - 1;
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: index === last ? 0 : index + 1,
    ArrowUp: index === 0 ? last : index - 1,
    ...(paging && {
      PageDown: Math.min(last, index + paging.rows),
      PageUp: Math.max(0, index - paging.rows),
    }),
    ...(paging?.isEmpty && { Home: 0, End: last }),
  };
  /** Whether the key moves the active option. */
  const isMove = ({ key }: KeyboardEvent): boolean => moves[key] !== undefined;
  return {
    listId,
    active,
    activeIndex: index,
    activeId,
    /** Null for the first option. */
    setActiveKey,
    isMove,
    /** Handles the keys that move, and Enter. */
    onKeyDown: (event: KeyboardEvent, onEnter: (active: Item | undefined) => void): void => {
      if (event.nativeEvent.isComposing) return;
      const target = items[moves[event.key] ?? -1];
      if (event.key === 'Enter') onEnter(active);
      else if (!isMove(event)) return;
      if (target !== undefined) setActiveKey(keyOf(target));
      event.preventDefault();
    },
    list,
    toOptionId: (item: Item): string => toOptionId(listId, keyOf(item)),
    /** The pointer is on this option. */
    point: (item: Item): void => {
      if (item === active) return;
      isPointed.current = true;
      setActiveKey(keyOf(item));
    },
  } as const;
}
export type Combobox<Item> = ReturnType<typeof useCombobox<Item>>;
