/**
 * Ends contests, in three steps of which each can be repeated: stores the closing prices, closes every account at them, freezes the result.
 * Invariants: the prices are stored once; the result is written once, with the audit row of its hash, when nothing is open; whatever was
 * interrupted goes on with the next check.
 *
 * Known limitation: after a time without a server the prices are those of its return; the result states when they were read.
 */
import { AppError, type RowChange, texts } from '@fulcrum/contract';
import { endWaitsForPricesMs, minuteMs } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { isOpenSql } from '../accounts/index.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { notifyAll } from '../notifications/index.ts';
import { archiveAccounts } from './archiving.ts';
import { createContestBegins } from './beginning.ts';
import { type ClosingMarks, closingMarks, takeMarks, toCommandMarks } from './closing-marks.ts';
import type { ProgramsDependencies } from './dependencies.ts';
import { type ComputedResult, computeResult, hashOf, resultDocument } from './result.ts';
import type { StoredContest } from './stored-contest.ts';

const checkEveryMs = 1_000;
/** Commands that wait for the engine at once. */
const closedAtOnce = 100;
/** How long the end waits likewise for a begin that keeps failing. */
const waitsForBeginMs = 5 * minuteMs;

interface Ending extends StoredContest {
  readonly begun_at: Date | null;
  readonly closing_marks: unknown;
}

const selectEnding = `
  select p.id, p.name, p.description, p.class_id, null as class_name, p.registration_opens_at, p.registration_ends_at, p.begins_at,
         p.ends_at, p.rules, p.version, p.frozen_at, p.withdrawn_at, 0 as entrants, null as account_id, p.closing_marks, p.begun_at
  from app.programs p where p.face = 'contest'`;

