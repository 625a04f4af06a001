/**
 * Links to files that are generated while they are sent. Invariants: a link works once, for a minute, in the session that
 * requested it, whichever process it reaches; for any other caller it does not exist. Beyond the limit a user loses the
 * oldest of their own links only.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { SignedIn } from '@fulcrum/contract';
import type { Queryable } from '../../../platform/database/index.ts';

const lifetimeMs = 60_000;
/** Maximum of unused links per user. */
const linksPerUserMax = 20;

/** What a link leads to. */
interface RequestedFile {
  readonly kind: string;
  /** JSON. */
  readonly args: unknown;
  readonly at: Date;
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Returns the token of a new link. */
export async function makeExportLink(
  db: Queryable,
  { role, userId, actorId, sessionId }: SignedIn,
  { kind, args, at }: RequestedFile,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db.query(
    `with gone as (
       delete from app.export_links where expires_at <= $8 or token_hash in (
         select token_hash from app.export_links where actor_id = $6 order by number desc offset $10))
     insert into app.export_links (token_hash, kind, args, role, user_id, actor_id, session_id, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[hashOf(token), kind, JSON.stringify(args), role, userId, actorId, sessionId],
      ...[at, new Date(at.getTime() + lifetimeMs), linksPerUserMax - 1],
    ],
    'make_export_link',
  );
  return token;
}

/** Returns what a link leads to and voids it; null for a foreign, expired or used link. */
export async function redeemExportLink(
  db: Queryable,
  { role, userId, actorId, sessionId }: SignedIn,
  { token, now }: { readonly token: string; readonly now: Date },
): Promise<RequestedFile | null> {
  const { rows } = await db.query<RequestedFile>(
    `delete from app.export_links
     where token_hash = $1 and expires_at > $2 and role = $3 and user_id = $4 and actor_id = $5 and session_id = $6
     returning kind, args, created_at as at`,
    [hashOf(token), now, role, userId, actorId, sessionId],
    'redeem_export_link',
  );
  return rows[0] ?? null;
}
