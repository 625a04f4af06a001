/** Renders the visible rows of a long listbox only. All rows have one height; the active one is scrolled into view. */
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';
import { getScrollTopFor, getVisibleRows } from './visible-rows.ts';

/** Height before the list is measured. */
const listPx = 400;

interface VisibleRowsOptions {
  readonly list: RefObject<HTMLElement | null>;
  readonly rows: readonly unknown[];
  readonly rowPx: number;
  /** Index of the row that the keyboard is on; null while there is none. */
  readonly active: number | null;
}

export function useVisibleRows({ list, rows, rowPx, active }: VisibleRowsOptions) {
  const count = rows.length;
  const [[from, to], setRange] = useState(() => getVisibleRows({ top: 0, height: listPx }, rowPx, count));

  /** Renders what is visible now; scrolling within the rendered rows renders nothing. */
  const update = useCallback(() => {
    const { scrollTop, clientHeight } = list.current ?? { scrollTop: 0, clientHeight: listPx };
    const next = getVisibleRows({ top: scrollTop, height: clientHeight }, rowPx, count);
    setRange((drawn) => (drawn[0] === next[0] && drawn[1] === next[1] ? drawn : next));
  }, [list, rowPx, count]);
  useLayoutEffect(update, [update]);
  useLayoutEffect(() => {
    if (!list.current) return;
    const observer = new ResizeObserver(update);
    observer.observe(list.current);
    return () => observer.disconnect();
  }, [list, update]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list also scrolls to its active row
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const scrolled = { top: element.scrollTop, height: element.clientHeight };
    if (active !== null) element.scrollTop = getScrollTopFor(scrolled, rowPx, active);
    update();
  }, [rowPx, active, rows, update]);
  return {
    from,
    to,
    /** The list's `onScroll`. */
    update,
    /** Of the element around the rendered rows, which keeps the height of all. */
    style: { height: count * rowPx, paddingTop: from * rowPx },
  } as const;
}
