/**
 * Decisions about identity checks (A58, A61, A63): `review_kyc`, and the documents' own update (CALL-61), which is
 * the same command. Invariants: an attempt is decided once, by a current admin, and never by its own user. Attempt,
 * user, audit row and the trader's notification are one transaction. The audit row holds codes and no personal data.
 * For a confidential reason (fraud) the trader's row has only a neutral text. The reason itself is in the audit row
 * and at the head of the private note.
 *
 * Known limitation: the documents' own update names no version, so it decides the attempt that the id means now; an
 * attempt does not change before its decision.
 */
import {
  AppError,
  type ArgsOf,
  type KycReason,
  type KycRow,
  type RowChange,
  type SignedIn,
  texts,
} from '@fulcrum/contract';
import {
  disclosedReasons,
  isBlank,
  isReason,
  type KycAttemptStatus,
  type KycDecision,
  type KycRejectType,
  kycReasonOf,
  type PickedReason,
} from '@fulcrum/domain';
import { readWireRows, toRowChange } from '../../platform/changes/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import type { Services } from '../../platform/services.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { lockStaffChanges, refuseWhileImpersonating } from '../identity/index.ts';
import { notify } from '../notifications/index.ts';

type DecisionDependencies = Pick<Services, 'db' | 'clock' | 'bus'>;

/** What to decide; without a version, the attempt that is pending under that id. */
interface DecisionRequest {
  readonly id: string;
  readonly decision: KycDecision;
  /** As the reviewer selected them. */
  readonly picked: readonly PickedReason[];
  /** As the trader reads them. */
  readonly reasons: readonly KycReason[];
  readonly rejectType: KycRejectType | null;
  readonly note: string | null;
  readonly version: number | null;
  readonly clientId: string | null;
}

interface Attempt {
  readonly user_id: string;
  readonly attempt: number;
  readonly status: KycAttemptStatus;
  readonly version: number;
  readonly reviewed_at: Date | null;
  readonly reviewer_id: string | null;
  readonly reviewer_name: string | null;
  readonly decision_client_id: string | null;
}

export const attemptNotFound = () => new AppError('not_found', 'Identity check not found');

