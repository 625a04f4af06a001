/**
 * Rows as a CSV text (RFC 4180): CRLF between records, quotes around what needs them. Invariant: no text cell is a formula to
 * the program that opens the file; one that could be read as one is prefixed with an apostrophe (A77). Numbers are written as
 * plain decimals, without grouping, so that they stay numbers.
 */
import { parseDecimal, toDecimalString } from '@fulcrum/domain';

/** Null is an empty cell. */
export type Cell = string | number | null;

/** Some programs skip spaces before it, some read the full-width signs as the plain ones. */
const formulaStart = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;
const needsQuotes = /[",\r\n]/;

function textOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return toDecimalString(parseDecimal(cell));
  const safe = formulaStart.test(cell) ? `'${cell}` : cell;
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const recordOf = (cells: readonly Cell[]): string => cells.map(textOf).join(',');

export const toCsv = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, ...rows].map((cells) => `${recordOf(cells)}\r\n`).join('');
