/**
 * Halts of trading by admins: a halt is a row with its audit row, so it survives a restart; resuming lifts it. While
 * the last ledger verification has violations, a full pass runs first, and trading stays halted as long as it finds
 * any. Invariants: the engine is halted whenever a row is in force; one action runs at a time.
 *
 * Known limitation: a halt needs the database; without it nothing is committed anyway.
 */
import { AppError, busy, type SignedIn, texts } from '@fulcrum/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database, Queryable } from '../../platform/database/index.ts';
import { recordAuditEntry, requireReason } from '../audit/index.ts';
import type { LedgerMonitor } from '../wallet/index.ts';
import type { Engine } from './engine/engine.ts';

export interface HaltDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly engine: Pick<Engine, 'halt' | 'resume' | 'idle' | 'state'>;
  readonly ledger: Pick<LedgerMonitor, 'report' | 'checkNow'>;
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
}

interface ActiveHalt {
  readonly reason: string;
  readonly at: Date;
  readonly by: string | null;
}

async function readActiveHalt(db: Queryable): Promise<ActiveHalt | null> {
  const { rows } = await db.query<ActiveHalt>(
    `select h.reason, h.at, u.username as by from app.halts h left join app.users u on u.id = h.halted_by
     where h.lifted_at is null`,
    [],
    'halt_in_force',
  );
  return rows[0] ?? null;
}

export function createHalts({ db, clock, engine, ledger }: HaltDependencies): Halts {
  let isBusy = false;

  async function exclusively<T>(action: () => Promise<T>): Promise<T> {
    if (isBusy) throw busy();
    isBusy = true;
    try {
      return await action();
    } finally {
      isBusy = false;
    }
  }

  async function restore(from: Queryable): Promise<void> {
    const activeHalt = await readActiveHalt(from);
    if (activeHalt) engine.halt('staff', activeHalt.reason);
  }

  /** @throws AppError `conflict` */
  async function requireVerifiedLedger(): Promise<void> {
    const report = await ledger.checkNow();
    if (!report) throw new AppError('conflict', texts.ledgerNotVerified);
    requireNoViolations(report);
  }

  return {
    halt: (caller, reason) =>
      exclusively(async () => {
        const checkedReason = requireReason(reason);
        const at = new Date(clock.now());
        await db.transaction(async (tx) => {
          const { rows } = await tx.query(
            `insert into app.halts (at, halted_by, reason) values ($1, $2, $3) on conflict do nothing returning id`,
            [at, caller.userId, checkedReason],
          );
          if (rows.length === 0) {
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
        if (haltCause === 'ledger' || !ledger.report().ok) await requireVerifiedLedger();
        // A violation that a pass finds during the last batch is found before the halt is lifted.
        await engine.idle();
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
      const activeHalt = haltCause === 'staff' ? await readActiveHalt(db) : null;
      if (!activeHalt) return { reason: halted, at: haltedAt, by: null };
      return { reason: activeHalt.reason, at: activeHalt.at.toISOString(), by: activeHalt.by };
    },

    restore: () => restore(db),
  };
}

/** @throws AppError `conflict` with the violation */
function requireNoViolations({ violations }: ReturnType<LedgerMonitor['report']>): void {
  const [first] = violations;
  if (first) throw new AppError('conflict', texts.ledgerViolated(first.invariant), { details: first.detail });
}
