/**
 * Halts of trading. One of staff is a row with its audit row; one for the ledger (a violation, an invariant broken in a decision) is
 * a row that nobody signed. Both hold for every engine from their commit on, and over restarts: the commit of a batch checks
 * them. Resuming lifts them; while the ledger is a cause, or the last verification has violations, a full pass runs first, and
 * trading stays halted as long as it finds any. Invariants: an engine is halted whenever a row is in force and it commits or
 * starts; one action runs at a time.
 *
 * Known limitation: a halt needs the database. The engines of this process halt for the ledger without it, and the row is
 * written once the database is back.
 */
import { AppError, busy, type SignedIn, texts } from '@fulcrum/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database, Queryable } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { recordAuditEntry, requireReason } from '../audit/index.ts';
import type { LedgerMonitor } from '../wallet/index.ts';
import type { StoredHaltCause } from './engine/store.ts';
import type { Lanes } from './lanes.ts';

interface HaltDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly engine: Pick<Lanes, 'halt' | 'resume' | 'idle' | 'state'>;
  readonly ledger: Pick<LedgerMonitor, 'report' | 'checkNow'>;
  readonly log: Log;
}

export interface Halts {
  /**
   * Resolves once nothing more is decided and the last decision is committed.
   * @throws AppError `reason_required`, `conflict` when an admin has halted it already, `busy`
   */
  halt(caller: SignedIn, reason: string | null | undefined): Promise<{ readonly at: string }>;
  /** @throws AppError `reason_required`, `conflict` with the reason why it stays halted, `busy` */
  resume(caller: SignedIn, reason: string | null | undefined): Promise<{ readonly at: string }>;
  /** Why trading is halted; null while it is not. `by`: the admin's name, null for the engine itself. */
  current(): Promise<{ readonly reason: string; readonly at: string; readonly by: string | null } | null>;
  /** The caller calls it before the engine starts. */
  restore(): Promise<void>;
  /** Halts the engine at once, and has the row written. Never throws. */
  haltForLedger(reason: string): void;
  /** Follows what a poll has found in force: other processes of a cluster halt trading and resume it. Never throws. */
  follow(active: readonly Pick<ActiveHalt, 'cause' | 'reason'>[]): void;
  /** Follows the halts in force, for a process whose engines do not poll them. Never throws. */
  poll(): void;
  /** Tries again to write a row that the database did not take. Never throws. */
  retry(): void;
  /** Resolves when nothing is being written. */
  idle(): Promise<void>;
}

/** A poll that began before an action of this process ends within this time. */
const pollMsMax = 1_000;

interface ActiveHalt {
  readonly cause: StoredHaltCause;
  readonly reason: string;
  readonly at: Date;
  readonly by: string | null;
}

async function readActiveHalts(db: Queryable): Promise<readonly ActiveHalt[]> {
  const { rows } = await db.query<ActiveHalt>(
    `select h.cause, h.reason, h.at, u.username as by from app.halts h left join app.users u on u.id = h.halted_by
     where h.lifted_at is null`,
    [],
    'halts_in_force',
  );
  return rows;
}

/**
 * Waits for the batches under way and lets none begin before the commit. Returns false when one of that cause is in force
 * already.
 */
async function insertHalt(
  tx: Queryable,
  halt: Omit<ActiveHalt, 'by'> & { readonly byId: string | null },
): Promise<boolean> {
  await tx.query('select from app.engines where ended_at is null order by id for update', [], 'lock_engines');
  const { rowCount } = await tx.query(
    `insert into app.halts (cause, reason, at, halted_by) values ($1, $2, $3, $4) on conflict do nothing`,
    [halt.cause, halt.reason, halt.at, halt.byId],
    'insert_halt',
  );
  return rowCount === 1;
}

