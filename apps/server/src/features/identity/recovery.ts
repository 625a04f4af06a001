/**
 * Password recovery: a mailed link signs its reader in once, to choose a new password. The requesting browser exchanges the
 * link's code with its verifier (PKCE, RFC 7636), any other browser the link's token. Invariants: the requester does not
 * learn whether an account exists; code and token are created with the mail, and only their SHA-256 is stored; one use
 * voids both, and all other open links of the user; so does a change of the password or email in between.
 *
 * Known limitations: a reader of the user's mail controls the account. With four addresses an attacker can use up an
 * email's twenty requests of the hour. A mail that is sent again (`platform/mail/queue.ts`) carries a new link, which voids the
 * earlier one.
 */
import { timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { busy } from '@fulcrum/contract';
import { checkEmail, normaliseEmail } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { defaultLimits, type Limits } from '../../platform/limits/index.ts';
import { type MailSender, queuedMailsMax } from '../../platform/mail/queue.ts';
import { rateLimitAddress } from '../../platform/rate-limit/address.ts';
import { TooManyAttempts } from '../../platform/rate-limit/too-many-attempts.ts';
import { countAttempt } from '../../platform/rate-limit/window-counter.ts';
import type { Services } from '../../platform/services.ts';
import { IdentityError } from './errors.ts';
import { hashOf, lifetimeMs } from './recovery-mails.ts';
import type { SessionTokens } from './session-tokens.ts';
import type { Device } from './sessions.ts';
import type { SignIn } from './sign-in.ts';
import { clearSignInAttempts, emailAtAddress } from './sign-in-attempts.ts';

/** No answer comes sooner: the little that a known email costs more disappears in it. */
const minimumAnswerMs = 100;

interface RecoveryRequest {
  readonly email: string;
  /** base64url SHA-256 of the verifier that stays in the browser; null without PKCE, and the link has no code then. */
  readonly codeChallenge: string | null;
}

/** What a browser makes of a link: the code and its own verifier, or the token alone. */
type RecoveryProof = { readonly code: string; readonly codeVerifier: string } | { readonly token: string };

export interface Recovery {
  /**
   * Puts a recovery mail into the queue when the email has an account. The same answer, work and limits when not.
   * @throws AccountError `registration_invalid` for what is no email; TooManyAttempts; AppError `busy`
   */
  request(input: RecoveryRequest, device: Device): Promise<void>;
  /**
   * Begins a session; the sign-in is a fresh one, so the password may be changed without the current one.
   * @throws AccountError `recovery_link_invalid`, `recovery_code_unknown`, `code_verifier_wrong`
   */
  redeem(proof: RecoveryProof, device: Device): Promise<SessionTokens>;
}

/** Voids every open recovery of the user, in the transaction that changes an email or makes an admin. */
export async function endRecoveries(tx: Queryable, userId: string, at: Date): Promise<void> {
  await tx.query(
    `update app.recoveries set used_at = $2 where user_id = $1 and used_at is null`,
    [userId, at],
    'end_recoveries',
  );
}

export function createRecovery(
  deps: Pick<Services, 'db' | 'clock'> & {
    readonly identity: Pick<SignIn, 'beginSession'>;
    readonly mails: Pick<MailSender, 'wake'>;
    /** Default: those of the table. */
    readonly limits?: Limits;
  },
): Recovery {
  const { db, identity, mails, limits = defaultLimits, clock } = deps;
  const now = () => new Date(clock.now());

  async function request({ email, codeChallenge }: RecoveryRequest, device: Device): Promise<void> {
    const objection = checkEmail(email);
    if (objection !== null) throw new IdentityError('registration_invalid', objection);
    await Promise.all([enqueue(normaliseEmail(email), codeChallenge, device), delay(minimumAnswerMs)]);
    mails.wake();
  }

  /**
   * One transaction, so that an unknown email writes to the disk as often as a known one: once, for its counters. One
   * request too many is committed as well: refused for the account, it counts for the address all the same.
   */
  async function enqueue(email: string, codeChallenge: string | null, device: Device): Promise<void> {
    const refused = await db.transaction(async (tx) => {
      const at = now();
      const tooMany = await countRequest(
        tx,
        limits,
        { email, address: rateLimitAddress(device.address ?? '') },
        at,
      );
      if (tooMany) return tooMany;
      const { rows } = await tx.query<{ waiting: number }>(
        `with queue as (
           select count(*)::int as waiting from (
             select from app.mails where sent_at is null and expires_at > $3 limit $5) unsent
         ), request as (
           insert into app.recoveries (user_id, code_challenge, requested_at, expires_at)
           select u.id, $2, $3, $4 from app.users u, queue where u.email = $1 and queue.waiting < $5
           returning id
         ), queued as (
           insert into app.mails (kind, recipient, detail, created_at, expires_at, next_attempt_at)
           select 'recovery', $1, jsonb_build_object('recovery_id', request.id), $3, $4, $3 from request
         )
         select waiting from queue`,
        [email, codeChallenge, at, new Date(at.getTime() + lifetimeMs), queuedMailsMax],
        'request_recovery',
      );
      if ((rows[0]?.waiting ?? queuedMailsMax) >= queuedMailsMax) throw busy();
      return undefined;
    });
    if (refused) throw refused;
  }

  async function redeem(proof: RecoveryProof, device: Device): Promise<SessionTokens> {
    const byCode = 'code' in proof;
    const column = byCode ? 'code_hash' : 'token_hash';
    const hash = hashOf(byCode ? proof.code : proof.token);
    const invalid = () => new IdentityError(byCode ? 'recovery_code_unknown' : 'recovery_link_invalid');

    const { rows } = await db.query<{ id: string; userId: string; codeChallenge: string | null }>(
      `select id, user_id as "userId", code_challenge as "codeChallenge" from app.recoveries
       where ${column} = $1 and used_at is null and expires_at > $2`,
      [hash, now()],
      `find_recovery_by_${column}`,
    );
    const [found] = rows;
    if (!found) throw invalid();
    // A wrong verifier leaves the link usable: another browser opened it, and its token is the way in there.
    if (byCode && !isVerifierOf(proof.codeVerifier, found.codeChallenge)) {
      throw new IdentityError('code_verifier_wrong');
    }

    return identity.beginSession(found.userId, device, async (tx, at) => {
      const { rows: redeemed } = await tx.query<{ email: string }>(
        `update app.recoveries r set used_at = $3 from app.users u, app.credentials c
         where r.id = $1 and r.${column} = $2 and r.used_at is null and r.expires_at > $3
           and u.id = r.user_id and c.user_id = u.id and c.changed_at <= r.requested_at
         returning u.email`,
        [found.id, hash, at],
        `use_recovery_by_${column}`,
      );
      const [owner] = redeemed;
      if (!owner) throw invalid();
      await endRecoveries(tx, found.userId, at);
      // Its owner has just proved to be there: guesses of others keep them out no longer.
      await clearSignInAttempts(tx, owner.email);
    });
  }

  return { request, redeem };
}

/** Counts a request for the address, for both together and for the account; answers the first limit that is exceeded. */
async function countRequest(
  tx: Queryable,
  limits: Limits,
  { email, address }: { readonly email: string; readonly address: string },
  at: Date,
): Promise<TooManyAttempts | undefined> {
  try {
    await countAttempt(tx, limits.recoveryFromAddress, address, at);
    await countAttempt(tx, limits.recoveryOfAccountFromAddress, emailAtAddress(email, address), at);
    await countAttempt(tx, limits.recoveryOfAccount, email, at);
    return undefined;
  } catch (error) {
    if (error instanceof TooManyAttempts) return error;
    throw error;
  }
}

/** RFC 7636 §4.6, method S256, in constant time. */
function isVerifierOf(codeVerifier: string, codeChallenge: string | null): boolean {
  if (codeChallenge === null) return false;
  const computed = hashOf(codeVerifier);
  const expected = Buffer.from(codeChallenge, 'base64url');
  return computed.length === expected.length && timingSafeEqual(computed, expected);
}
