/**
 * The log of requests to a provider for one series, which prevents repeated requests: ranges of its settled bars, including
 * their gaps (a holiday, a minute without a trade), the beginning of its history, and recent failures.
 * Invariant: a range is covered only as far as the provider's answer is final. Ranges are `[from, to)` of bar names.
 * Known limitation: in memory only; after a start each gap is requested once more.
 */
import type { Span } from '@fulcrum/domain';
import { hourMs } from '@fulcrum/domain';

/** Ranges of a series that are remembered; the oldest in time is forgotten first. */
const rangesMax = 64;
const failureMs = 60_000;
/** An empty answer may be a fault: retried sooner when the provider has no bars at all, later when it has no older ones. */
const nothingMs = { atAll: 5 * 60_000, older: 6 * hourMs } as const;
/** The newest bars are requested again only after this long. */
const newestEveryMs = 60_000;

const unknownBeginning = { name: -Infinity, until: -Infinity };

export type FetchLog = ReturnType<typeof createFetchLog>;

export function createFetchLog() {
  /** By time, neither overlapping nor touching. */
  let ranges: Span[] = [];
  let answerCount = 0;
  let beginning = unknownBeginning;
  let failed: { cause: unknown; until: number } | null = null;
  let newest: { at: number; settledTo: number } | null = null;

  return {
    /** How many answers were taken in: bars that were read before the last of them are out of date. */
    answerCount: (): number => answerCount,
    covers({ from, to }: Span, now: number): boolean {
      const first = now < beginning.until ? Math.max(from, beginning.name) : from;
      return first >= to || ranges.some((range) => range.from <= first && to <= range.to);
    },
    /** The provider gave its bars of the range. */
    addAnswer({ from, to }: Span): void {
      answerCount += 1;
      if (from >= to) return;
      const apart = ranges.filter((range) => range.to < from || range.from > to);
      const joined = ranges.filter((range) => range.to >= from && range.from <= to);
      ranges = [
        ...apart,
        {
          from: Math.min(from, ...joined.map((range) => range.from)),
          to: Math.max(to, ...joined.map((range) => range.to)),
        },
      ]
        .sort((left, right) => left.from - right.from)
        .slice(-rangesMax);
    },
    /** The provider has nothing before the bar of that name: no older bars, or none at all up to now. */
    markBeginning(name: number, now: number, which: keyof typeof nothingMs): void {
      answerCount += 1;
      beginning = { name, until: now + nothingMs[which] };
    },
    /** Clears the log, because the stored bars are deleted. */
    forget(): void {
      answerCount += 1;
      ranges = [];
      beginning = unknownBeginning;
      newest = null;
    },
    addFailure(cause: unknown, now: number): void {
      failed = { cause, until: now + failureMs };
    },
    /** The provider's recent failure; null: none. A clock that was set back does not make it last longer. */
    failure: (now: number): { readonly cause: unknown } | null =>
      failed && now < failed.until && failed.until - now <= failureMs ? failed : null,
    /** The answer held the newest bars, settled up to (not including) the one named. */
    addNewest(settledTo: number, now: number): void {
      newest = { at: now, settledTo };
    },
    newest: (): { readonly at: number; readonly settledTo: number } | null => newest,
    /** Whether the newest bars were requested a moment ago. */
    isNewestRecent: (now: number): boolean => newest !== null && Math.abs(now - newest.at) < newestEveryMs,
  };
}
