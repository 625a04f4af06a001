/** Computes which rows of a long list to render: the visible ones and a few around them. All rows have one height. */

export interface ScrollState {
  /** px scrolled away above. */
  readonly top: number;
  /** Visible px. */
  readonly height: number;
}

/** Extra rows beyond each edge, so that scrolling shows no blank rows. */
const overscanRows = 4;

/** `[from, to)`, the indices of the rows to render. */
export function getVisibleRows(
  { top, height }: ScrollState,
  rowPx: number,
  count: number,
): readonly [number, number] {
  const first = Math.floor(top / rowPx) - overscanRows;
  const last = Math.ceil((top + height) / rowPx) + overscanRows;
  const to = Math.min(count, Math.max(0, last));
  return [Math.min(to, Math.max(0, first)), to];
}

/** The scroll position that shows a whole row, with the least movement. */
export function getScrollTopFor({ top, height }: ScrollState, rowPx: number, row: number): number {
  const [above, below] = [row * rowPx, (row + 1) * rowPx - height];
  return Math.max(0, Math.min(Math.max(top, below), above));
}