export function createContestJobs(deps: ProgramsDependencies) {
  const { db, clock, timers, bus, log, duties, market, trading } = deps;
  const beginAll = createContestBegins(deps);
  const startedAt = clock.now();
  let running: Promise<void> | undefined;
  let cancel: (() => void) | undefined;
  let isStopping = false;

  /** Null while a symbol in use has no fresh price yet. */
  async function storeMarks(contest: Ending): Promise<ClosingMarks | null> {
    return db.transaction(async (tx) => {
      const { rows } = await tx.query<{ closing_marks: unknown }>(
        'select closing_marks from app.programs where id = $1 for update',
        [contest.id],
      );
      const stored = rows[0]?.closing_marks ?? null;
      if (stored !== null) return closingMarks.parse(stored);
      const { rows: open } = await tx.query<{ symbol: string }>(
        `select distinct p.symbol from app.positions p join app.trading_accounts a on a.id = p.user_id
         where a.program_id = $1 and p.status = 'open'`,
        [contest.id],
        'symbols_of_contest',
      );
      const now = clock.now();
      const symbols = new Set([...market.pairs(), ...open].map(({ symbol }) => symbol));
      const taken = takeMarks(market, symbols, now);
      // After a time without a server the last prices are those from before it, until the first new ones.
      const isMissing = open.some(({ symbol }) => (taken.marks[symbol]?.state ?? 'old') === 'old');
      const waitsUntil = Math.max(contest.ends_at.getTime(), startedAt) + endWaitsForPricesMs;
      if (isMissing && now < waitsUntil) return null;
      await tx.query('update app.programs set closing_marks = $2::jsonb where id = $1', [
        contest.id,
        JSON.stringify(taken),
      ]);
      return taken;
    });
  }

  /** Resolves with whether nothing is open any more. */
  async function closeAccounts(contest: Ending, closing: ClosingMarks): Promise<boolean> {
    const marks = toCommandMarks(closing);
    for (;;) {
      // A halt is not a failure: the end waits for its end.
      if (isStopping || trading.state().halted !== null) return false;
      const { rows } = await db.query<{ id: string; ownerId: string }>(
        `select a.id, a.owner_id as "ownerId" from app.trading_accounts a
         where a.program_id = $1 and ${isOpenSql('a.id')} order by a.program_number limit ${closedAtOnce}`,
        [contest.id],
        'open_in_contest',
      );
      if (rows.length === 0) return true;
      const outcomes = await Promise.allSettled(
        rows.map(({ id: accountId, ownerId }) =>
          trading.engine.submit(
            { accountId, ownerId, actorId: ownerId, authority: null, reason: null },
            { kind: 'close_out', marks },
            null,
          ),
        ),
      );
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) {
        log.warn({ err: failed.reason, contest: contest.id }, 'closing a contest failed; trying again');
        return false;
      }
    }
  }

  /** Null when another check was faster. */
  async function writeResult(
    tx: Queryable,
    contest: Ending,
    { document, prices }: ComputedResult,
    at: Date,
  ): Promise<{ readonly archived: readonly string[]; readonly changes: readonly RowChange[] } | null> {
    const { rows } = await tx.query<{ isFrozen: boolean }>(
      'select frozen_at is not null as "isFrozen" from app.programs where id = $1 for update',
      [contest.id],
    );
    if (rows[0]?.isFrozen !== false) return null;
    const archived = await archiveAccounts(tx, contest.id, at);
    const { entrants, positions_closed, closings } = resultDocument.parse(JSON.parse(document));
    // An entry or a deletion came after the document was made.
    if (entrants.length !== archived.length) throw new AppError('conflict', 'The entrants have changed.');
    const sha256 = hashOf(document);
    await tx.query(
      'insert into app.program_results (program_id, document, sha256, prices, created_at) values ($1, $2, $3, $4, $5)',
      [contest.id, document, sha256, prices, at],
    );
    await tx.query('update app.programs set frozen_at = $2, updated_at = $2 where id = $1', [contest.id, at]);
    await recordAuditEntry(tx, {
      ...{ at, actorId: null, subjectId: null, action: 'contest.end', objectId: contest.id },
      detail: {
        ...{ result_sha256: sha256, entrants: entrants.length, positions_closed },
        positions_closed_at_old_prices: closings.length,
      },
    });
    const changes = await notifyAll(
      tx,
      archived.map(({ ownerId }) => ownerId),
      { kind: 'contest_ended', message: texts.contestEnded(contest.name), at },
    );
    return { archived: archived.map(({ id }) => id), changes };
  }

  async function end(contest: Ending): Promise<void> {
    const closing =
      contest.closing_marks === null ? await storeMarks(contest) : closingMarks.parse(contest.closing_marks);
    if (closing === null || !(await closeAccounts(contest, closing))) return;
    // Nothing moves in the accounts any more: the engine refuses it.
    const computed = await computeResult(db, contest, closing);
    const written = await db.transaction((tx) => writeResult(tx, contest, computed, new Date(clock.now())));
    if (written === null) return;
    const { archived, changes } = written;
    trading.reload(archived);
    if (changes.length > 0) bus.publish('account.changed', { changes });
    for (const accountId of archived) bus.publish('account.archived', { accountId });
    log.info({ contest: contest.id, entrants: archived.length }, 'a contest has ended');
  }

  async function checkAll(): Promise<void> {
    if (!duties.isOurs('chores')) return;
    await beginAll();
    const now = clock.now();
    const { rows: over } = await db.query<Ending>(
      `${selectEnding} and p.frozen_at is null and p.withdrawn_at is null and p.ends_at <= $1 order by p.ends_at`,
      [new Date(now)],
      'contests_to_end',
    );
    const rows = over.filter(
      ({ begun_at, ends_at }) =>
        begun_at !== null || now >= Math.max(ends_at.getTime(), startedAt) + waitsForBeginMs,
    );
    // Of all contests at once: none waits for the prices of its end until another one is closed.
    for (const contest of rows.filter(({ closing_marks }) => closing_marks === null)) {
      await storeMarks(contest).catch((error: unknown) => {
        if (!isStopping) log.warn({ err: error }, 'storing closing prices failed; trying again');
      });
    }
    for (const contest of rows) {
      if (isStopping) return;
      await end(contest).catch((error: unknown) => {
        if (!isStopping)
          log.warn({ err: error, contest: contest.id }, 'ending a contest failed; trying again');
      });
    }
  }

  const check = (): Promise<void> => {
    running ??= checkAll()
      .catch((error: unknown) => {
        if (!isStopping) log.warn({ err: error }, 'reading the contests to end failed; trying again');
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };

  return {
    async start(): Promise<void> {
      cancel = timers.every(checkEveryMs, () => void check());
    },
    async stop(): Promise<void> {
      isStopping = true;
      cancel?.();
      await running;
    },
  };
}
