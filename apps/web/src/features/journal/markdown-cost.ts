/**
 * Decides whether a text's Markdown can be rendered within an acceptable time. Parsing takes quadratic time for some
 * marks and for the lines of one block, and deeply nested marks exhaust the stack. 10,000 list marks in one line take
 * minutes and then fail. Staff who impersonate a trader render that trader's text, so it must not block their
 * browser.
 *
 * Invariant: a text that passes is rendered in about half a second on a slow machine, at the maximum length.
 */

const mostContainers = 600;
const deepestInLine = 16;
const deepestIndent = 100;
/**
 * In an underlined heading, and in a list or quote that continues without its mark, each line costs as much as all
 * lines.
 */
const mostLines = 3_000;
const mostEmphasis = 2_000;
const mostOpened = 1_000;

/** The mark of a quote or a list item, at the start of a line or after another one. */
const container = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/y;

function countContainers(line: string): number {
  let count = 0;
  container.lastIndex = 0;
  while (container.test(line)) count += 1;
  return count;
}

/** Columns before the first character of the line. */
function getIndent(line: string): number {
  let columns = 0;
  for (const blank of line) {
    if (blank === '\t') columns += 4 - (columns % 4);
    else if (blank === ' ') columns += 1;
    else break;
  }
  return columns;
}

const countMatches = (text: string, mark: RegExp): number => text.match(mark)?.length ?? 0;

export function isCheapToRender(text: string): boolean {
  if (countMatches(text, /[*_]/g) > mostEmphasis || countMatches(text, /[[<`]/g) > mostOpened) return false;
  let containers = 0;
  let lines = 0;
  for (const line of text.split(/\r\n?|\n/)) {
    if (line.trim() !== '') lines += 1;
    const inLine = countContainers(line);
    containers += inLine;
    if (lines > mostLines || inLine > deepestInLine || containers > mostContainers) return false;
    if (inLine > 0 && getIndent(line) > deepestIndent) return false;
  }
  return true;
}
