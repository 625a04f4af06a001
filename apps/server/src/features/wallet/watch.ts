/**
 * Watches the books while the server runs: a full pass at the start and 24 hours after the last one, a minute pass in
 * between. Invariants: what a pass found is told at once and stays in the report until a pass of the same depth finds
 * nothing; at most one pass of each depth runs; after `stop` none does.
 *
 * A pass that cannot run (no database) is logged and tried again a minute later; when none came through for five minutes
 * the report says that nobody knows, which halts nothing: it is no violation that was found.
 */
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { type InvariantReport, passBooks, type Violation } from './passes.ts';

export interface BooksReport extends InvariantReport {
  /** ISO 8601 UTC; null before the first full pass of this process. */
  readonly fullCheckedAt: string | null;
}

export interface BooksWatch {
  /** The full pass of the start runs in the background. */
  start(): void;
  stop(): Promise<void>;
  report(): BooksReport;
}

export interface BooksWatchDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly onViolation: (violation: Violation) => void;
  /** Between two minute passes; a test may not wait for a minute. */
  readonly everyMs?: number;
}

type Depth = 'full' | 'minute';

const minuteMs = 60_000;
/** Beats without a pass after which the last one says nothing about now. */
const beatsMissedMax = 5;
const fullEveryMs = 24 * 60 * minuteMs;

export function watchBooks(deps: BooksWatchDependencies): BooksWatch {
  const { db, clock, log, onViolation, everyMs = minuteMs } = deps;
  const stopping = new AbortController();
  const running = new Map<Depth, Promise<void>>();
  const reports = new Map<Depth, InvariantReport>();
  let timer: NodeJS.Timeout | undefined;
  let passedAt = clock.now();
  let fullDueAt = Number.NEGATIVE_INFINITY;

  const pass = async (depth: Depth): Promise<void> => {
    try {
      const report = await passBooks(db, depth, stopping.signal);
      if (!report) return;
      reports.set(depth, report);
      passedAt = clock.now();
      if (depth === 'full') fullDueAt = clock.now() + fullEveryMs;
      const { violations } = report;
      if (violations.length > 0) log.fatal({ violations }, 'ALARM: the books are not whole');
      for (const violation of violations) onViolation(violation);
    } catch (error) {
      if (!stopping.signal.aborted) log.error({ err: error }, 'the books could not be checked');
    }
  };
  const begin = (depth: Depth): void => {
    if (running.has(depth)) return;
    running.set(
      depth,
      pass(depth).finally(() => running.delete(depth)),
    );
  };
  const beat = (): void => {
    if (clock.now() >= fullDueAt) begin('full');
    begin('minute');
  };

  return {
    start: () => {
      passedAt = clock.now();
      beat();
      timer = setInterval(beat, everyMs).unref();
    },
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await Promise.all(running.values());
    },
    report: () => {
      const [full, minute] = [reports.get('full'), reports.get('minute')];
      const violations = [...(full?.violations ?? []), ...(minute?.violations ?? [])];
      if (clock.now() - passedAt > beatsMissedMax * everyMs) {
        const since = new Date(passedAt).toISOString();
        violations.push({
          number: 0,
          invariant: 'the books are checked every minute',
          detail: `not since ${since}`,
        });
      }
      const [fullAt, minuteAt] = [full?.checkedAt ?? null, minute?.checkedAt ?? null];
      return {
        ok: violations.length === 0,
        checkedAt: fullAt === null || (minuteAt !== null && minuteAt > fullAt) ? minuteAt : fullAt,
        fullCheckedAt: fullAt,
        violations: violations.filter(
          ({ invariant }, i) => violations.findIndex((other) => other.invariant === invariant) === i,
        ),
      };
    },
  };
}
