/**
 * Whether a text's Markdown can be laid out while somebody waits. Reading it takes time by the square of some marks and of the
 * lines of one block, and deeply nested ones exhaust the stack: 10,000 list marks in one line take minutes and then fail. Staff
 * who act as a trader read what that trader wrote. Invariant: a text that passes is laid out in about half a second on a slow machine, at the longest allowed.
 */

const mostContainers = 600;
const deepestInLine = 16;
const deepestIndent = 100;
/** Of a heading that is underlined, and of what goes on in a list or quote without its mark, each line costs as many as there are. */
const mostLines = 3_000;
const mostEmphasis = 2_000;
const mostOpened = 1_000;

/** A quote's or a list item's mark, as it stands at the beginning of a line or after another one. */
const container = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/y;

function containersIn(line: string): number {
  let count = 0;
  container.lastIndex = 0;
  while (container.test(line)) count += 1;
  return count;
}

/** Columns before what stands first in the line. */
function indentOf(line: string): number {
  let columns = 0;
  for (const blank of line) {
    if (blank === '\t') columns += 4 - (columns % 4);
    else if (blank === ' ') columns += 1;
    else break;
  }
  return columns;
}

const countOf = (text: string, mark: RegExp): number => text.match(mark)?.length ?? 0;

export function canBeLaidOut(text: string): boolean {
  if (countOf(text, /[*_]/g) > mostEmphasis || countOf(text, /[[<`]/g) > mostOpened) return false;
  let containers = 0;
  let lines = 0;
  for (const line of text.split(/\r\n?|\n/)) {
    if (line.trim() !== '') lines += 1;
    const inLine = containersIn(line);
    containers += inLine;
    if (lines > mostLines || inLine > deepestInLine || containers > mostContainers) return false;
    if (inLine > 0 && indentOf(line) > deepestIndent) return false;
  }
  return true;
}
