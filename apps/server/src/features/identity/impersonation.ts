/**
 * Impersonation (A45): `impersonate_user` marks the caller's session, the next refresh returns a token of the target, and
 * `end_impersonation` or the hour's end restores the own one. Invariants: every refresh checks the permission again;
 * impersonations do not nest; the reason and both users are in the audit log, in the starting transaction.
 *
 * Known limitation: the staff member's last own access token stays valid until it expires; it grants only their own rights.
 */
import {
  AppError,
  type ArgsOf,
  impersonationLifetimeMs,
  isImpersonating,
  procedureByName,
  type ResultOf,
  type SignedIn,
  texts,
  type UserRole,
} from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';
import { recordAuditEntry, requireReason } from '../audit/index.ts';
import type { Context } from './context.ts';
import { IdentityError } from './errors.ts';
import {
  endImpersonationOf,
  type Impersonation,
  insertImpersonation,
  lockImpersonationOf,
  mayImpersonate,
} from './impersonation-store.ts';
import type { EndedImpersonation } from './revocations.ts';
import { lockLiveSession } from './sessions.ts';
import { lockStaffChanges } from './staff-lock.ts';
import { findUser, userNotFound } from './users.ts';

/**
 * The official client requests a new token at every call once 90 s or less remain (AUTH-48). A token with a shorter life
 * would make it refresh without end, so the impersonation ends earlier.
 */
const refreshMarginMs = 90_000;

/** @throws AppError `not_allowed` while the caller impersonates */
export function refuseWhileImpersonating(caller: SignedIn): void {
  if (isImpersonating(caller)) {
    throw new AppError('not_allowed', texts.notWhileImpersonating);
  }
}

type Handler = (caller: SignedIn, args: never) => Promise<unknown>;

/** Wraps the handlers: each refuses an impersonating caller unless the contract's declaration allows it. */
export function guardFromImpersonation<Handlers extends Record<string, Handler>>(
  handlers: Handlers,
): Handlers {
  const guarded = Object.entries(handlers).map(([name, handler]) => {
    if (procedureByName.get(name)?.whileImpersonating === 'allowed') return [name, handler];
    const guard: Handler = async (caller, args) => {
      refuseWhileImpersonating(caller);
      return handler(caller, args);
    };
    return [name, guard];
  });
  return Object.fromEntries(guarded) as Handlers;
}

/** Returns the impersonation for the session's next access token, or null; ends one that is no longer allowed. */
export async function resolveImpersonation(
  tx: Queryable,
  sessionId: string,
  at: Date,
): Promise<{ readonly impersonation: Impersonation | null; readonly ended: readonly EndedImpersonation[] }> {
  const live = await lockImpersonationOf(tx, sessionId);
  if (!live) return { impersonation: null, ended: [] };
  const isOver = live.until.getTime() - at.getTime() <= refreshMarginMs;
  if (live.isAllowed && !isOver) return { impersonation: live, ended: [] };
  const cause = isOver ? 'time is up' : 'no longer allowed';
  return { impersonation: null, ended: await endImpersonationOf(tx, sessionId, cause, at) };
}

export function createImpersonation(
  { db, revocations, now }: Context,
  deletions: { readonly isUnderWay: (userId: string) => boolean },
) {
  /**
   * Starts an impersonation. A manager gets `not_found` for another manager's trader, every caller for an account under
   * deletion. A repeat for the same user returns the running one.
   * @throws AppError `not_found`, `not_allowed`, `conflict` when the session already impersonates another user
   */
  async function impersonate(
    caller: SignedIn,
    args: ArgsOf<'impersonate_user'>,
  ): Promise<ResultOf<'impersonate_user'>> {
    if (args.p_user_id === caller.userId) {
      throw new AppError('not_allowed', 'You cannot view as yourself.');
    }
    const reason = requireReason(args.p_reason);
    const { target, impersonation, ended } = await db.transaction(async (tx) => {
      const at = now();
      const actor = await lockStaffChanges(tx, caller);
      if (deletions.isUnderWay(actor.id)) throw new IdentityError('session_ended');
      const target = await findUser(tx, args.p_user_id);
      if (!target || deletions.isUnderWay(target.id)) throw userNotFound();
      if (!mayImpersonate(actor, target)) {
        throw actor.role === 'admin'
          ? new AppError('not_allowed', 'An admin cannot be impersonated.')
          : userNotFound();
      }
      if (!(await lockLiveSession(tx, caller))) throw new IdentityError('session_ended');
      const current = await resolveImpersonation(tx, caller.sessionId, at);
      if (current.impersonation && current.impersonation.targetId !== target.id) {
        throw new AppError('conflict', 'You are already impersonating another user.');
      }
      const impersonation =
        current.impersonation ?? (await begin(tx, caller, { targetId: target.id, reason, at }));
      return { target, impersonation, ended: current.ended };
    });
    revocations.announceEndedImpersonations(ended);
    const { id, username, role } = target;
    return { user_id: id, username, role, until: impersonation.until.toISOString() };
  }

  async function begin(
    tx: Queryable,
    { userId: actorId, sessionId }: SignedIn,
    { targetId, reason, at }: { readonly targetId: string; readonly reason: string; readonly at: Date },
  ): Promise<Impersonation> {
    const until = new Date(at.getTime() + impersonationLifetimeMs);
    const begun = await insertImpersonation(tx, { sessionId, actorId, targetId, reason, at, until });
    await recordAuditEntry(tx, {
      at,
      actorId,
      subjectId: targetId,
      action: 'impersonation.start',
      objectId: begun.id,
      reason,
      detail: { impersonation_id: begun.id, until },
    });
    return begun;
  }

  async function end(caller: SignedIn): Promise<ResultOf<'end_impersonation'>> {
    const ended = await db.transaction((tx) =>
      endImpersonationOf(tx, caller.sessionId, 'ended by the actor', now()),
    );
    revocations.announceEndedImpersonations(ended);
    return { ended: ended.length > 0 };
  }

  return { impersonate, end };
}

/** Returns the actor, reason and end of the caller's impersonation; null in one's own session. */
export const createGetImpersonation =
  ({ db }: Pick<Context, 'db'>) =>
  async (caller: SignedIn): Promise<ResultOf<'get_acting'>> => {
    if (!isImpersonating(caller)) return null;
    const { rows } = await db.query<{ actor: string; actor_role: UserRole; reason: string; until: Date }>(
      `select a.username as actor, a.role as actor_role, i.reason, i.until
       from app.impersonations i join app.users a on a.id = i.actor_id
       where i.session_id = $1 and i.ended_at is null`,
      [caller.sessionId],
      'current_impersonation',
    );
    const [row] = rows;
    return row ? { ...row, until: row.until.toISOString() } : null;
  };
