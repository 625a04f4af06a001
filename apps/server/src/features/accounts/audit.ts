/**
 * The audit log: who did what to whom, written in the transaction of the act itself, so neither exists without the
 * other. Append-only for the application's role. Nothing secret goes into `detail`.
 */
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
