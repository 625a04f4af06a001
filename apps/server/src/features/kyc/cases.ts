/**
 * `open_kyc_case`: everything that a reviewer sees of one attempt. Invariants: the pictures are the versions of the
 * attempt, even after later uploads. A link to one is valid for a minute, within the session of the request, and is
 * in the audit log before the caller gets it (the files feature does both).
 *
 * Known limitation: the parts are read one after the other, so a decision between them shows in some of them.
 */
import {
  type KycPicture,
  type KycRow,
  kycDocuments,
  kycPictures,
  type OpenedKycCase,
  type openKycCase,
  type SignedIn,
} from '@fulcrum/contract';
import type { z } from 'zod';
import { readWireRows } from '../../platform/changes/index.ts';
import type { Database, Queryable } from '../../platform/database/index.ts';
import type { Files } from '../files/index.ts';
import { attemptNotFound } from './decisions.ts';
import { findDuplicates } from './duplicates.ts';

export interface CaseDependencies {
  readonly db: Database;
  readonly files: Files;
}

/** Of one user, far above any real number. */
const attemptsMax = 100;

export function createCases({ db, files }: CaseDependencies) {
  async function signPictures(caller: SignedIn, id: string): Promise<OpenedKycCase['pictures']> {
    const stored = await storedPictures(db, id);
    const linked: OpenedKycCase['pictures'] = [];
    for (const { document, path, version } of stored) {
      const address = { bucket: kycDocuments.name, path, versionId: version };
      const { file, url, expiresAt } = await files.signVersion(caller, address);
      linked.push({
        document,
        url,
        expires_at: expiresAt.toISOString(),
        content_type: file.contentType,
        size_bytes: file.sizeBytes,
      });
    }
    return linked;
  }

  return {
    /** @throws AppError `not_found`; FileError */
    async open(caller: SignedIn, { p_id: id }: z.output<typeof openKycCase.args>): Promise<OpenedKycCase> {
      const [row] = await readWireRows(db, 'kyc_verifications', [id]);
      if (!row) throw attemptNotFound();
      // The view's row in its wire form; `kycRow` declares this table's columns.
      const verification = row as KycRow;
      const user = await getUser(db, verification.user_id);
      const attempts = await getAttempts(db, verification.user_id);
      const duplicates = await findDuplicates(db, id);
      const queue = await getQueuePosition(db, id);
      const reviewer_name = await getReviewerName(db, verification.reviewer_id);
      // Last: the view is recorded only when no later step can refuse it.
      const pictures = await signPictures(caller, id);
      return {
        verification,
        user,
        reviewer_name,
        pictures,
        attempts,
        duplicates,
        ...queue,
        may_review: verification.user_id !== caller.userId,
      };
    },
  };
}

async function getUser(db: Queryable, id: string): Promise<OpenedKycCase['user']> {
  const { rows } = await db.query<OpenedKycCase['user']>(
    `select id, username, email, to_json(created_at) as created_at, kyc_status from app.users where id = $1`,
    [id],
    'kyc_person',
  );
  const [user] = rows;
  if (!user) throw attemptNotFound();
  return user;
}

async function getReviewerName(db: Queryable, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const { rows } = await db.query<{ username: string }>(
    `select username from app.users where id = $1`,
    [id],
    'kyc_reviewer',
  );
  return rows[0]?.username ?? null;
}

async function getAttempts(db: Queryable, userId: string): Promise<OpenedKycCase['attempts']> {
  const { rows } = await db.query<OpenedKycCase['attempts'][number]>(
    `select id, attempt, status, to_json(submitted_at) as submitted_at, to_json(reviewed_at) as reviewed_at
     from app.kyc_verifications where user_id = $1 order by attempt desc limit $2`,
    [userId, attemptsMax],
    'kyc_attempts',
  );
  return rows;
}

/** The next pending one in the list's order; after the last one the first. */
async function getQueuePosition(
  db: Queryable,
  id: string,
): Promise<Pick<OpenedKycCase, 'next_id' | 'waiting'>> {
  const { rows } = await db.query<{ next_id: string | null; waiting: number }>(
    `select
       coalesce(
         (select v.id from app.kyc_verifications v, app.kyc_verifications this
          where this.id = $1 and v.status = 'pending' and v.id <> $1
            and (v.submitted_at, v.id) < (this.submitted_at, this.id)
          order by v.submitted_at desc, v.id desc limit 1),
         (select id from app.kyc_verifications where status = 'pending' and id <> $1
          order by submitted_at desc, id desc limit 1)
       ) as next_id,
       (select count(*)::int from app.kyc_verifications where status = 'pending') as waiting`,
    [id],
    'kyc_queue',
  );
  const [queue] = rows;
  if (!queue) throw new Error('a count has one row');
  return queue;
}

interface StoredPicture {
  readonly document: KycPicture;
  readonly path: string;
  readonly version: string;
}

/** In the contract's order. */
async function storedPictures(db: Queryable, id: string): Promise<readonly StoredPicture[]> {
  const { rows } = await db.query<StoredPicture>(
    `select p.document, f.path, f.id as version
     from app.kyc_verifications v cross join lateral unnest(
       $2::text[], array[v.document_front_file, v.document_back_file, v.selfie_file]
     ) with ordinality as p (document, file, place) join app.files f on f.id = p.file
     where v.id = $1 order by p.place`,
    [id, kycPictures],
    'kyc_pictures',
  );
  return rows;
}
