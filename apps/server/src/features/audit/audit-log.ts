/**
 * The audit log: actor, action and subject, written in the transaction of the action, so neither exists without the other.
 * It is append-only and outlives a deleted account (A73): `detail` contains no secret, and no email, name or phone number
 * in clear.
 *
 * Known limitations: a reason is free text, in which staff may name the user. Pseudonyms of before migration 0024 have no
 * key, so their values can still be found by trying; rows of this log are never changed.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { type AuditAction, isImpersonating, type SignedIn } from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';
import { currentRequestId } from '../../platform/request/index.ts';

export interface AuditEntry {
  readonly at: Date;
  /** Null: the operator of the machine. */
  readonly actorId: string | null;
  /** The impersonated user (A45); absent without impersonation. */
  readonly onBehalfOf?: string | null;
  /** Null: no subject. */
  readonly subjectId: string | null;
  readonly action: AuditAction;
  /** The position, order, check, conversation, file or letter that it was about. */
  readonly objectId?: string | null;
  readonly reason?: string | null;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export async function recordAuditEntry(tx: Queryable, entry: AuditEntry): Promise<void> {
  await tx.query(
    `insert into app.audit_log (at, actor_id, on_behalf_of, subject_id, action, object_id, reason, request_id, detail)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      entry.at,
      entry.actorId,
      entry.onBehalfOf ?? null,
      entry.subjectId,
      entry.action,
      entry.objectId ?? null,
      entry.reason ?? null,
      currentRequestId(),
      entry.detail ?? {},
    ],
    'record_audit_entry',
  );
}

/** The actor and the impersonated user of a caller. */
export const actorOf = (caller: SignedIn): Pick<AuditEntry, 'actorId' | 'onBehalfOf'> => ({
  actorId: caller.actorId,
  onBehalfOf: isImpersonating(caller) ? caller.userId : null,
});

const pseudonymDigits = 16;

/** Replaces one value of a user by its pseudonym; null stays null. */
export type Pseudonymize = <Value extends string | null>(value: Value) => string | Value;

/**
 * Creates pseudonyms of emails, names and phone numbers of `subjectId`, with the account's key (RFC 2104 over SHA-256).
 * While the key exists, a reader of the database can check a guessed value; after its deletion no guess can be checked.
 * Equal values of two users have different pseudonyms.
 */
export async function createPseudonymizer(db: Queryable, subjectId: string): Promise<Pseudonymize> {
  const { rows } = await db.query<{ key: Buffer }>(
    `select mark_key as key from app.credentials where user_id = $1`,
    [subjectId],
    'mark_key',
  );
  // A deleted account has no key: a random one makes a pseudonym that matches nothing.
  const key = rows[0]?.key ?? randomBytes(32);
  return (value) =>
    value === null
      ? value
      : `#${createHmac('sha256', key).update(value).digest('hex').slice(0, pseudonymDigits)}`;
}
