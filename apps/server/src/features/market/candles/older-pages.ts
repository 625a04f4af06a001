/**
 * Caches a provider's bars that are older than the stored ones: a client that pages far back does not justify permanent
 * storage, but its requests should not be repeated. Invariant: bounded; the next page is served from a cached page that
 * reaches further back than its request.
 */
import type { StoredBar } from './store.ts';

/** Of at most `barsMax` bars each, so some 10 MB; the one that was used the longest ago leaves first. */
const pagesMax = 64;

export interface PageQuery {
  readonly limit: number;
  /** Name of the first bar that is too new. */
  readonly before: number;
}

interface OlderPages {
  /** The newest bars of a series that a cached page covers completely; null: a request to the provider is needed. */
  find(series: string, pageQuery: PageQuery): readonly StoredBar[] | null;
  /** `bars`: all bars that the provider returned before that bar, oldest first. */
  store(series: string, before: number, bars: readonly StoredBar[]): void;
  /** The provider has corrected these. */
  forget(series: string): void;
}

export function createOlderPages(): OlderPages {
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
        // Fewer bars than requested are complete only where that was the provider's own answer.
        if (bars.length < limit && page.before !== before) continue;
        pages.delete(page);
        pages.add(page);
        return bars;
      }
      return null;
    },
    store(series, before, bars) {
      pages.add({ series, before, bars });
      const [oldest] = pages;
      if (oldest && pages.size > pagesMax) pages.delete(oldest);
    },
    forget(series) {
      for (const page of pages) if (page.series === series) pages.delete(page);
    },
  };
}
