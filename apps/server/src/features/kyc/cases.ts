/**
 * `open_kyc_case`: everything that a reviewer sees of one attempt. Invariants: the pictures are the versions of the
 * attempt, even after later uploads. A link to one is valid for a minute, within the session of the request, and is
 * in the audit log before the caller gets it (the files feature does both).
 *
 * Known limitation: the parts are read one after the other, so a decision between them shows in some of them.
 */
import {
  type ArgsOf,
  type KycPicture,
  type KycRow,
  kycDocuments,
  kycPictures,
  type OpenedKycCase,
  type SignedIn,
} from '@fulcrum/contract';
import { readWireRows } from '../../platform/changes/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database, Queryable } from '../../platform/database/index.ts';
import type { Files } from '../files/index.ts';
import { readClaims } from './claims.ts';
import { attemptNotFound } from './decisions.ts';
import { findDuplicates } from './duplicates.ts';

interface CaseDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly files: Files;
  readonly config: Pick<Config, 'minAge'>;
}

/** The most checks of one user that are read, far above any real number. */
const attemptsMax = 100;

export function createCases({ db, clock, files, config }: CaseDependencies) {
  async function signPictures(
    caller: SignedIn,
    id: string,
  ): Promise<Pick<OpenedKycCase, 'pictures' | 'pictures_discarded_at'>> {
    const stored = await storedPictures(db, id);
    const linked: OpenedKycCase['pictures'] = [];
    for (const { document, path, version, discarded_at } of stored) {
      if (discarded_at !== null) continue;
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
    const discarded = stored.flatMap(({ discarded_at }) => discarded_at ?? []);
    return { pictures: linked, pictures_discarded_at: discarded[0]?.toISOString() ?? null };
  }

  return {
    /** @throws AppError `not_found`; FileError */
    async open(caller: SignedIn, args: ArgsOf<'open_kyc_case'>): Promise<OpenedKycCase> {
      const { p_id: id } = args;
      const [row] = await readWireRows(db, 'kyc_verifications', [id]);
      if (!row) throw attemptNotFound();
      // The view's row in its wire form; `kycRow` declares this table's columns.
      const verification = row as KycRow;
      const user = await getUser(db, verification.user_id);
      const attempts = await getAttempts(db, verification.user_id);
      const duplicates = await findDuplicates(db, id);
      const now = new Date(clock.now());
      const isOldestFirst = args.p_oldest_first ?? false;
      const queue = await getQueuePosition(db, { id, isOldestFirst, callerId: caller.userId, now });
      const claim = (await readClaims(db, [id], now)).get(id) ?? null;
      const reviewer_name = await getReviewerName(db, verification.reviewer_id);
      // Last: the view is recorded only when no later step can refuse it.
      const pictures = await signPictures(caller, id);
      return {
        verification,
        user,
        reviewer_name,
        ...pictures,
        claim,
        min_age: config.minAge,
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

interface QueuePosition {
  readonly id: string;
  readonly isOldestFirst: boolean;
  readonly callerId: string;
  readonly now: Date;
}

/** The next pending one in the list's order that no other reviewer claimed; after the last one the first. */
async function getQueuePosition(
  db: Queryable,
  { id, isOldestFirst, callerId, now }: QueuePosition,
): Promise<Pick<OpenedKycCase, 'next_id' | 'waiting'>> {
  const [beyond, direction] = isOldestFirst ? ['>', 'asc'] : ['<', 'desc'];
  const isFree = `v.status = 'pending' and v.id <> $1
    and (v.claimed_by is null or v.claimed_by = $2 or v.claimed_until <= $3)`;
  const { rows } = await db.query<{ next_id: string | null; waiting: number }>(
    `select
       coalesce(
         (select v.id from app.kyc_verifications v, app.kyc_verifications this
          where this.id = $1 and ${isFree} and (v.submitted_at, v.id) ${beyond} (this.submitted_at, this.id)
          order by v.submitted_at ${direction}, v.id ${direction} limit 1),
         (select v.id from app.kyc_verifications v where ${isFree}
          order by v.submitted_at ${direction}, v.id ${direction} limit 1)
       ) as next_id,
       (select count(*)::int from app.kyc_verifications where status = 'pending') as waiting`,
    [id, callerId, now],
    `kyc_queue_${direction}`,
  );
  const [queue] = rows;
  if (!queue) throw new Error('a count has one row');
  return queue;
}

interface StoredPicture {
  readonly document: KycPicture;
  readonly path: string;
  readonly version: string;
  readonly discarded_at: Date | null;
}

/** In the contract's order. */
async function storedPictures(db: Queryable, id: string): Promise<readonly StoredPicture[]> {
  const { rows } = await db.query<StoredPicture>(
    `select p.document, f.path, f.id as version, f.discarded_at
     from app.kyc_verifications v cross join lateral unnest(
       $2::text[], array[v.document_front_file, v.document_back_file, v.selfie_file]
     ) with ordinality as p (document, file, place) join app.files f on f.id = p.file
     where v.id = $1 order by p.place`,
    [id, kycPictures],
    'kyc_pictures',
  );
  return rows;
}
