/**
 * What a provider has been asked of one series, so that it is not asked again: ranges of its settled bars, with the
 * places where it has none (a holiday, a minute without a trade), where its history begins, and a failure for a while.
 * Invariant: a range is covered only as far as the provider's word is final. Ranges are `[from, to)` of bar names.
 * Known limitation: kept in memory; after a start each hole is asked for once more.
 */
import type { Span } from '@fulcrum/domain';

/** Ranges of a series that are remembered; the oldest in time is forgotten first. */
const rangesMax = 64;
const failureMs = 60_000;
/** A provider that has nothing may have been at fault: sooner when it has no bars at all, later when it has no older ones. */
const nothingMs = { atAll: 5 * 60_000, older: 6 * 3_600_000 } as const;
/** The newest bars are asked for again only after this long. */
const newestEveryMs = 60_000;

export interface Asked {
  /** How many answers were taken in: bars that were read before the last of them are out of date. */
  answers(): number;
  covers(range: Span, now: number): boolean;
  /** The provider gave its bars of the range. */
  answered(range: Span): void;
  /** The provider has nothing before the bar of that name: no older bars, or none at all up to now. */
  nothingBefore(name: number, now: number, which: 'older' | 'atAll'): void;
  failed(failure: unknown, now: number): void;
  /** What is stored is gone, and with it what was answered. */
  forget(): void;
  /** What the provider failed with a moment ago; null: nothing. */
  failure(now: number): { readonly cause: unknown } | null;
  /** The answer held the newest bars, settled up to (not including) the one named. */
  answeredNewest(settledTo: number, now: number): void;
  newest(): { readonly at: number; readonly settledTo: number } | null;
  /** Whether the newest bars were asked for a moment ago. */
  askedNewestJustNow(now: number): boolean;
}

const unknownBeginning = { name: -Infinity, until: -Infinity };

export function createAsked(): Asked {
  /** By time, neither overlapping nor touching. */
  let ranges: Span[] = [];
  let answers = 0;
  let beginning = unknownBeginning;
  let failed: { cause: unknown; until: number } | null = null;
  let newest: { at: number; settledTo: number } | null = null;

  return {
    answers: () => answers,
    covers({ from, to }, now) {
      const first = now < beginning.until ? Math.max(from, beginning.name) : from;
      return first >= to || ranges.some((range) => range.from <= first && to <= range.to);
    },
    answered({ from, to }) {
      answers += 1;
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
    nothingBefore(name, now, which) {
      answers += 1;
      beginning = { name, until: now + nothingMs[which] };
    },
    forget() {
      answers += 1;
      ranges = [];
      beginning = unknownBeginning;
      newest = null;
    },
    failed(cause, now) {
      failed = { cause, until: now + failureMs };
    },
    // A clock that was set back must not make it last longer.
    failure: (now) => (failed && now < failed.until && failed.until - now <= failureMs ? failed : null),
    answeredNewest(settledTo, now) {
      newest = { at: now, settledTo };
    },
    newest: () => newest,
    askedNewestJustNow: (now) => newest !== null && Math.abs(now - newest.at) < newestEveryMs,
  };
}
