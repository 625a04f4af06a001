/**
 * Whether a text's Markdown can be laid out while somebody waits. Reading it takes time by the square of some marks, and deeply
 * nested ones exhaust the stack: 10,000 list marks in one line take minutes and then fail. Staff who act as a trader read what
 * that trader wrote. Invariant: a text that passes is laid out in about half a second on a slow machine, at the longest allowed.
 */

const mostContainers = 600;
const deepestInLine = 16;
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

const countOf = (text: string, mark: RegExp): number => text.match(mark)?.length ?? 0;

export function canBeLaidOut(text: string): boolean {
  if (countOf(text, /[*_]/g) > mostEmphasis || countOf(text, /[[<`]/g) > mostOpened) return false;
  let containers = 0;
  for (const line of text.split(/\r\n?|\n/)) {
    const inLine = containersIn(line);
    containers += inLine;
    if (inLine > deepestInLine || containers > mostContainers) return false;
  }
  return true;
}
