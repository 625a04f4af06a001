/**
 * Verifies the ledger while the server runs: a full pass at the start and 24 hours after the last one, a minute pass
 * in between. Invariants: violations are reported at once and stay in the report until a pass of the same depth finds
 * none. At most one pass of each depth runs; after `stop` none does.
 *
 * A pass that cannot run (no database) is logged and tried again a minute later. When none succeeded for five
 * minutes, and no running pass still gets answers, the report states that the result is unknown. That halts nothing,
 * because it is no violation.
 *
 * Of several processes the holder of the duty `ledger` verifies; a violation it finds is a halt for all.
 */
import { dayMs, minuteMs } from '@fulcrum/domain';
import type { Services } from '../../platform/services.ts';
import {
  type Check,
  checks,
  type InvariantReport,
  type RowCounts,
  type Violation,
  verifyLedger,
} from './ledger-verification.ts';

export interface LedgerReport extends Omit<InvariantReport, 'counts'> {
  /** ISO 8601 UTC; null before the first full pass of this process. */
  readonly fullCheckedAt: string | null;
}

/** One invariant and its result in the last passes. */
export interface CheckReport extends Omit<Check, 'judges'> {
  readonly ok: boolean;
  /** The first offenders, or the number of checked rows. */
  readonly detail: string;
}

interface LedgerMonitorDependencies extends Pick<Services, 'db' | 'clock' | 'log'> {
  readonly onViolation: (violation: Violation) => void;
  /** Between two minute passes; a test does not wait for a minute. */
  readonly everyMs?: number;
  /** Whether this process verifies the ledger now; left out: always. */
  readonly isOurs?: () => boolean;
}

type Depth = 'full' | 'minute';

/** Intervals without a pass after which the last result is outdated. */
const missedBeatsMax = 5;
const fullEveryMs = dayMs;

export type LedgerMonitor = ReturnType<typeof createLedgerMonitor>;

