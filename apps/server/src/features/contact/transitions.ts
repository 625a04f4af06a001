/**
 * Status changes of a message (CALL-81, A79). Invariants: a status changes along `contactTransitions` only, under the row's
 * lock, with one audit row for each step; several messages change together or not at all.
 */
import { AppError, type AuditedAction, type SignedIn, texts } from '@fulcrum/contract';
import { type ContactStatus, contactStatuses, couldHaveBecome, mayBecome } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { actorOf, recordAuditEntry } from '../audit/index.ts';
import { type ContactDependencies, lockMessages, readWritten, type StoredMessage } from './context.ts';

export const changedMeanwhile = () => new AppError('changed_meanwhile', texts.changedMeanwhile);

/** The audit log's action for a step to each status; no message becomes `new` again. */
const statusActions = {
  read: 'contact_form.read',
  replied: 'contact_form.reply',
  archived: 'contact_form.archive',
} as const satisfies Partial<Record<ContactStatus, AuditedAction>>;

interface Transition {
  readonly caller: SignedIn;
  readonly to: ContactStatus;
  readonly at: Date;
  /** How it was answered, where it was. */
  readonly answered?: 'by mail' | 'otherwise';
}

/** Whether another user set the message's present status. */
async function wasChangedByOther(tx: Queryable, id: string, caller: SignedIn): Promise<boolean> {
  const { rows } = await tx.query<{ actor_id: string | null }>(
    // Rows of before the log had `object_id` have the message in `subject_id`.
    `select actor_id from app.audit_log where object_id = $1 or subject_id = $1 order by at desc, id desc limit 1`,
    [id],
    'last_act_on_contact_form',
  );
  const [last] = rows;
  return last !== undefined && last.actor_id !== caller.actorId;
}

/**
 * Moves a locked message one step further.
 * @throws AppError `changed_meanwhile` after a concurrent change by another user, `conflict` for an invalid step
 */
export async function applyTransition(
  tx: Queryable,
  { id, status }: Pick<StoredMessage, 'id' | 'status'>,
  { caller, to, at, answered }: Transition,
): Promise<void> {
  if (to === 'new' || !mayBecome(status, to)) {
    if (couldHaveBecome(status, to) && (await wasChangedByOther(tx, id, caller))) throw changedMeanwhile();
    throw new AppError('conflict', texts.contactStatusFixed(status, to));
  }
  await tx.query(
    `update app.contact_forms set status = $2, updated_at = $3, version = version + 1,
       replied_by = case when $2 = 'replied' then $4::uuid else replied_by end,
       replied_at = case when $2 = 'replied' then $3 else replied_at end
     where id = $1`,
    [id, to, at, caller.actorId],
    'step_contact_form',
  );
  await recordAuditEntry(tx, {
    at,
    ...actorOf(caller),
    subjectId: null,
    action: statusActions[to],
    objectId: id,
    detail: { from: status, ...(answered === undefined ? {} : { answered }) },
  });
}

const isStatus = (value: unknown): value is ContactStatus =>
  contactStatuses.some((status) => status === value);

export function createTransitions({ db, clock, bus }: ContactDependencies) {
  /** @throws AppError `changed_meanwhile`, `conflict`, `invalid_argument` */
  return async (caller: SignedIn, ids: readonly string[], changes: Readonly<Record<string, unknown>>) => {
    const { status: to } = changes;
    if (!isStatus(to)) throw new AppError('invalid_argument', 'Name the status that the message becomes.');
    const at = new Date(clock.now());
    const { rows, changes: announced } = await db.transaction(async (tx) => {
      for (const message of await lockMessages(tx, ids)) {
        await applyTransition(tx, message, {
          caller,
          to,
          at,
          ...(to === 'replied' && { answered: 'otherwise' }),
        });
      }
      return readWritten('UPDATE', tx, ids, at);
    });
    bus.publish('account.changed', { changes: announced });
    return { ids: rows.map(({ id }) => String(id)), rows };
  };
}