export function createDecisions({ db, clock, bus }: DecisionDependencies) {
  /** @throws AppError `not_found`, `not_allowed`, `changed_meanwhile`; AccountError `session_ended` */
  async function decide(caller: SignedIn, request: DecisionRequest): Promise<KycRow> {
    const { row, changes } = await db.transaction(async (tx) => {
      await lockStaffChanges(tx, caller);
      const attempt = await lockAttempt(tx, request.id);
      if (attempt.user_id === caller.userId) {
        throw new AppError('not_allowed', 'You cannot review your own identity check.');
      }
      if (attempt.status !== 'pending') {
        if (!isRepeat(attempt, request, caller)) throw changedMeanwhile(attempt);
        return { row: await getKycRow(tx, request.id), changes: [] };
      }
      if (request.version !== null && request.version !== attempt.version) throw changedMeanwhile(attempt);
      return apply(tx, caller, request, attempt);
    });
    if (changes.length > 0) bus.publish('account.changed', { changes });
    return row;
  }

  async function apply(
    tx: Queryable,
    caller: Pick<SignedIn, 'userId'>,
    { id, decision, picked, reasons, rejectType, note, clientId }: DecisionRequest,
    attempt: Attempt,
  ): Promise<{ readonly row: KycRow; readonly changes: readonly RowChange[] }> {
    const at = new Date(clock.now());
    await tx.query(
      `update app.kyc_verifications
       set status = $2, reviewed_at = $3, reviewer_id = $4, reject_type = $5, reasons = $6, private_note = $7,
           decision_client_id = $8, claimed_by = null, claimed_until = null, version = version + 1
       where id = $1 and status = 'pending'`,
      [id, decision, at, caller.userId, rejectType, JSON.stringify(reasons), note, clientId],
      'decide_kyc',
    );
    const isApproved = decision === 'approved';
    await tx.query(
      `update app.users set kyc_status = $2, kyc_verified_at = $3 where id = $1`,
      [attempt.user_id, isApproved ? 'verified' : 'rejected', isApproved ? at : null],
      'decide_kyc_user',
    );
    await recordAuditEntry(tx, {
      at,
      actorId: caller.userId,
      subjectId: attempt.user_id,
      action: isApproved ? 'kyc.approve' : 'kyc.reject',
      objectId: id,
      detail: {
        verification_id: id,
        attempt: attempt.attempt,
        reject_type: rejectType,
        reasons: picked,
      },
    });
    const notification = await notify(tx, {
      userId: attempt.user_id,
      kind: isApproved ? 'kyc_approved' : 'kyc_rejected',
      message: getNotificationText(decision, rejectType),
      at,
    });
    const row = await getKycRow(tx, id);
    const written = { table: 'kyc_verifications', type: 'UPDATE', committedAt: at.toISOString() } as const;
    return { row, changes: [toRowChange(written, { ...row }), notification] };
  }

  return {
    review: (caller: SignedIn, args: ArgsOf<'review_kyc'>): Promise<KycRow> =>
      decide(caller, toDecisionRequest(args)),

    /** A decision of the demo's past, by a reviewer who has no session. */
    record: (reviewerId: string, request: DecisionRequest): Promise<void> =>
      db.transaction(async (tx) => {
        await apply(tx, { userId: reviewerId }, request, await lockAttempt(tx, request.id));
      }),

    /** `reviewed_at` becomes the server's time; a rejection gets the general reason (CALL-61). */
    async updateFromTable(
      caller: SignedIn,
      ids: readonly string[],
      changes: Readonly<Record<string, unknown>>,
    ): Promise<readonly string[]> {
      refuseWhileImpersonating(caller);
      const [id, ...others] = ids;
      if (id === undefined) return [];
      if (others.length > 0) throw new AppError('invalid_argument', 'Review one identity check at a time.');
      const { status } = changes;
      if (status !== 'approved' && status !== 'rejected') {
        throw new AppError('invalid_argument', 'An identity check is approved or rejected.');
      }
      const isRejected = status === 'rejected';
      await decide(caller, {
        id,
        decision: status,
        picked: isRejected ? [unspecifiedReason] : [],
        reasons: isRejected ? disclosedReasons([unspecifiedReason]).map((reason) => ({ ...reason })) : [],
        rejectType: isRejected ? 'retry' : null,
        note: null,
        version: null,
        clientId: null,
      });
      return [id];
    },
  };
}

/** The reason of a rejection without one. */
const unspecifiedReason: PickedReason = { document: null, code: 'other' };

/** @throws AppError `invalid_argument` for reasons that do not fit the decision, and for unknown ones */
function toDecisionRequest(args: ArgsOf<'review_kyc'>): DecisionRequest {
  const decision = args.p_decision;
  const given = args.p_reasons ?? [];
  const isRejected = decision === 'rejected';
  if (isRejected && given.length === 0) throw new AppError('invalid_argument', 'A rejection needs a reason.');
  if (!isRejected && (given.length > 0 || args.p_reject_type != null)) {
    throw new AppError('invalid_argument', 'An approval has no reasons.');
  }
  const picked = given.map(({ document, code }) => ({ document, code }));
  const unknown = picked.find((reason) => !isReason(reason));
  if (unknown) throw new AppError('invalid_argument', `Unknown reason: ${unknown.code}`);
  return {
    id: args.p_id,
    decision,
    picked,
    reasons: toVisibleReasons(given),
    rejectType: isRejected ? (args.p_reject_type ?? 'retry') : null,
    note: buildPrivateNote(picked, requireStorable(args.p_note?.trim() ?? '', 'The private note')),
    version: args.p_version,
    clientId: args.p_client_id ?? null,
  };
}

