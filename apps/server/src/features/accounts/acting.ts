/**
 * Acting as somebody else (A45): `impersonate_user` marks the caller's session, the next refresh gives a token of the
 * target, `end_impersonation` or the hour's end gives the own one back. Invariants: whether it is allowed is decided
 * anew at every refresh; nobody acts as somebody while acting as somebody; the reason and both people are in the audit
 * log, in the transaction that started it.
 *
 * Known limitation: the staff member's last own access token stays good until it runs out; it grants them nothing but
 * their own rights.
 */
import {
  AppError,
  type endImpersonation,
  type getActing,
  type impersonateUser,
  isActing,
  procedureByName,
  type SignedIn,
  texts,
  type UserRole,
} from '@fulcrum/contract';
import type { z } from 'zod';
import type { Queryable } from '../../platform/database/index.ts';
import { recordAct } from './audit.ts';
import type { Context } from './context.ts';
import { AccountError } from './errors.ts';
import {
  endImpersonationOf,
  type Impersonation,
  insertImpersonation,
  lockImpersonationOf,
  mayActAs,
} from './impersonations.ts';
import { requireReason } from './reasons.ts';
import type { EndedActing } from './revocations.ts';
import { lockLiveSession } from './sessions.ts';
import { takeStaffTurn } from './staff-acts.ts';
import { findUser, userNotFound } from './users.ts';

const actingLifetimeMs = 60 * 60_000;
/**
 * The official client asks for a new token at every call once 90 s or less remain (AUTH-48). A token that cannot live
 * longer than that would make it ask without end, so the impersonation is over by then.
 */
const refreshMarginMs = 90_000;

/** @throws AppError `not_allowed` while the caller acts as somebody else */
export function requireNotActing(caller: SignedIn): void {
  if (isActing(caller)) {
    throw new AppError('not_allowed', texts.notWhileActing);
  }
}

type Handler = (caller: SignedIn, args: never) => Promise<unknown>;

/** The handlers, each refusing a caller who acts as somebody else unless the contract's declaration allows it. */
export function refusedWhileActing<Handlers extends Record<string, Handler>>(handlers: Handlers): Handlers {
  const guarded = Object.entries(handlers).map(([name, handler]) => {
    if (procedureByName.get(name)?.whileActing === 'allowed') return [name, handler];
    const guard: Handler = async (caller, args) => {
      requireNotActing(caller);
      return handler(caller, args);
    };
    return [name, guard];
  });
  return Object.fromEntries(guarded) as Handlers;
}

/** As whom the session's next access token acts: the impersonation, ended here when it may not go on, or nobody. */
export async function resolveActing(
  tx: Queryable,
  sessionId: string,
  at: Date,
): Promise<{ readonly acting: Impersonation | null; readonly ended: readonly EndedActing[] }> {
  const live = await lockImpersonationOf(tx, sessionId);
  if (!live) return { acting: null, ended: [] };
  const isOver = live.until.getTime() - at.getTime() <= refreshMarginMs;
  if (live.isAllowed && !isOver) return { acting: live, ended: [] };
  const cause = isOver ? 'time is up' : 'no longer allowed';
  return { acting: null, ended: await endImpersonationOf(tx, sessionId, cause, at) };
}

export function createActing({ db, revocations, now }: Context) {
  /**
   * For a manager a trader of somebody else is one who does not exist. A repeat for the same person is answered as
   * before.
   * @throws AppError `not_found`, `not_allowed`, `conflict` when the session acts as somebody else already
   */
  async function impersonate(
    caller: SignedIn,
    args: z.output<typeof impersonateUser.args>,
  ): Promise<z.input<typeof impersonateUser.result>> {
    if (args.p_user_id === caller.userId) {
      throw new AppError('not_allowed', 'You cannot view as yourself.');
    }
    const reason = requireReason(args.p_reason);
    const { target, acting, ended } = await db.transaction(async (tx) => {
      const at = now();
      const actor = await takeStaffTurn(tx, caller);
      const target = await findUser(tx, args.p_user_id);
      if (!target) throw userNotFound();
      if (!mayActAs(actor, target)) {
        throw actor.role === 'admin'
          ? new AppError('not_allowed', 'An admin cannot be impersonated.')
          : userNotFound();
      }
      if (!(await lockLiveSession(tx, caller))) throw new AccountError('session_ended');
      const present = await resolveActing(tx, caller.sessionId, at);
      if (present.acting && present.acting.targetId !== target.id) {
        throw new AppError('conflict', 'You are already viewing as somebody else.');
      }
      const acting = present.acting ?? (await begin(tx, caller, { targetId: target.id, reason, at }));
      return { target, acting, ended: present.ended };
    });
    revocations.announceEndedActing(ended);
    const { id, username, role } = target;
    return { user_id: id, username, role, until: acting.until.toISOString() };
  }

  async function begin(
    tx: Queryable,
    { userId: actorId, sessionId }: SignedIn,
    { targetId, reason, at }: { readonly targetId: string; readonly reason: string; readonly at: Date },
  ): Promise<Impersonation> {
    const until = new Date(at.getTime() + actingLifetimeMs);
    const begun = await insertImpersonation(tx, { sessionId, actorId, targetId, reason, at, until });
    await recordAct(tx, {
      at,
      actorId,
      subjectId: targetId,
      action: 'impersonation_started',
      objectId: begun.id,
      reason,
      detail: { impersonation_id: begun.id, until },
    });
    return begun;
  }

  async function end(caller: SignedIn): Promise<z.input<typeof endImpersonation.result>> {
    const ended = await db.transaction((tx) =>
      endImpersonationOf(tx, caller.sessionId, 'ended by the actor', now()),
    );
    revocations.announceEndedActing(ended);
    return { ended: ended.length > 0 };
  }

  return { impersonate, end };
}

/** Who acts as the caller's person, why and until when; null in one's own session. */
export const createActingNow =
  ({ db }: Pick<Context, 'db'>) =>
  async (caller: SignedIn): Promise<z.input<typeof getActing.result>> => {
    if (!isActing(caller)) return null;
    const { rows } = await db.query<{ actor: string; actor_role: UserRole; reason: string; until: Date }>(
      `select a.username as actor, a.role as actor_role, i.reason, i.until
       from app.impersonations i join app.users a on a.id = i.actor_id
       where i.session_id = $1 and i.ended_at is null`,
      [caller.sessionId],
      'acting_now',
    );
    const [row] = rows;
    return row ? { ...row, until: row.until.toISOString() } : null;
  };
