/**
 * Claims of pending identity checks: who works on which, for ten minutes (`kycClaimMinutes`). Invariants: an attempt has one
 * claim at most; it ends by its time, by a release or by the decision; each change of it is one transaction with its audit
 * row. A claim keeps nobody from deciding: the race of two reviewers is settled by `decisions.ts`.
 *
 * Known limitation: other reviewers see a claim with the next read of their list; a change event would also reach the trader.
 */
import { AppError, type ArgsOf, type KycClaim, type SignedIn } from '@fulcrum/contract';
import { kycClaimMinutes, minuteMs } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import type { Services } from '../../platform/services.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { lockStaffChanges } from '../identity/index.ts';
import { lockAttempt } from './decisions.ts';

interface StoredClaim {
  readonly claimed_by: string | null;
  readonly claim_client_id: string | null;
  readonly is_live: boolean;
}

/** The live claims of these attempts. */
export async function readClaims(
  db: Queryable,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, KycClaim>> {
  const { rows } = await db.query<{ id: string } & NonNullable<KycClaim>>(
    `select v.id, u.id as user_id, u.username,
            ceil(extract(epoch from v.claimed_until - $2::timestamptz))::int as seconds_left
     from app.kyc_verifications v join app.users u on u.id = v.claimed_by
     where v.id = any($1) and v.status = 'pending' and v.claimed_until > $2`,
    [ids, now],
    'kyc_claims',
  );
  return new Map(rows.map(({ id, ...claim }) => [id, claim]));
}

export function createClaims({ db, clock }: Pick<Services, 'db' | 'clock'>) {
  /** Runs `change` with the attempt locked, and answers with the claim that stands then. */
  async function withAttempt(
    caller: SignedIn,
    id: string,
    change: (tx: Queryable, attempt: Awaited<ReturnType<typeof lockAttempt>>, now: Date) => Promise<void>,
  ): Promise<{ claim: KycClaim }> {
    return db.transaction(async (tx) => {
      await lockStaffChanges(tx, caller);
      const attempt = await lockAttempt(tx, id);
      const now = new Date(clock.now());
      await change(tx, attempt, now);
      return { claim: (await readClaims(tx, [id], now)).get(id) ?? null };
    });
  }

  return {
    /** @throws AppError `not_found`, `not_allowed`, `changed_meanwhile` for a decided attempt */
    claim: (caller: SignedIn, args: ArgsOf<'claim_kyc'>) =>
      withAttempt(caller, args.p_id, async (tx, attempt, now) => {
        if (attempt.user_id === caller.userId) {
          throw new AppError('not_allowed', 'You cannot review your own identity check.');
        }
        if (attempt.status !== 'pending') {
          throw new AppError('changed_meanwhile', 'This identity check is already decided.');
        }
        const { claimed_by: holder, claim_client_id, is_live } = await getClaim(tx, args.p_id, now);
        const isOwn = holder === caller.userId;
        const clientId = args.p_client_id ?? null;
        if (isOwn && is_live && clientId !== null && clientId === claim_client_id) return;
        if (is_live && !isOwn && args.p_take_over !== true) return;
        await tx.query(
          `update app.kyc_verifications set claimed_by = $2, claimed_until = $3, claim_client_id = $4 where id = $1`,
          [args.p_id, caller.userId, new Date(now.getTime() + kycClaimMinutes * minuteMs), clientId],
          'claim_kyc',
        );
        await recordAuditEntry(tx, {
          at: now,
          actorId: caller.userId,
          subjectId: attempt.user_id,
          action: 'kyc.claim',
          objectId: args.p_id,
          detail: is_live ? (isOwn ? { how: 'renewed' } : { how: 'taken over', from_user_id: holder }) : {},
        });
      }),

    /** @throws AppError `not_found` */
    release: (caller: SignedIn, { p_id: id }: ArgsOf<'release_kyc'>) =>
      withAttempt(caller, id, async (tx, attempt, now) => {
        const { claimed_by: holder } = await getClaim(tx, id, now);
        if (holder !== caller.userId) return;
        await tx.query(
          `update app.kyc_verifications set claimed_by = null, claimed_until = null, claim_client_id = null where id = $1`,
          [id],
          'release_kyc',
        );
        await recordAuditEntry(tx, {
          at: now,
          actorId: caller.userId,
          subjectId: attempt.user_id,
          action: 'kyc.release',
          objectId: id,
        });
      }),
  };
}

/** With the attempt's row locked. */
async function getClaim(tx: Queryable, id: string, now: Date): Promise<StoredClaim> {
  const { rows } = await tx.query<StoredClaim>(
    `select claimed_by, claim_client_id, claimed_by is not null and claimed_until > $2 as is_live
     from app.kyc_verifications where id = $1`,
    [id, now],
    'kyc_claim',
  );
  const [claim] = rows;
  if (!claim) throw new Error('a locked attempt exists');
  return claim;
}