export function createHalts({ db, clock, engine, ledger, log }: HaltDependencies): Halts {
  let isBusy = false;
  /** The reason of a halt for the ledger whose row is not written yet. */
  let unwritten: string | null = null;
  let writing: Promise<void> | undefined;
  let polling: Promise<void> | undefined;
  let actionEndedAt = Number.NEGATIVE_INFINITY;

  async function exclusively<T>(action: () => Promise<T>): Promise<T> {
    if (isBusy) throw busy();
    isBusy = true;
    try {
      return await action();
    } finally {
      isBusy = false;
      actionEndedAt = clock.now();
    }
  }

  async function restore(from: Queryable): Promise<void> {
    for (const { cause, reason } of await readActiveHalts(from)) engine.halt(cause, reason);
  }

  async function writeLedgerHalt(reason: string): Promise<void> {
    try {
      const at = new Date(clock.now());
      await db.transaction((tx) => insertHalt(tx, { cause: 'ledger', reason, at, byId: null }));
      unwritten = null;
      actionEndedAt = clock.now();
    } catch (error) {
      log.error({ err: error }, 'the halt of trading is not written yet; retrying in a minute');
    }
  }
  function writeUnwritten(): void {
    if (unwritten === null || writing) return;
    writing = writeLedgerHalt(unwritten).finally(() => {
      writing = undefined;
    });
  }

  /** @throws AppError `conflict` */
  async function requireVerifiedLedger(): Promise<void> {
    const report = await ledger.checkNow();
    if (!report) throw new AppError('conflict', texts.ledgerNotVerified);
    requireNoViolations(report);
  }

  function follow(active: readonly Pick<ActiveHalt, 'cause' | 'reason'>[]): void {
    for (const { cause, reason } of active) engine.halt(cause, reason);
    const { haltCause } = engine.state();
    if (active.length > 0 || haltCause === null || haltCause === 'epoch') return;
    // An action of this process, and a halt that is not written yet, know better than a poll of a moment ago.
    if (unwritten !== null || isBusy || clock.now() - actionEndedAt < pollMsMax) return;
    engine.resume().catch((error: unknown) => log.error({ err: error }, 'trading was not resumed'));
  }

  return {
    halt: (caller, reason) =>
      exclusively(async () => {
        const checkedReason = requireReason(reason);
        const at = new Date(clock.now());
        await db.transaction(async (tx) => {
          const halt = { cause: 'staff', reason: checkedReason, at, byId: caller.userId } as const;
          if (!(await insertHalt(tx, halt))) {
            // Also a halt whose commit confirmation was lost: it is in force, and the engine must stop.
            await restore(tx);
            throw new AppError('conflict', texts.alreadyHalted);
          }
          await recordAuditEntry(tx, {
            at,
            actorId: caller.userId,
            subjectId: null,
            action: 'trading.halt',
            reason: checkedReason,
          });
        });
        engine.halt('staff', checkedReason);
        await engine.idle();
        return { at: at.toISOString() };
      }),

    resume: (caller, reason) =>
      exclusively(async () => {
        const checkedReason = requireReason(reason);
        const { haltCause } = engine.state();
        if (haltCause === null) throw new AppError('conflict', texts.notHalted);
        if (haltCause === 'epoch') throw new AppError('conflict', texts.haltedForGood);
        const isForLedger = (await readActiveHalts(db)).some(({ cause }) => cause === 'ledger');
        if (isForLedger || haltCause === 'ledger' || !ledger.report().ok) await requireVerifiedLedger();
        // A violation that a pass finds during the last batch is found before the halt is lifted.
        await engine.idle();
        // What is verified by now is not written afterwards.
        await writing;
        unwritten = null;
        const at = new Date(clock.now());
        await db.transaction(async (tx) => {
          await tx.query(`update app.halts set lifted_at = $1, lifted_by = $2 where lifted_at is null`, [
            at,
            caller.userId,
          ]);
          await recordAuditEntry(tx, {
            at,
            actorId: caller.userId,
            subjectId: null,
            action: 'trading.resume',
            reason: checkedReason,
            detail: { halted_by: haltCause },
          });
          // A pass may have found a violation meanwhile: then the row stays in force, and the audit log gets no row.
          requireNoViolations(ledger.report());
        });
        // Found at the moment of the commit: then the ledger's own halt stays.
        requireNoViolations(ledger.report());
        if (!(await engine.resume())) throw new AppError('conflict', texts.haltedForGood);
        return { at: at.toISOString() };
      }),

    async current() {
      const { halted, haltCause, haltedAt } = engine.state();
      if (halted === null || haltedAt === null) return null;
      const activeHalt = (await readActiveHalts(db)).find(({ cause }) => cause === haltCause);
      if (!activeHalt) return { reason: halted, at: haltedAt, by: null };
      return { reason: activeHalt.reason, at: activeHalt.at.toISOString(), by: activeHalt.by };
    },

    restore: () => restore(db),
    haltForLedger: (reason) => {
      engine.halt('ledger', reason);
      unwritten ??= reason;
      writeUnwritten();
    },
    follow,
    poll: () => {
      polling ??= readActiveHalts(db)
        .then(follow, (error: unknown) => log.debug({ err: error }, 'the halts could not be read'))
        .finally(() => {
          polling = undefined;
        });
    },
    retry: writeUnwritten,
    idle: async () => {
      await writing;
      await polling;
    },
  };
}

/** @throws AppError `conflict` with the violation */
function requireNoViolations({ violations }: ReturnType<LedgerMonitor['report']>): void {
  const [first] = violations;
  if (first) throw new AppError('conflict', texts.ledgerViolated(first.invariant), { details: first.detail });
}
