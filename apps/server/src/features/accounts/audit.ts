/**
 * The audit log: who did what to whom, written in the transaction of the act itself, so neither exists without the
 * other. Append-only, so it outlives a deleted account (A73): nothing secret goes into `detail`, and no email, name or
 * phone number in clear.
 *
 * Known limitation: a reason is free text, and staff may name the person in it.
 */
import { hash } from 'node:crypto';
import type { Queryable } from '../../platform/database/index.ts';

export interface Act {
  readonly at: Date;
  /** Null: the operator of the machine. */
  readonly actorId: string | null;
  readonly subjectId: string;
  readonly action: string;
  readonly reason?: string | null;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export async function recordAct(tx: Queryable, act: Act): Promise<void> {
  await tx.query(
    `insert into app.audit_log (at, actor_id, subject_id, action, reason, detail) values ($1, $2, $3, $4, $5, $6)`,
    [act.at, act.actorId, act.subjectId, act.action, act.reason ?? null, act.detail ?? {}],
    'record_act',
  );
}

const markDigits = 16;

/**
 * Stands for an email, name or phone number of `subjectId`: who suspects a value can check it, and the log names nobody
 * once the account is gone. The same value of two people has two marks.
 */
export const markOf = <Value extends string | null>(subjectId: string, value: Value): string | Value =>
  value === null ? value : `#${hash('sha256', `${subjectId} ${value}`, 'hex').slice(0, markDigits)}`;
