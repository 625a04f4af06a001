/**
 * A trader submits an identity check (CALL-58, A57 to A60). Invariants: attempt, status of the user and audit row are
 * written together under the user's row lock, which the end of an upload takes too. So an attempt has the newest
 * pictures of its time. Every picture is newer than those of the previous attempt, and no picture is used twice.
 * User, time and status come from the server; the client's values must agree.
 *
 * `users.kyc_status` decides whether a user may submit: an admin who resets it to `unverified` allows it again even
 * after a final rejection.
 */
import { AppError, type SignedIn, texts } from '@fulcrum/contract';
import {
  checkKyc,
  isValid,
  type KycAttemptStatus,
  type KycFields,
  type KycPicture,
  type KycRejectType,
  kycFields,
  kycPictures,
  normaliseKyc,
} from '@fulcrum/domain';
import { readWireRows, toRowChange } from '../../platform/changes/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import type { Services } from '../../platform/services.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { IdentityError } from '../identity/index.ts';

type SubmissionDependencies = Pick<Services, 'db' | 'clock' | 'bus'>;

/** An untrusted row, its values in the form of their columns. */
type UntrustedRow = Readonly<Record<string, unknown>>;
type WireRow = Readonly<Record<string, unknown>>;
type Pictures = Readonly<Record<KycPicture, string>>;

/** The submission, without fields that only the server knows. */
interface Submission {
  readonly fields: KycFields;
  readonly clientId: string | null;
}

interface Attempt extends KycFields {
  readonly id: string;
  readonly attempt: number;
  readonly status: KycAttemptStatus;
  readonly reject_type: KycRejectType | null;
  readonly document_front_file: string;
  readonly document_back_file: string;
  readonly selfie_file: string;
}

const bucket = 'kyc-documents';
const clientIdMax = 64;
const pathOf = (userId: string, picture: KycPicture): string => `${userId}/${picture}.jpg`;

export function createSubmission({ db, clock, bus }: SubmissionDependencies) {
  /**
   * The next attempt of the caller; a repeat with the same `client_id` returns the attempt that it created.
   * @throws AppError `invalid_argument` for what is missing or wrong, `not_allowed`, `conflict`,
   * `idempotency_conflict`
   */
  async function insert(
    caller: SignedIn,
    rows: readonly UntrustedRow[],
  ): Promise<{ readonly ids: readonly string[]; readonly rows: readonly WireRow[] }> {
    const [untrusted, ...others] = rows;
    if (!untrusted || others.length > 0) throw new AppError('invalid_argument', 'Insert one row at a time.');
    const at = new Date(clock.now());
    const submission = parseSubmission(caller, untrusted, at);
    const { row, isNew } = await db.transaction(async (tx) => {
      const status = await lockStatus(tx, caller.userId);
      const before = await findRepeatedAttempt(tx, caller.userId, submission);
      const id = before ?? (await submit(tx, { caller, status, submission, at }));
      const [written] = await readWireRows(tx, 'kyc_verifications', [id]);
      if (!written) throw new Error('an identity check was not written');
      return { row: written, isNew: before === null };
    });
    if (isNew) {
      const change = { table: 'kyc_verifications', type: 'INSERT', committedAt: at.toISOString() } as const;
      bus.publish('account.changed', { changes: [toRowChange(change, row)] });
    }
    return { ids: [String(row.id)], rows: [row] };
  }
  return { insert };
}

/** @throws AppError `invalid_argument`, `not_allowed` */
function parseSubmission({ userId }: SignedIn, row: UntrustedRow, now: Date): Submission {
  if (row.user_id !== undefined && row.user_id !== userId) {
    throw new AppError('not_allowed', 'You can only submit your own verification.');
  }
  if (row.status !== undefined && row.status !== 'pending') {
    throw new AppError('invalid_argument', 'The status of a new verification is pending.');
  }
  const typed = readTextFields(row);
  const objections = checkKyc(typed, now.toISOString().slice(0, 10));
  if (!isValid(objections)) {
    const [first = ''] = kycFields.flatMap((field) => objections[field] ?? []);
    throw new AppError('invalid_argument', first);
  }
  for (const picture of kycPictures) {
    const value = row[`${picture}_url`];
    if (value == null || value === '') throw new AppError('invalid_argument', texts.kycDocumentsMissing);
    if (value !== pathOf(userId, picture)) {
      throw new AppError('invalid_argument', `${picture}_url must be ${pathOf(userId, picture)}`);
    }
  }
  return { fields: normaliseKyc(typed), clientId: parseClientId(row.client_id) };
}

function readTextFields(row: UntrustedRow): KycFields {
  const text = (field: keyof KycFields): string => {
    const value = row[field];
    return typeof value === 'string' ? value : '';
  };
  return {
    first_name: text('first_name'),
    last_name: text('last_name'),
    date_of_birth: text('date_of_birth'),
    country: text('country'),
    address: text('address'),
    city: text('city'),
    postal_code: text('postal_code'),
    document_type: text('document_type'),
    document_number: text('document_number'),
  };
}

function parseClientId(value: unknown): string | null {
  if (value == null) return null;
  if (typeof value !== 'string' || value.length === 0 || value.length > clientIdMax) {
    throw new AppError('invalid_argument', `A client id has 1 to ${clientIdMax} characters`);
  }
  return value;
}

