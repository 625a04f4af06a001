/**
 * Rows as a CSV text (RFC 4180): CRLF between records, quotes where needed. Invariant: a spreadsheet reads no text
 * cell as a formula; a cell that looks like one gets an apostrophe before it (A77). Numbers are plain decimals
 * without grouping, so that they stay numbers.
 */
import { parseDecimal, toDecimalString } from './money.ts';

/** Null is an empty cell; a bigint is an exact figure in units of 1e-8. */
export type Cell = string | number | bigint | null;

/** Some programs skip spaces before it, some read the full-width signs as the plain ones. */
const formulaStart = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;
const needsQuotes = /[",\r\n]/;

function textOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'bigint') return toDecimalString(cell);
  if (typeof cell === 'number') return toDecimalString(parseDecimal(cell));
  const safe = formulaStart.test(cell) ? `'${cell}` : cell;
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One record with its line end, for files that are written piece by piece. */
export const csvRecord = (cells: readonly Cell[]): string => `${cells.map(textOf).join(',')}\r\n`;

export const toCsv = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, ...rows].map(csvRecord).join('');

/** The head of every file of positions. */
export const positionFileHead = [
  'Symbol',
  'Side',
  'Entry Price',
  'Close Price',
  'Size',
  'Leverage',
  'PnL',
  'ROE%',
  'Closed At',
] as const satisfies readonly string[];

/** The head of a file of positions that names the user, the position and exact times. */
export const positionFileHeadWithIds = [
  'Username',
  'Email',
  'Position Id',
  ...positionFileHead,
  'Opened At (UTC)',
  'Closed At (UTC)',
] as const satisfies readonly string[];