/** The reviewer's texts for disclosable reasons, else the neutral ones. */
const toVisibleReasons = (given: readonly KycReason[]): KycReason[] =>
  disclosedReasons(given).map((reason) => {
    const own = given.find(({ document, code }) => document === reason.document && code === reason.code);
    const text =
      own === undefined ? reason.text : requireStorable(own.text.trim(), `The text of ${reason.code}`);
    if (isBlank(text)) throw new AppError('invalid_argument', `The reason ${reason.code} needs a text.`);
    return { document: reason.document, code: reason.code, text };
  });

/** The private note, headed by the reasons that are not disclosed to the trader. */
function buildPrivateNote(picked: readonly PickedReason[], note: string): string | null {
  const labels = picked.flatMap(({ code }) => {
    const rule = kycReasonOf(code);
    return rule?.confidential ? [rule.label] : [];
  });
  const head =
    labels.length === 0 ? [] : [`Not disclosed to the trader: ${[...new Set(labels)].join(', ')}.`];
  return [...head, note].filter(Boolean).join('\n') || null;
}

const controlCharacter = /(?![\t\n\r])\p{Cc}/u;

/**
 * PostgreSQL refuses half a surrogate pair, and control characters are unreadable. @throws AppError
 * `invalid_argument`
 */
function requireStorable(text: string, what: string): string {
  if (text.isWellFormed() && !controlCharacter.test(text)) return text;
  throw new AppError('invalid_argument', `${what} has characters that are not allowed.`);
}

/**
 * Locks the user before the attempt, as a submission does, so that the two cannot deadlock.
 * @throws AppError `not_found`
 */
export async function lockAttempt(tx: Queryable, id: string): Promise<Attempt> {
  const { rowCount } = await tx.query(
    `select from app.users where id = (select user_id from app.kyc_verifications where id = $1) for no key update`,
    [id],
    'lock_kyc_user',
  );
  if (rowCount === 0) throw attemptNotFound();
  const { rows } = await tx.query<Attempt>(
    `select v.user_id, v.attempt, v.status, v.version, v.reviewed_at, v.reviewer_id, r.username as reviewer_name,
            v.decision_client_id
     from app.kyc_verifications v left join app.users r on r.id = v.reviewer_id
     where v.id = $1 for update of v`,
    [id],
    'lock_kyc',
  );
  const [attempt] = rows;
  if (!attempt) throw attemptNotFound();
  return attempt;
}

/** The same decision, repeated by its author after a lost answer. The documents' own update has no client id. */
const isRepeat = (attempt: Attempt, { decision, clientId }: DecisionRequest, caller: SignedIn): boolean =>
  attempt.reviewer_id === caller.userId &&
  attempt.status === decision &&
  attempt.decision_client_id === clientId;

function changedMeanwhile({ status, reviewer_name, reviewed_at }: Attempt): AppError {
  const details =
    reviewed_at === null
      ? 'The identity check is not the one that was looked at.'
      : `${status === 'approved' ? 'Approved' : 'Rejected'} by ${reviewer_name ?? 'a deleted account'} at ${reviewed_at.toISOString()}`;
  return new AppError('changed_meanwhile', 'Someone else changed this in the meantime.', { details });
}

async function getKycRow(tx: Queryable, id: string): Promise<KycRow> {
  const [row] = await readWireRows(tx, 'kyc_verifications', [id]);
  if (!row) throw attemptNotFound();
  // The view's row in its wire form; the procedure's declared result is this table's columns.
  return row as KycRow;
}

/** The text of the trader's notification; the reason is with the attempt, on the profile's page. */
function getNotificationText(decision: KycDecision, rejectType: DecisionRequest['rejectType']): string {
  if (decision === 'approved') return 'Your identity is verified.';
  return rejectType === 'final'
    ? texts.kycDeclined
    : `Your verification was not accepted; your profile shows the reason. ${texts.kycSubmitNew}.`;
}