/** The user's status, with the user's row locked. @throws AccountError when the account is deleted */
async function lockStatus(tx: Queryable, userId: string): Promise<string> {
  const { rows } = await tx.query<{ kyc_status: string }>(
    'select kyc_status from app.users where id = $1 for no key update',
    [userId],
    'kyc_lock_person',
  );
  const [user] = rows;
  if (!user) throw new IdentityError('session_ended');
  return user.kyc_status;
}

const attemptColumns = `id, attempt, status, reject_type, document_front_file, document_back_file, selfie_file, first_name,
  last_name, date_of_birth::text, country, address, city, postal_code, document_type, document_number`;

/**
 * The id of the attempt that the same submission created before; null without one. @throws AppError
 * `idempotency_conflict`
 */
async function findRepeatedAttempt(
  tx: Queryable,
  userId: string,
  { fields, clientId }: Submission,
): Promise<string | null> {
  if (clientId === null) return null;
  const { rows } = await tx.query<Attempt>(
    `select ${attemptColumns} from app.kyc_verifications where user_id = $1 and client_id = $2`,
    [userId, clientId],
    'kyc_attempt_of_client',
  );
  const [repeated] = rows;
  if (!repeated) return null;
  if (kycFields.some((field) => repeated[field] !== fields[field])) {
    throw new AppError('idempotency_conflict', 'This client_id was already used with different fields.');
  }
  return repeated.id;
}

interface NewAttempt {
  readonly caller: SignedIn;
  readonly status: string;
  readonly submission: Submission;
  readonly at: Date;
}

async function submit(tx: Queryable, { caller, status, submission, at }: NewAttempt): Promise<string> {
  const { userId } = caller;
  const last = await lastAttempt(tx, userId);
  requireAttemptAllowed(status, last);
  const pictures = await newPictures(tx, userId, last);
  const attempt = (last?.attempt ?? 0) + 1;
  const { fields, clientId } = submission;
  const { rows } = await tx.query<{ id: string }>(
    `insert into app.kyc_verifications (user_id, attempt, submitted_at, client_id, document_front_file, document_back_file,
       selfie_file, ${kycFields.join(', ')})
     values ($1, $2, $3, $4, $5, $6, $7, ${kycFields.map((_, index) => `$${index + 8}`).join(', ')})
     returning id`,
    [
      userId,
      attempt,
      at,
      clientId,
      pictures.document_front,
      pictures.document_back,
      pictures.selfie,
      ...kycFields.map((field) => fields[field]),
    ],
    'kyc_submit',
  );
  const [row] = rows;
  if (!row) throw new Error('inserting an identity check returned no row');
  await tx.query(
    `update app.users set kyc_status = 'pending', kyc_verified_at = null where id = $1`,
    [userId],
    'kyc_person_pending',
  );
  await recordAuditEntry(tx, {
    at,
    actorId: userId,
    subjectId: userId,
    action: 'kyc.submit',
    objectId: row.id,
    detail: { verification_id: row.id, attempt },
  });
  return row.id;
}

async function lastAttempt(tx: Queryable, userId: string): Promise<Attempt | null> {
  const { rows } = await tx.query<Attempt>(
    `select ${attemptColumns} from app.kyc_verifications where user_id = $1 order by attempt desc limit 1`,
    [userId],
    'kyc_last_attempt',
  );
  return rows[0] ?? null;
}

/** @throws AppError unless the user's status allows another attempt */
function requireAttemptAllowed(status: string, last: Attempt | null): void {
  if (status === 'pending' || last?.status === 'pending') {
    throw new AppError('conflict', texts.kycUnderReview);
  }
  if (status === 'verified') throw new AppError('conflict', texts.kycVerified);
  if (status === 'rejected' && last?.reject_type === 'final') {
    throw new AppError('not_allowed', texts.kycDeclined);
  }
}

interface Picture {
  readonly id: string;
  readonly path: string;
  /** In hexadecimal, as stored and as uploaded. */
  readonly sha256: string;
  readonly original: string;
}

/** The newest versions behind the stated paths. @throws AppError `invalid_argument` unless they are three new pictures */
async function newPictures(tx: Queryable, userId: string, last: Attempt | null): Promise<Pictures> {
  const { rows } = await tx.query<Picture>(
    `select distinct on (path) id, path, encode(sha256, 'hex') as sha256,
            encode(coalesce(original_sha256, sha256), 'hex') as original
     from app.files where bucket = $1 and path = any($2) and owner_id = $3 and discarded_at is null
     order by path, version desc`,
    [bucket, kycPictures.map((picture) => pathOf(userId, picture)), userId],
    'kyc_newest_pictures',
  );
  const newest = (picture: KycPicture): string => {
    const found = rows.find(({ path }) => path === pathOf(userId, picture));
    if (!found || found.id === last?.[`${picture}_file`]) {
      throw new AppError('invalid_argument', texts.kycDocumentsMissing, {
        details: found ? `${picture} is the one of the attempt before` : `${picture} was not uploaded`,
      });
    }
    return found.id;
  };
  const pictures = {
    document_front: newest('document_front'),
    document_back: newest('document_back'),
    selfie: newest('selfie'),
  };
  const differ = (hashes: readonly string[]) => new Set(hashes).size === kycPictures.length;
  if (!differ(rows.map(({ sha256 }) => sha256)) || !differ(rows.map(({ original }) => original))) {
    throw new AppError('invalid_argument', texts.kycSamePicture);
  }
  return pictures;
}
