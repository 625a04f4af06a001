/**
 * Identity checks of the demo in every state: drawings as pictures, submitted and decided by the code of `features/kyc`, under
 * the clock of their time.
 */
import { createHash } from 'node:crypto';
import type { SignedIn } from '@fulcrum/contract';
import { dayMs, disclosedReasons, hourMs, type KycDocumentType, kycPictures } from '@fulcrum/domain';
import { createManualClock } from '../../platform/clock/index.ts';
import { createFileStore } from '../../platform/files/index.ts';
import { createDecisions, createSubmission } from '../kyc/index.ts';
import type { DemoDependencies } from './dependencies.ts';
import { drawKycPicture } from './drawings.ts';
import { type UserScript, users } from './script/users.ts';
import { readSteps, recordStep } from './steps.ts';
import { findDemoUsers } from './users.ts';

const bucket = 'kyc-documents';
const documentTypes: readonly KycDocumentType[] = ['passport', 'id_card', 'drivers_license'];
/** Hours ago of the submission of a check that waits, at most. */
const waitingHoursMax = 30;

/** Between the two rejections of one case lies nothing: each is decided this long after it came. */
const decidedAfterMs = 5 * hourMs;

export async function writeKycCases(deps: DemoDependencies, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  const done = await readSteps(db);
  const known = await findDemoUsers(db);
  const { rows } = await db.query<{ id: string }>(
    `select id from app.users where email = 'admin@fulcrum.local' and role = 'admin'`,
  );
  const reviewerId = rows[0]?.id;
  for (const [slot, user] of users.entries()) {
    signal.throwIfAborted();
    const step = `kyc ${user.username}`;
    const userId = known.get(user.username)?.id;
    if (user.kyc === null || userId === undefined || reviewerId === undefined || done.has(step)) continue;
    await writeCase(deps, { user, userId, reviewerId, slot });
    await recordStep(db, step);
  }
}

interface KycCase {
  readonly user: UserScript;
  readonly userId: string;
  readonly reviewerId: string;
  readonly slot: number;
}

async function writeCase(deps: DemoDependencies, { user, userId, reviewerId, slot }: KycCase): Promise<void> {
  const { db, bus, log } = deps;
  const { rowCount } = await db.query(`select from app.kyc_verifications where user_id = $1`, [userId]);
  // Written before a kill, or by an admin's own upload: it stays as it is.
  if (rowCount > 0) return;
  const now = deps.clock.now();
  const waits = user.kyc === 'pending';
  const submittedAt = waits
    ? now - Math.min(user.joinedDaysAgo * dayMs * 0.8, (1 + ((slot * 7) % waitingHoursMax)) * hourMs)
    : now - user.joinedDaysAgo * dayMs * 0.7;
  const clock = createManualClock(submittedAt);
  const store = createFileStore({ db, clock, log, rememberAttemptsMs: 0 });
  for (const picture of kycPictures) {
    const bytes = await drawKycPicture(picture, slot);
    const file = { ownerId: userId, bucket, path: `${userId}/${picture}.jpg`, contentType: 'image/jpeg' };
    const originalSha256 = createHash('sha256').update(bytes).digest();
    const upload = await store.begin(userId);
    await store.finish(
      upload,
      { ...file, cacheControlS: 3600 },
      { bytes, originalSha256 },
      async () => undefined,
    );
  }
  const { ids } = await createSubmission({ db, bus, clock }).insert(asTrader(userId), [
    toRow(user, userId, slot),
  ]);
  const [id] = ids;
  if (waits || id === undefined) return;
  clock.advance(decidedAfterMs);
  const isApproved = user.kyc === 'approved';
  const picked = isApproved
    ? []
    : user.kyc === 'retry'
      ? [{ document: 'document_front', code: 'dark_or_glare' } as const]
      : [{ document: null, code: 'not_accepted' } as const];
  await createDecisions({ db, bus, clock }).record(reviewerId, {
    id,
    decision: isApproved ? 'approved' : 'rejected',
    picked,
    reasons: disclosedReasons(picked).map((reason) => ({ ...reason })),
    rejectType: isApproved ? null : user.kyc === 'final' ? 'final' : 'retry',
    note: null,
    version: null,
    clientId: null,
  });
}

/** The owner, as their own request would name them. */
const asTrader = (userId: string): SignedIn => ({
  role: 'trader',
  userId,
  accountId: userId,
  actorId: userId,
  sessionId: userId,
  impersonationId: null,
});

function toRow({ firstName, lastName, country, city }: UserScript, userId: string, slot: number) {
  const year = 1968 + ((slot * 7) % 34);
  const month = 1 + ((slot * 5) % 12);
  const day = 1 + ((slot * 11) % 28);
  return {
    first_name: firstName,
    last_name: lastName,
    date_of_birth: `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
    country,
    address: `${12 + slot} Harbour Street`,
    city,
    postal_code: String(10_000 + slot * 173),
    document_type: documentTypes[slot % documentTypes.length],
    document_number: `DEMO${(slot * 7_919 + 40_128).toString().padStart(7, '0')}`,
    ...Object.fromEntries(kycPictures.map((picture) => [`${picture}_url`, `${userId}/${picture}.jpg`])),
  };
}
