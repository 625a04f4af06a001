/**
 * The two passes over the books. The full one judges everything, in pages of accounts; the minute one what ledger entries
 * above the checkpoint touched, so it costs what happened and not what there is. Both compare on one read-only snapshot
 * and write nothing; `passBooks` moves the checkpoint after a pass that found everything whole.
 *
 * Known limitation: the minute pass does not see a row that was changed past the books without a ledger entry near it,
 * nor what needs an account's whole history; the nightly full pass does.
 */
import { toDecimalString } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { advance, isSettled, noteChecked, readCheckpoint, settledReach } from './checkpoint.ts';
import { invariants } from './invariants.ts';
import { judgeGroups } from './ledger-groups.ts';
import { aboveCheckpoint, accountsPage, type Judged, judged, type Scope } from './scope.ts';
import { type Books, inSnapshot } from './snapshot.ts';
import { Recount } from './totals.ts';

export interface Violation {
  /** `Invariant.number`; 0 when the books could not be looked at. */
  readonly number: number;
  readonly invariant: string;
  /** The first few offenders, as text for an operator. */
  readonly detail: string;
}

export interface InvariantReport {
  readonly ok: boolean;
  /** ISO 8601 UTC; null before the first pass. */
  readonly checkedAt: string | null;
  readonly violations: readonly Violation[];
  /** How many rows the pass has looked at. */
  readonly counts: RowCounts;
}

/** `ledger`: entries of the house too. */
export type RowCounts = Readonly<Record<Judged | 'ledger', number>>;

/** One thing that holds, and the rows that are held to it. */
export interface Check {
  readonly number: number;
  readonly title: string;
  readonly judges: Judged | 'ledger';
}

const ledgerTitles = {
  kept: 'the ledger holds what it held',
  sum: 'the ledger sums to zero',
  groups: 'each ledger group sums to zero',
  kinds: 'each ledger group moves the accounts of its kind',
} as const;
const totalsTitle = 'the totals of the consoles are a recount';

/** All that a full pass proves. */
export const checks: readonly Check[] = [
  ...Object.values(ledgerTitles).map((title) => ({ number: 1, title, judges: 'ledger' as const })),
  ...invariants,
  { number: 14, title: totalsTitle, judges: 'wallets' },
];

/** Offenders named per violation. */
const namedMax = 5;
/** Accounts of one page. */
const pageSize = 1000;
const firstId = '00000000-0000-0000-0000-000000000000';

/** What was found, by invariant. */
class Findings {
  readonly #offenders = new Map<string, { readonly number: number; readonly named: string[] }>();
  readonly counts: Record<Judged | 'ledger', number> = {
    ledger: 0,
    wallets: 0,
    positions: 0,
    orders: 0,
    entries: 0,
    lines: 0,
    notifications: 0,
  };

  add(number: number, invariant: string, offenders: readonly string[]): void {
    if (offenders.length === 0) return;
    const known = this.#offenders.get(invariant) ?? { number, named: [] };
    known.named.push(...offenders.slice(0, namedMax - known.named.length));
    this.#offenders.set(invariant, known);
  }

  has(invariant: string): boolean {
    return this.#offenders.has(invariant);
  }

  violations(): Violation[] {
    return [...this.#offenders].map(([invariant, { number, named }]) => ({
      number,
      invariant,
      detail: named.join(', '),
    }));
  }
}

async function judge(
  tx: Queryable,
  scope: Scope,
  parameters: readonly unknown[],
  findings: Findings,
  depth: 'full' | 'minute',
): Promise<void> {
  const { rows } = await tx.query<Record<Judged, number>>(
    `${scope.expressions} select ${judged.map((rows) => `(select count(*)::int from ${scope[rows]} r) as ${rows}`).join(', ')}`,
    parameters,
  );
  for (const relation of judged) findings.counts[relation] += rows[0]?.[relation] ?? 0;
  for (const { number, title, everyMinute, query } of invariants) {
    if (depth === 'minute' && !everyMinute) continue;
    // One page's offenders are enough for an alarm.
    if (findings.has(title)) continue;
    const { rows } = await tx.query<{ offender: string }>(
      `${scope.expressions} select offender from (${query(scope)}) found limit ${namedMax}`,
      parameters,
    );
    findings.add(
      number,
      title,
      rows.map(({ offender }) => offender),
    );
  }
}

async function lastLedgerId(tx: Queryable): Promise<bigint> {
  const { rows } = await tx.query<{ id: string }>(
    `select coalesce(max(id), 0) as id from app.ledger_entries`,
  );
  return BigInt(rows[0]?.id ?? 0);
}

