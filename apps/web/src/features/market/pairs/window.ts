/** Which rows of a long list are worth drawing: those in sight and a few around them. All rows have one height. */

export interface Scrolled {
  /** px that are scrolled away above. */
  readonly top: number;
  /** px in sight. */
  readonly height: number;
}

/** Rows drawn beyond each edge, so that scrolling meets no blank ones. */
const overscanRows = 4;

/** `[from, to)`, the indices of the rows to draw. */
export function rowsInSight(
  { top, height }: Scrolled,
  rowPx: number,
  count: number,
): readonly [number, number] {
  const first = Math.floor(top / rowPx) - overscanRows;
  const last = Math.ceil((top + height) / rowPx) + overscanRows;
  const to = Math.min(count, Math.max(0, last));
  return [Math.min(to, Math.max(0, first)), to];
}

/** Where the list has to be scrolled to, so that a row is wholly in sight: as little as possible. */
export function scrollTopFor({ top, height }: Scrolled, rowPx: number, row: number): number {
  const [above, below] = [row * rowPx, (row + 1) * rowPx - height];
  return Math.max(0, Math.min(Math.max(top, below), above));
}
