/**
 * Cuts a stream of text into sentences. A sentence ends with `.`, `!` or `?` before a space, or with its line. Marks of lists and
 * emphasis are removed, because the number of a list is no figure.
 */
import { sentenceLengthMax } from './grounding.ts';

const listMark = /^\s*(?:[-*•]\s+|\d{1,2}[.)]\s+|#{1,6}\s+|>\s+)/;
const emphasis = /\*\*|__|`/g;
const boundary = /[.!?]["')\]]*(?=\s)|\n/g;

export interface SentenceSplitter {
  /** The sentences that this part of the text completes. */
  push(part: string): readonly string[];
  /** The rest. */
  end(): readonly string[];
}

export function createSentenceSplitter(): SentenceSplitter {
  let rest = '';
  let startsLine = true;

  const clean = (raw: string): string => {
    const text = startsLine ? raw.replace(listMark, '') : raw;
    return text.replace(emphasis, '').replace(/\s+/g, ' ').trim();
  };

  function cut(isEnd: boolean): string[] {
    const sentences: string[] = [];
    let from = 0;
    for (const match of rest.matchAll(boundary)) {
      const to = match.index + match[0].length;
      const raw = rest.slice(from, to);
      // The mark of a list alone: its line goes on.
      if (startsLine && match[0] !== '\n' && /^\s*\d{1,2}\.$/.test(raw)) continue;
      const text = clean(raw);
      if (text !== '') sentences.push(text);
      from = to;
      startsLine = match[0] === '\n' || (startsLine && text === '');
    }
    rest = rest.slice(from);
    // A sentence without an end is cut, and fails for its length.
    if (isEnd || rest.length > sentenceLengthMax * 2) {
      const text = clean(rest);
      rest = '';
      if (text !== '') sentences.push(text);
    }
    return sentences;
  }

  return {
    push(part) {
      rest += part.replaceAll('\r', '');
      return cut(false);
    },
    end: () => cut(true),
  };
}