async function judgeLedger(
  tx: Queryable,
  range: { readonly from: bigint; readonly to: bigint; readonly signal?: AbortSignal },
  findings: Findings,
): Promise<void> {
  const { unbalanced, misbooked, sum, entries } = await judgeGroups(tx, { ...range, namedMax });
  findings.counts.ledger += entries;
  // A part of the ledger may begin in the middle of a group.
  const isWhole = range.from === 0n;
  findings.add(1, ledgerTitles.sum, isWhole && sum !== 0n ? [`ledger: ${toDecimalString(sum)}`] : []);
  findings.add(1, ledgerTitles.groups, unbalanced);
  findings.add(1, ledgerTitles.kinds, misbooked);
}

const shrunk = (mark: bigint, last: bigint): string[] =>
  last < mark ? [`the ledger ends at ${last}, the checkpoint is at ${mark}`] : [];

/** Where the page that starts with `from` ends: the first user id of the next one, null for the last page. */
async function pageEnd(tx: Queryable, from: string): Promise<string | null> {
  const { rows } = await tx.query<{ user_id: string }>(
    `select user_id from app.wallets where user_id >= $1 order by user_id offset ${pageSize} limit 1`,
    [from],
  );
  return rows[0]?.user_id ?? null;
}

async function judgeAll(
  tx: Queryable,
  mark: bigint,
  { signal, onWallets }: Pick<PassOptions, 'signal' | 'onWallets'> = {},
): Promise<Findings> {
  const findings = new Findings();
  const last = await lastLedgerId(tx);
  findings.add(1, ledgerTitles.kept, shrunk(mark, last));
  await judgeLedger(tx, { from: 0n, to: last, ...(signal && { signal }) }, findings);
  const recount = new Recount();
  for (let from: string | null = firstId; from !== null; ) {
    signal?.throwIfAborted();
    const page: readonly [string, string | null] = [from, await pageEnd(tx, from)];
    await judge(tx, accountsPage, page, findings, 'full');
    await recount.add(tx, page);
    onWallets?.(findings.counts.wallets);
    from = page[1];
  }
  findings.add(14, totalsTitle, await recount.differences(tx));
  return findings;
}

async function judgeNew(tx: Queryable, mark: bigint, signal?: AbortSignal): Promise<Findings> {
  const findings = new Findings();
  const last = await lastLedgerId(tx);
  findings.add(1, ledgerTitles.kept, shrunk(mark, last));
  await judgeLedger(tx, { from: mark, to: last, ...(signal && { signal }) }, findings);
  await judge(tx, aboveCheckpoint, [String(mark)], findings, 'minute');
  return findings;
}

async function reportOf(tx: Queryable, findings: Findings): Promise<InvariantReport> {
  const { rows } = await tx.query<{ now: Date }>(`select now()`);
  const violations = findings.violations();
  return {
    ok: violations.length === 0,
    checkedAt: rows[0]?.now.toISOString() ?? null,
    violations,
    counts: findings.counts,
  };
}

/** Judges everything and changes nothing. A pass that cannot run is an error, not a violation: it rejects. */
export async function checkInvariants(db: Books, signal?: AbortSignal): Promise<InvariantReport> {
  return inSnapshot(db, async (tx) => {
    const { ledgerId } = await readCheckpoint(tx);
    return reportOf(tx, await judgeAll(tx, ledgerId, signal ? { signal } : {}));
  });
}

/** Tells of each answer that comes: a pass over large books takes minutes, and one that gets answers is not stuck. */
const heard = (db: Queryable, onAnswer: () => void): Queryable => ({
  query: async <Row>(...question: Parameters<Queryable['query']>) => {
    const answer = await db.query<Row>(...question);
    onAnswer();
    return answer;
  },
});

export interface PassOptions {
  readonly signal?: AbortSignal;
  readonly onAnswer?: () => void;
  /** Of a full pass: how many wallets it has judged so far. */
  readonly onWallets?: (judged: number) => void;
}

/**
 * One pass of the server's own watch; moves the checkpoint when it found nothing. Null for a minute pass before any full
 * one was through: there is nothing yet that it could start from.
 */
export async function passBooks(
  db: Books,
  depth: 'full' | 'minute',
  options: PassOptions = {},
): Promise<InvariantReport | null> {
  const { signal, onAnswer = () => undefined } = options;
  const reach = await settledReach(db);
  const pass = await inSnapshot(db, async (session) => {
    const tx = heard(session, onAnswer);
    const checkpoint = await readCheckpoint(tx);
    if (depth === 'minute' && !checkpoint.isFounded) return null;
    const findings =
      depth === 'full'
        ? await judgeAll(tx, checkpoint.ledgerId, options)
        : await judgeNew(tx, checkpoint.ledgerId, signal);
    return { checkpoint, isSettled: await isSettled(tx, reach), report: await reportOf(tx, findings) };
  });
  if (!pass) return null;
  const { checkpoint, report } = pass;
  if (!report.ok) return report;
  if (pass.isSettled) {
    const range = { from: checkpoint.ledgerId, to: reach.ledgerId, ...(signal && { signal }) };
    await advance(heard(db, onAnswer), range);
  }
  await noteChecked(db, depth);
  return report;
}