export function createLedgerMonitor(deps: LedgerMonitorDependencies) {
  const { db, clock, log, onViolation, isOurs = () => true, everyMs = minuteMs } = deps;
  const stopping = new AbortController();
  const running = new Map<Depth, Promise<void>>();
  const reports = new Map<Depth, InvariantReport>();
  /** Row counts of minute passes since the last full one. */
  let countsSince: RowCounts | null = null;
  /** The number of successful passes. */
  const verifications = new Map<Depth, number>();
  let timer: NodeJS.Timeout | undefined;
  let verifiedAt = clock.now();
  /** Whether it was this process's at the last beat. */
  let wasOurs = false;
  /** When a running pass got its last answer; over a large ledger it takes longer than a few intervals. */
  const lastAnswerAt = new Map<Depth, number>();
  /**
   * After a broken pass only a successful one counts; otherwise a pass that always breaks in the middle would never
   * be reported.
   */
  const broken = new Set<Depth>();
  /** The running full pass: over a large ledger it takes minutes, and the report shows its progress. */
  let underWay: { readonly since: number; wallets: number } | null = null;
  let fullDueAt = Number.NEGATIVE_INFINITY;

  const verify = async (depth: Depth): Promise<void> => {
    if (depth === 'full') underWay = { since: clock.now(), wallets: 0 };
    try {
      const report = await verifyLedger(db, depth, {
        signal: stopping.signal,
        onAnswer: () => {
          lastAnswerAt.set(depth, clock.now());
        },
        onWallets: (judged) => {
          if (underWay) underWay.wallets = judged;
        },
      });
      if (!report) return;
      verifications.set(depth, (verifications.get(depth) ?? 0) + 1);
      reports.set(depth, report);
      countsSince = depth === 'full' ? null : addCounts(countsSince, report.counts);
      verifiedAt = clock.now();
      broken.delete(depth);
      if (depth === 'full') fullDueAt = clock.now() + fullEveryMs;
      const { violations } = report;
      if (violations.length > 0) log.fatal({ violations }, 'ALARM: the ledger is inconsistent');
      for (const violation of violations) onViolation(violation);
    } catch (error) {
      broken.add(depth);
      if (!stopping.signal.aborted) log.error({ err: error }, 'the ledger could not be verified');
    } finally {
      if (depth === 'full') underWay = null;
    }
  };
  const begin = (depth: Depth): void => {
    if (running.has(depth)) return;
    running.set(
      depth,
      verify(depth).finally(() => running.delete(depth)),
    );
  };
  const beat = (): void => {
    const hasBegun = isOurs() && !wasOurs;
    wasOurs = isOurs();
    if (!wasOurs) {
      // The report is the holder's.
      reports.clear();
      return;
    }
    if (hasBegun) verifiedAt = clock.now();
    if (clock.now() >= fullDueAt) begin('full');
    begin('minute');
  };

  /** False when it could not run. */
  const verifyNow = async (depth: Depth): Promise<boolean> => {
    await running.get(depth);
    const before = verifications.get(depth) ?? 0;
    begin(depth);
    await running.get(depth);
    return (verifications.get(depth) ?? 0) > before;
  };

  /** When a pass last made progress. */
  const lastActivityAt = (): number =>
    [...running.keys()]
      .filter((depth) => !broken.has(depth))
      .reduce((latest, depth) => Math.max(latest, lastAnswerAt.get(depth) ?? latest), verifiedAt);

  const report = (): LedgerReport => {
    const [full, minute] = [reports.get('full'), reports.get('minute')];
    const violations = [...(full?.violations ?? []), ...(minute?.violations ?? [])];
    if (wasOurs && clock.now() - lastActivityAt() > missedBeatsMax * everyMs) {
      const since = new Date(verifiedAt).toISOString();
      violations.push({
        number: 0,
        invariant: 'the ledger is verified every minute',
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
    /** The full pass of the start runs in the background. */
    start: (): void => {
      beat();
      timer = setInterval(beat, everyMs).unref();
    },
    stop: async (): Promise<void> => {
      clearInterval(timer);
      stopping.abort();
      await Promise.all(running.values());
    },
    report,
    /** Every invariant, with the number of rows that the last full pass checked. */
    checks: (): readonly CheckReport[] => {
      const { violations } = report();
      const counts = reports.get('full')?.counts;
      const known = checks.map(({ number, title, judges }) => {
        const violation = violations.find(({ invariant }) => invariant === title);
        return {
          number,
          title,
          ok: !violation,
          detail:
            violation?.detail ??
            (counts
              ? describeCounts(judges, counts, countsSince)
              : wasOurs || underWay
                ? describeProgress(underWay)
                : 'checked by another process'),
        };
      });
      const unlisted = violations.filter(({ invariant }) => !checks.some(({ title }) => title === invariant));
      return [
        ...unlisted.map(({ number, invariant, detail }) => ({ number, title: invariant, ok: false, detail })),
        ...known,
      ];
    },
    /** Runs passes of both depths after the current ones. Null when one could not run. */
    checkNow: async (): Promise<LedgerReport | null> => {
      if (!(await verifyNow('full'))) return null;
      // Until a full pass succeeds, the minute pass has no start.
      if (report().ok || reports.has('minute')) await verifyNow('minute');
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

const addCounts = (to: RowCounts | null, counts: RowCounts): RowCounts => ({
  ledger: (to?.ledger ?? 0) + counts.ledger,
  wallets: (to?.wallets ?? 0) + counts.wallets,
  positions: (to?.positions ?? 0) + counts.positions,
  orders: (to?.orders ?? 0) + counts.orders,
  entries: (to?.entries ?? 0) + counts.entries,
  lines: (to?.lines ?? 0) + counts.lines,
  notifications: (to?.notifications ?? 0) + counts.notifications,
});

/** Before the first full pass of this process ends. */
function describeProgress(underWay: { readonly since: number; readonly wallets: number } | null): string {
  if (!underWay) return 'not checked yet';
  const since = `since ${new Date(underWay.since).toISOString().slice(11, 16)} UTC`;
  const { wallets } = underWay;
  if (wallets === 0) return `being checked ${since}`;
  return `${wallets.toLocaleString('en-US')} ${wallets === 1 ? 'wallet' : 'wallets'} ${since}`;
}

/**
 * `12 wallets`, and how many were checked since: one row may be counted more than once. Where the last full pass found none, those that
 * came after it are the number, so that a young ledger does not read as unchecked.
 */
function describeCounts(judges: Check['judges'], full: RowCounts, since: RowCounts | null): string {
  const [one, many] = nouns[judges];
  const count = full[judges];
  const later = since?.[judges] ?? 0;
  const counted = (rows: number) => `${rows.toLocaleString('en-US')} ${rows === 1 ? one : many}`;
  if (later === 0 || count === 0) return counted(count + later);
  return `${counted(count)}, ${later.toLocaleString('en-US')} since`;
}
