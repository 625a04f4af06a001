/**
 * The audit log: who did what to whom, written in the transaction of the act itself, so neither exists without the
 * other. Append-only, so it outlives a deleted account (A73): nothing secret goes into `detail`, and no email, name or
 * phone number in clear.
 *
 * Known limitation: a reason is free text, and staff may name the person in it.
 */
import { hash } from 'node:crypto';
import { isActing, type SignedIn } from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';
import { currentRequestId } from '../../platform/request/index.ts';

export interface Act {
  readonly at: Date;
  /** Null: the operator of the machine. */
  readonly actorId: string | null;
  /** As whom the actor acted (A45); left out in their own name. */
  readonly onBehalfOf?: string | null;
  /** Null: about nobody. */
  readonly subjectId: string | null;
  readonly action: string;
  /** The position, order, check, conversation, file or letter that it was about. */
  readonly objectId?: string | null;
  readonly reason?: string | null;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export async function recordAct(tx: Queryable, act: Act): Promise<void> {
  await tx.query(
    `insert into app.audit_log (at, actor_id, on_behalf_of, subject_id, action, object_id, reason, request_id, detail)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      act.at,
      act.actorId,
      act.onBehalfOf ?? null,
      act.subjectId,
      act.action,
      act.objectId ?? null,
      act.reason ?? null,
      currentRequestId(),
      act.detail ?? {},
    ],
    'record_act',
  );
}

/** Who does it, and as whom. */
export const actorOf = (caller: SignedIn): Pick<Act, 'actorId' | 'onBehalfOf'> => ({
  actorId: caller.actorId,
  onBehalfOf: isActing(caller) ? caller.userId : null,
});

const markDigits = 16;

/**
 * Stands for an email, name or phone number of `subjectId`: who suspects a value can check it, and the log names nobody
 * once the account is gone. The same value of two people has two marks.
 */
export const markOf = <Value extends string | null>(subjectId: string, value: Value): string | Value =>
  value === null ? value : `#${hash('sha256', `${subjectId} ${value}`, 'hex').slice(0, markDigits)}`;
