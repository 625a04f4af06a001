/**
 * A trader submits an identity check (CALL-58, A57 to A60). Invariants: row, status of the person and audit row are written
 * together under the person's row lock, under which uploads end too, so an attempt has the pictures that were the newest when it
 * was made; every picture is newer than those of the attempt before, and no picture stands for two. Who, when and which status
 * come from the server; what the claims say of them has to agree.
 *
 * Whether somebody may submit follows `users.kyc_status`: an admin who sets it back to `unverified` reopens the way also after a
 * final rejection.
 */
import { AppError, type SignedIn, texts } from '@fulcrum/contract';
import {
  checkKyc,
  isValid,
  type KycFields,
  type KycPicture,
  kycFields,
  kycPictures,
  normaliseKyc,
} from '@fulcrum/domain';
import type { Bus } from '../../platform/bus/index.ts';
import { changeOf, wireRows } from '../../platform/changes/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database, Queryable } from '../../platform/database/index.ts';
import { AccountError, recordAct } from '../accounts/index.ts';

export interface SubmissionDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly bus: Bus;
}

/** A claimed row, its values in the form of their columns. */
type ClaimedRow = Readonly<Record<string, unknown>>;
type WireRow = Readonly<Record<string, unknown>>;
type Pictures = Readonly<Record<KycPicture, string>>;

/** What is asked for, with nothing in it that only the server knows. */
interface Submission {
  readonly fields: KycFields;
  readonly clientId: string | null;
}

interface Attempt extends KycFields {
  readonly id: string;
  readonly attempt: number;
  readonly status: 'pending' | 'approved' | 'rejected';
  readonly reject_type: 'retry' | 'final' | null;
  readonly document_front_file: string;
  readonly document_back_file: string;
  readonly selfie_file: string;
}

const bucket = 'kyc-documents';
const clientIdMax = 64;
const pathOf = (userId: string, picture: KycPicture): string => `${userId}/${picture}.jpg`;

export function createSubmission({ db, clock, bus }: SubmissionDependencies) {
  /**
   * The next attempt of the caller; a repeat with the same `client_id` answers with the attempt that it made.
   * @throws AppError `invalid_argument` for what is missing or wrong, `not_allowed`, `conflict`, `idempotency_conflict`
   */
  async function insert(
    caller: SignedIn,
    rows: readonly ClaimedRow[],
  ): Promise<{ readonly ids: readonly string[]; readonly rows: readonly WireRow[] }> {
    const [claimed, ...others] = rows;
    if (!claimed || others.length > 0) throw new AppError('invalid_argument', 'Insert one row at a time.');
    const at = new Date(clock.now());
    const submission = submissionOf(caller, claimed, at);
    const { row, isNew } = await db.transaction(async (tx) => {
      const status = await lockStatus(tx, caller.userId);
      const before = await attemptMadeBy(tx, caller.userId, submission);
      const id = before ?? (await submit(tx, { caller, status, submission, at }));
      const [written] = await wireRows(tx, 'kyc_verifications', [id]);
      if (!written) throw new Error('an identity check was not written');
      return { row: written, isNew: before === null };
    });
    if (isNew) {
      const change = { table: 'kyc_verifications', type: 'INSERT', committedAt: at.toISOString() } as const;
      bus.publish('account.changed', { changes: [changeOf(change, row)] });
    }
    return { ids: [String(row.id)], rows: [row] };
  }
  return { insert };
}

/** @throws AppError `invalid_argument`, `not_allowed` */
function submissionOf({ userId }: SignedIn, row: ClaimedRow, now: Date): Submission {
  if (row.user_id !== undefined && row.user_id !== userId) {
    throw new AppError('not_allowed', 'You can only submit your own verification.');
  }
  if (row.status !== undefined && row.status !== 'pending') {
    throw new AppError('invalid_argument', 'The status of a new verification is pending.');
  }
  const typed = typedFields(row);
  const objections = checkKyc(typed, now.toISOString().slice(0, 10));
  if (!isValid(objections)) {
    const [first = ''] = kycFields.flatMap((field) => objections[field] ?? []);
    throw new AppError('invalid_argument', first);
  }
  for (const picture of kycPictures) {
    const claim = row[`${picture}_url`];
    if (claim == null || claim === '') throw new AppError('invalid_argument', texts.kycDocumentsMissing);
    if (claim !== pathOf(userId, picture)) {
      throw new AppError('invalid_argument', `${picture}_url must be ${pathOf(userId, picture)}`);
    }
  }
  return { fields: normaliseKyc(typed), clientId: clientIdOf(row.client_id) };
}

function typedFields(row: ClaimedRow): KycFields {
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

function clientIdOf(claim: unknown): string | null {
  if (claim == null) return null;
  if (typeof claim !== 'string' || claim.length === 0 || claim.length > clientIdMax) {
    throw new AppError('invalid_argument', `A client id has 1 to ${clientIdMax} characters`);
  }
  return claim;
}

/** The person's status, with their row locked. @throws AccountError when the account is gone */
async function lockStatus(tx: Queryable, userId: string): Promise<string> {
  const { rows } = await tx.query<{ kyc_status: string }>(
    'select kyc_status from app.users where id = $1 for no key update',
    [userId],
    'kyc_lock_person',
  );
  const [person] = rows;
  if (!person) throw new AccountError('session_ended');
  return person.kyc_status;
}

const attemptColumns = `id, attempt, status, reject_type, document_front_file, document_back_file, selfie_file, first_name,
  last_name, date_of_birth::text, country, address, city, postal_code, document_type, document_number`;

/** The id of the attempt that this very submission made before; null when it is the first. @throws AppError `idempotency_conflict` */
async function attemptMadeBy(
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
  const [made] = rows;
  if (!made) return null;
  if (kycFields.some((field) => made[field] !== fields[field])) {
    throw new AppError('idempotency_conflict', 'This client_id was already used with different fields.');
  }
  return made.id;
}

interface Wanted {
  readonly caller: SignedIn;
  readonly status: string;
  readonly submission: Submission;
  readonly at: Date;
}

async function submit(tx: Queryable, { caller, status, submission, at }: Wanted): Promise<string> {
  const { userId } = caller;
  const last = await lastAttempt(tx, userId);
  requireWelcome(status, last);
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
  await recordAct(tx, {
    at,
    actorId: userId,
    subjectId: userId,
    action: 'kyc_submitted',
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

/** @throws AppError unless another attempt is awaited of this person */
function requireWelcome(status: string, last: Attempt | null): void {
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
  /** In hexadecimal, as stored and as it came. */
  readonly sha256: string;
  readonly original: string;
}

/** The newest versions behind the stated paths. @throws AppError `invalid_argument` unless they are three new pictures */
async function newPictures(tx: Queryable, userId: string, last: Attempt | null): Promise<Pictures> {
  const { rows } = await tx.query<Picture>(
    `select distinct on (path) id, path, encode(sha256, 'hex') as sha256,
            encode(coalesce(original_sha256, sha256), 'hex') as original
     from app.files where bucket = $1 and path = any($2) and owner_id = $3 order by path, version desc`,
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
