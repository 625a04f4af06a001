/**
 * Watches the books while the server runs: a full pass at the start and 24 hours after the last one, a minute pass in
 * between. Invariants: what a pass found is told at once and stays in the report until a pass of the same depth finds
 * nothing; at most one pass of each depth runs; after `stop` none does.
 *
 * A pass that cannot run (no database) is logged and tried again a minute later; when none came through for five minutes, and
 * none is under way that still gets answers, the report says that nobody knows, which halts nothing: it is no violation that
 * was found.
 */
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import {
  type Check,
  checks,
  type InvariantReport,
  passBooks,
  type RowCounts,
  type Violation,
} from './passes.ts';

export interface BooksReport extends Omit<InvariantReport, 'counts'> {
  /** ISO 8601 UTC; null before the first full pass of this process. */
  readonly fullCheckedAt: string | null;
}

/** One invariant, as the last passes found it. */
export interface CheckReport extends Omit<Check, 'judges'> {
  readonly ok: boolean;
  /** The first offenders, or how many rows prove it. */
  readonly detail: string;
}

export interface BooksWatch {
  /** The full pass of the start runs in the background. */
  start(): void;
  stop(): Promise<void>;
  report(): BooksReport;
  /** Every invariant by itself, with what the last full pass has seen of it. */
  checks(): readonly CheckReport[];
  /** Passes of both depths now, after those that are under way. Null when one could not run. */
  checkNow(): Promise<BooksReport | null>;
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
  /** What minute passes have looked at since the last full one. */
  let countsSince: RowCounts | null = null;
  /** How many were through. */
  const passes = new Map<Depth, number>();
  let timer: NodeJS.Timeout | undefined;
  let passedAt = clock.now();
  /** When a pass that is under way got its last answer; over large books it takes longer than a few beats. */
  const heardAt = new Map<Depth, number>();
  /** After one that broke only one that is through counts, or nobody would be told of what always breaks in the middle. */
  const broken = new Set<Depth>();
  /** The full pass that is under way: over large books it takes minutes, and who looks meanwhile is told how far it is. */
  let underWay: { readonly since: number; wallets: number } | null = null;
  let fullDueAt = Number.NEGATIVE_INFINITY;

  const pass = async (depth: Depth): Promise<void> => {
    if (depth === 'full') underWay = { since: clock.now(), wallets: 0 };
    try {
      const report = await passBooks(db, depth, {
        signal: stopping.signal,
        onAnswer: () => {
          heardAt.set(depth, clock.now());
        },
        onWallets: (judged) => {
          if (underWay) underWay.wallets = judged;
        },
      });
      if (!report) return;
      passes.set(depth, (passes.get(depth) ?? 0) + 1);
      reports.set(depth, report);
      countsSince = depth === 'full' ? null : added(countsSince, report.counts);
      passedAt = clock.now();
      broken.delete(depth);
      if (depth === 'full') fullDueAt = clock.now() + fullEveryMs;
      const { violations } = report;
      if (violations.length > 0) log.fatal({ violations }, 'ALARM: the books are not whole');
      for (const violation of violations) onViolation(violation);
    } catch (error) {
      broken.add(depth);
      if (!stopping.signal.aborted) log.error({ err: error }, 'the books could not be checked');
    } finally {
      if (depth === 'full') underWay = null;
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

  /** False when it could not run. */
  const passNow = async (depth: Depth): Promise<boolean> => {
    await running.get(depth);
    const before = passes.get(depth) ?? 0;
    begin(depth);
    await running.get(depth);
    return (passes.get(depth) ?? 0) > before;
  };

  /** When it was last known that the books are being looked at. */
  const lastSign = (): number =>
    [...running.keys()]
      .filter((depth) => !broken.has(depth))
      .reduce((latest, depth) => Math.max(latest, heardAt.get(depth) ?? latest), passedAt);

  const report = (): BooksReport => {
    const [full, minute] = [reports.get('full'), reports.get('minute')];
    const violations = [...(full?.violations ?? []), ...(minute?.violations ?? [])];
    if (clock.now() - lastSign() > beatsMissedMax * everyMs) {
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
    report,
    checks: () => {
      const { violations } = report();
      const counts = reports.get('full')?.counts;
      const known = checks.map(({ number, title, judges }) => {
        const violation = violations.find(({ invariant }) => invariant === title);
        return {
          number,
          title,
          ok: !violation,
          detail: violation?.detail ?? (counts ? provenBy(judges, counts, countsSince) : notYet(underWay)),
        };
      });
      const unlisted = violations.filter(({ invariant }) => !checks.some(({ title }) => title === invariant));
      return [
        ...unlisted.map(({ number, invariant, detail }) => ({ number, title: invariant, ok: false, detail })),
        ...known,
      ];
    },
    checkNow: async () => {
      if (!(await passNow('full'))) return null;
      // Until a full pass was whole there is nothing that the minute pass could start from.
      if (report().ok || reports.has('minute')) await passNow('minute');
      return report();
    },
  };
}

const nouns = {
  ledger: ['entry', 'entries'],
  wallets: ['wallet', 'wallets'],
  positions: ['position', 'positions'],
  orders: ['order', 'orders'],
  entries: ['entry', 'entries'],
  lines: ['transaction', 'transactions'],
  notifications: ['notification', 'notifications'],
} as const satisfies Record<Check['judges'], readonly [one: string, many: string]>;

const added = (to: RowCounts | null, counts: RowCounts): RowCounts => ({
  ledger: (to?.ledger ?? 0) + counts.ledger,
  wallets: (to?.wallets ?? 0) + counts.wallets,
  positions: (to?.positions ?? 0) + counts.positions,
  orders: (to?.orders ?? 0) + counts.orders,
  entries: (to?.entries ?? 0) + counts.entries,
  lines: (to?.lines ?? 0) + counts.lines,
  notifications: (to?.notifications ?? 0) + counts.notifications,
});

/** Before the first full pass of this process is through. */
function notYet(underWay: { readonly since: number; readonly wallets: number } | null): string {
  if (!underWay) return 'not checked yet';
  const since = `since ${new Date(underWay.since).toISOString().slice(11, 16)} UTC`;
  const { wallets } = underWay;
  if (wallets === 0) return `being checked ${since}`;
  return `${wallets.toLocaleString('en-US')} ${wallets === 1 ? 'wallet' : 'wallets'} ${since}`;
}

/** `12 wallets`, and how many were looked at since: the same one may be among them more than once. */
function provenBy(judges: Check['judges'], full: RowCounts, since: RowCounts | null): string {
  const [one, many] = nouns[judges];
  const count = full[judges];
  const later = since?.[judges] ?? 0;
  const whole = `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
  return later === 0 ? whole : `${whole}, ${later.toLocaleString('en-US')} since`;
}
