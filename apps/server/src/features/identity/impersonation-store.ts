/**
 * Impersonations as rows (A45): session, target, end and its cause. Invariants: a session impersonates one user at a time;
 * every end is in the audit log, in its transaction. Callers that end impersonations notify `revocations.ts` after the
 * commit, unless the whole session ended.
 */
import type { UserRole } from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';
import { currentRequestId } from '../../platform/request/index.ts';
import type { EndedImpersonation } from './revocations.ts';

export interface Impersonation {
  readonly id: string;
  /** The staff member's. */
  readonly sessionId: string;
  readonly actorId: string;
  readonly targetId: string;
  readonly until: Date;
}

/** An admin may impersonate every user but admins, a manager the traders assigned to them (AUTH-55, AUTH-56). */
export function mayImpersonate(
  actor: { readonly id: string; readonly role: UserRole },
  target: { readonly role: UserRole; readonly managerId: string | null },
): boolean {
  if (actor.role === 'admin') return target.role !== 'admin';
  return actor.role === 'manager' && target.role === 'trader' && target.managerId === actor.id;
}

export async function insertImpersonation(
  tx: Queryable,
  started: Omit<Impersonation, 'id'> & { readonly reason: string; readonly at: Date },
): Promise<Impersonation> {
  const { sessionId, actorId, targetId, reason, at, until } = started;
  const { rows } = await tx.query<{ id: string }>(
    `insert into app.impersonations (session_id, actor_id, target_id, reason, started_at, until)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [sessionId, actorId, targetId, reason, at, until],
  );
  const [row] = rows;
  if (!row) throw new Error('inserting an impersonation returned no row');
  return { id: row.id, sessionId, actorId, targetId, until };
}

interface LiveImpersonation extends Impersonation {
  /** Whether the present roles and assignment still allow it. */
  readonly isAllowed: boolean;
}

/** The impersonation that a session has not ended yet, locked; its time may be over. */
export async function lockImpersonationOf(
  tx: Queryable,
  sessionId: string,
): Promise<LiveImpersonation | undefined> {
  const { rows } = await tx.query<
    Impersonation & { actorRole: UserRole; targetRole: UserRole; managerId: string | null }
  >(
    `select i.id, i.session_id as "sessionId", i.actor_id as "actorId", i.target_id as "targetId", i.until,
            actor.role as "actorRole", target.role as "targetRole", target.manager_id as "managerId"
     from app.impersonations i
     join app.users actor on actor.id = i.actor_id
     join app.users target on target.id = i.target_id
     where i.session_id = $1 and i.ended_at is null for no key update of i`,
    [sessionId],
    'lock_impersonation',
  );
  const [row] = rows;
  if (!row) return undefined;
  const { actorRole, targetRole, managerId, ...impersonation } = row;
  const actor = { id: row.actorId, role: actorRole };
  return { ...impersonation, isAllowed: mayImpersonate(actor, { role: targetRole, managerId }) };
}

export const endImpersonationOf = (tx: Queryable, sessionId: string, cause: EndCause, at: Date) =>
  endWhere(tx, 'session_id = $3', [at, cause, sessionId]);

export const endImpersonationsOfSessions = (
  tx: Queryable,
  sessionIds: readonly string[],
  cause: EndCause,
  at: Date,
) => endWhere(tx, 'session_id = any($3)', [at, cause, sessionIds]);

/** Ends all impersonations of `targetId`. */
export const endImpersonationsOfTarget = (tx: Queryable, targetId: string, cause: EndCause, at: Date) =>
  endWhere(tx, 'target_id = $3', [at, cause, targetId]);

/** Ends all impersonations by `actorId`, in every session. */
export const endImpersonationsByActor = (tx: Queryable, actorId: string, cause: EndCause, at: Date) =>
  endWhere(tx, 'actor_id = $3', [at, cause, actorId]);

/** Ends impersonations of the trader `targetId` by managers other than `managerId` (null: it has none). */
export const endImpersonationsByOtherManagers = (
  tx: Queryable,
  { targetId, managerId }: { readonly targetId: string; readonly managerId: string | null },
  at: Date,
) =>
  endWhere(
    tx,
    `target_id = $3 and actor_id is distinct from $4
     and exists (select from app.users actor where actor.id = i.actor_id and actor.role = 'manager')`,
    [at, 'reassigned', targetId, managerId],
  );

/** Ends impersonations whose hour is over. Their tokens have expired as well, so no notification is needed. */
export const endExpiredImpersonations = (tx: Queryable, at: Date) =>
  endWhere(tx, 'until <= $1', [at, 'time is up']);

type EndCause =
  | 'ended by the actor'
  | 'time is up'
  | 'no longer allowed'
  | 'reassigned'
  | 'role changed'
  | 'account deleted'
  | 'session ended';

/** `condition` speaks of `i` and uses the parameters from $3 on. Rows are locked in id order, so two ends cannot deadlock. */
async function endWhere(
  tx: Queryable,
  condition: string,
  parameters: readonly [at: Date, cause: EndCause, ...(string | null | readonly string[])[]],
): Promise<readonly EndedImpersonation[]> {
  const { rows } = await tx.query<EndedImpersonation>(
    `with ended as (
       update app.impersonations set ended_at = least($1::timestamptz, until)
       where ended_at is null and id in (
         select i.id from app.impersonations i where i.ended_at is null and ${condition}
         order by i.id for no key update)
       returning id, session_id, actor_id, target_id
     ), recorded as (
       insert into app.audit_log (at, actor_id, subject_id, action, object_id, request_id, detail)
       select $1, actor_id, target_id, 'impersonation.end', id, $${parameters.length + 1}::text,
              jsonb_build_object('impersonation_id', id, 'cause', $2::text) from ended
     )
     select id as "impersonationId", session_id as "sessionId" from ended`,
    [...parameters, currentRequestId()],
  );
  return rows;
}
