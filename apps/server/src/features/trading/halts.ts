/**
 * Trading in the hands of admins: a halt is a row with its audit row, so it outlives the process; resuming lifts it. While the
 * books have something against them, a full pass runs first and trading stays halted as long as it finds anything.
 * Invariant: the engine stands still whenever a row is in force; one act at a time, so none is overtaken by another.
 *
 * Known limitation: a halt needs the database; without it nothing is committed anyway.
 */
import { AppError, busy, type SignedIn, texts } from '@fulcrum/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database, Queryable } from '../../platform/database/index.ts';
import { recordAct, requireReason } from '../accounts/index.ts';
import type { BooksWatch } from '../wallet/index.ts';
import type { Engine } from './engine/engine.ts';

export interface HaltDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly engine: Pick<Engine, 'halt' | 'resume' | 'idle' | 'state'>;
  readonly books: Pick<BooksWatch, 'report' | 'checkNow'>;
}

export interface Halts {
  /**
   * Resolves once nothing more is decided and the last of what was is committed.
   * @throws AppError `reason_required`, `conflict` when an admin has halted it already, `busy`
   */
  halt(caller: SignedIn, reason: string | null | undefined): Promise<{ readonly at: string }>;
  /** @throws AppError `reason_required`, `conflict` with why it stays halted, `busy` */
  resume(caller: SignedIn, reason: string | null | undefined): Promise<{ readonly at: string }>;
  /** Why trading stands still; null while it does not. `by`: the admin's name, null for the engine itself. */
  current(): Promise<{ readonly reason: string; readonly at: string; readonly by: string | null } | null>;
  /** To be called before the engine starts. */
  restore(): Promise<void>;
}

interface HaltInForce {
  readonly reason: string;
  readonly at: Date;
  readonly by: string | null;
}

async function readInForce(db: Queryable): Promise<HaltInForce | null> {
  const { rows } = await db.query<HaltInForce>(
    `select h.reason, h.at, u.username as by from app.halts h left join app.users u on u.id = h.halted_by
     where h.lifted_at is null`,
    [],
    'halt_in_force',
  );
  return rows[0] ?? null;
}

export function createHalts({ db, clock, engine, books }: HaltDependencies): Halts {
  let isActing = false;

  async function alone<T>(act: () => Promise<T>): Promise<T> {
    if (isActing) throw busy();
    isActing = true;
    try {
      return await act();
    } finally {
      isActing = false;
    }
  }

  async function restore(from: Queryable): Promise<void> {
    const inForce = await readInForce(from);
    if (inForce) engine.halt('staff', inForce.reason);
  }

  /** @throws AppError `conflict` */
  async function requireWholeBooks(): Promise<void> {
    const report = await books.checkNow();
    if (!report) throw new AppError('conflict', texts.booksNotChecked);
    requireNothingFound(report);
  }

  return {
    halt: (caller, reason) =>
      alone(async () => {
        const given = requireReason(reason);
        const at = new Date(clock.now());
        await db.transaction(async (tx) => {
          const { rows } = await tx.query(
            `insert into app.halts (at, halted_by, reason) values ($1, $2, $3) on conflict do nothing returning id`,
            [at, caller.userId, given],
          );
          if (rows.length === 0) {
            // Also one whose commit was lost on its way back: it is in force, and nobody had stopped anything yet.
            await restore(tx);
            throw new AppError('conflict', texts.alreadyHalted);
          }
          await recordAct(tx, {
            at,
            actorId: caller.userId,
            subjectId: null,
            action: 'trading.halt',
            reason: given,
          });
        });
        engine.halt('staff', given);
        await engine.idle();
        return { at: at.toISOString() };
      }),

    resume: (caller, reason) =>
      alone(async () => {
        const given = requireReason(reason);
        const { haltCause } = engine.state();
        if (haltCause === null) throw new AppError('conflict', texts.notHalted);
        if (haltCause === 'epoch') throw new AppError('conflict', texts.haltedForGood);
        if (haltCause === 'books' || !books.report().ok) await requireWholeBooks();
        // What a pass finds while the last batch is on its way is found before anything is lifted.
        await engine.idle();
        const at = new Date(clock.now());
        await db.transaction(async (tx) => {
          await tx.query(`update app.halts set lifted_at = $1, lifted_by = $2 where lifted_at is null`, [
            at,
            caller.userId,
          ]);
          await recordAct(tx, {
            at,
            actorId: caller.userId,
            subjectId: null,
            action: 'trading.resume',
            reason: given,
            detail: { halted_by: haltCause },
          });
          // What a pass has found meanwhile: then the row stays in force, and no act is on record.
          requireNothingFound(books.report());
        });
        // Found in the very instant of the commit: then the books' own halt stays.
        requireNothingFound(books.report());
        if (!(await engine.resume())) throw new AppError('conflict', texts.haltedForGood);
        return { at: at.toISOString() };
      }),

    async current() {
      const { halted, haltCause, haltedAt } = engine.state();
      if (halted === null || haltedAt === null) return null;
      const inForce = haltCause === 'staff' ? await readInForce(db) : null;
      if (!inForce) return { reason: halted, at: haltedAt, by: null };
      return { reason: inForce.reason, at: inForce.at.toISOString(), by: inForce.by };
    },

    restore: () => restore(db),
  };
}

/** @throws AppError `conflict` with what was found */
function requireNothingFound({ violations }: ReturnType<BooksWatch['report']>): void {
  const [first] = violations;
  if (first) throw new AppError('conflict', texts.booksNotWhole(first.invariant), { details: first.detail });
}
