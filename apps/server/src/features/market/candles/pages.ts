/**
 * Bars from before those that are stored, as the provider told them: what somebody who pages far back looks at is not worth
 * a place in the database for good, but neither the same question twice. Invariant: bounded; whoever pages on is answered
 * from a page that reaches further than it was asked for.
 */
import type { StoredBar } from './store.ts';

/** Of at most `barsMax` bars each, so some 10 MB; the one that was used the longest ago leaves first. */
const pagesMax = 64;

export interface PageQuestion {
  readonly limit: number;
  /** Name of the first bar that is too new. */
  readonly before: number;
}

export interface Pages {
  /** The newest bars of a series that a kept page knows the whole answer of; null: the provider has to be asked. */
  find(series: string, question: PageQuestion): readonly StoredBar[] | null;
  /** `bars`: everything that the provider told before that bar, oldest first. */
  keep(series: string, before: number, bars: readonly StoredBar[]): void;
  /** The provider has corrected these. */
  forget(series: string): void;
}

export function createPages(): Pages {
  interface Page {
    readonly series: string;
    readonly before: number;
    readonly bars: readonly StoredBar[];
  }
  const pages = new Set<Page>();

  return {
    find(series, { limit, before }) {
      for (const page of pages) {
        if (page.series !== series || page.before < before) continue;
        const bars = page.bars.filter(({ name }) => name < before).slice(-limit);
        // Less than was asked for is all there is only where that was the provider's own answer.
        if (bars.length < limit && page.before !== before) continue;
        pages.delete(page);
        pages.add(page);
        return bars;
      }
      return null;
    },
    keep(series, before, bars) {
      pages.add({ series, before, bars });
      const [oldest] = pages;
      if (oldest && pages.size > pagesMax) pages.delete(oldest);
    },
    forget(series) {
      for (const page of pages) if (page.series === series) pages.delete(page);
    },
  };
}
