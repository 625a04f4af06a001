/**
 * How an announced row changes the lists a screen holds. Events may repeat, overtake an answer and go missing: a row
 * replaces only an older version of itself, and `hasGap` tells when the account has to be read again.
 */
import type { Position } from '../supabase/rows.ts';

/** Closed positions kept in memory by live updates; older ones are read page by page. */
export const closedListLimit = 500;

/**
 * The account's version rises by one with every change, and all rows of one change carry the same. `known` is the latest
 * this page has seen.
 */
export const hasGap = (known: number | undefined, announced: number): boolean =>
  known !== undefined && announced > known + 1;

const isNewer = (
  row: { readonly version: number },
  held: { readonly version: number } | undefined,
): boolean => held === undefined || row.version > held.version;

/** The newer of a held and an announced row. */
export const newest = <Row extends { readonly version: number }>(
  held: Row | null | undefined,
  row: Row,
): Row => (isNewer(row, held ?? undefined) ? row : (held ?? row));

/** Open positions, newest first, after `row` was announced. The same array when nothing changed. */
export function applyToOpen(open: readonly Position[], row: Position): readonly Position[] {
  const held = open.find((position) => position.id === row.id);
  if (row.status === 'closed') return held ? open.filter((position) => position !== held) : open;
  if (!isNewer(row, held)) return open;
  if (held) return open.map((position) => (position === held ? row : position));
  return [row, ...open];
}

/** Closed positions, latest closing first, after `row` was announced. The same array when nothing changed. */
export function applyToClosed(closed: readonly Position[], row: Position): readonly Position[] {
  if (row.status !== 'closed') return closed;
  const held = closed.find((position) => position.id === row.id);
  if (!isNewer(row, held)) return closed;
  if (held) return closed.map((position) => (position === held ? row : position));
  return [row, ...closed].slice(0, closedListLimit);
}
