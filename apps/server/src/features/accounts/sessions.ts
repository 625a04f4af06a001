/**
 * Sessions and their refresh tokens. A refresh token is 32 random bytes of which only the SHA-256 is stored, and it is
 * exchanged for a new one at each use. The official client has no lock between tabs and repeats a refresh whose answer
 * was lost, so a token that was exchanged less than 60 s ago gets a sibling; one that comes later was copied, and the
 * session ends (RFC 9700 §4.14.2). Invariant: no token outlives the 30 days that began with the sign-in.
 *
 * Known limitation: a copy that is used within those 60 s goes unnoticed until either side uses an old token later.
 */
import { createHash, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { busy } from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';
import type { RevokedSession } from './revocations.ts';

const second = 1000;
const day = 86_400 * second;
export const siblingWindowMs = 60 * second;
export const sessionLifetimeMs = 30 * day;
/** Of one person; the longest unused ones make room. */
const liveSessionsMax = 100;
/** Tokens that one session may be given within the sibling window. */
const siblingsMax = 60;
const userAgentLengthMax = 256;
/** How long an ended session is kept to be looked at before it is deleted. */
const keepEndedMs = 7 * day;

/** Where a request came from, as far as it says. */
export interface Device {
  readonly address: string | null;
  readonly userAgent: string | null;
}

export interface NewSession {
  readonly sessionId: string;
  readonly authTime: Date;
  readonly refreshToken: string;
  readonly refreshExpiresAt: Date;
}

const hashOf = (refreshToken: string): Buffer => createHash('sha256').update(refreshToken).digest();

async function insertToken(tx: Queryable, sessionId: string, now: Date, expiresAt: Date): Promise<string> {
  const refreshToken = randomBytes(32).toString('base64url');
  await tx.query(
    `insert into app.refresh_tokens (hash, session_id, issued_at, expires_at) values ($1, $2, $3, $4)`,
    [hashOf(refreshToken), sessionId, now, expiresAt],
    'insert_refresh_token',
  );
  return refreshToken;
}

const addressOf = ({ address }: Device) => (address !== null && isIP(address) ? address : null);
const userAgentOf = ({ userAgent }: Device) => userAgent?.slice(0, userAgentLengthMax) ?? null;

/** Begins a session at a sign-in. Also returns the sessions that had to make room for it. */
export async function insertSession(
  tx: Queryable,
  userId: string,
  device: Device,
  now: Date,
): Promise<{ session: NewSession; ended: readonly RevokedSession[] }> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into app.sessions (user_id, created_at, auth_time, last_seen_at, user_agent, address)
     values ($1, $2, $2, $2, $3, $4) returning id`,
    [userId, now, userAgentOf(device), addressOf(device)],
    'insert_session',
  );
  const [row] = rows;
  if (!row) throw new Error('inserting a session returned no row');
  const refreshExpiresAt = new Date(now.getTime() + sessionLifetimeMs);
  const refreshToken = await insertToken(tx, row.id, now, refreshExpiresAt);
  const ended = await revoke(
    tx,
    `select id from app.sessions where user_id = $2 and revoked_at is null
     order by last_seen_at desc, id offset ${liveSessionsMax}`,
    [now, userId],
  );
  return { session: { sessionId: row.id, authTime: now, refreshToken, refreshExpiresAt }, ended };
}

export type Rotation =
  | { readonly outcome: 'rotated'; readonly userId: string; readonly session: NewSession }
  | { readonly outcome: 'unknown' | 'ended' | 'expired' }
  | { readonly outcome: 'reused'; readonly ended: readonly RevokedSession[] };

interface TokenRow {
  rotated_at: Date | null;
  expires_at: Date;
  session_id: string;
  user_id: string;
  auth_time: Date;
  revoked_at: Date | null;
}

/**
 * Exchanges a refresh token. A reuse is answered, not thrown: the revocation it causes has to be committed.
 * @throws AppError `busy` when one session asks for far more tokens than tabs and repeats explain.
 */
export async function rotate(
  tx: Queryable,
  refreshToken: string,
  device: Device,
  now: Date,
): Promise<Rotation> {
  const hash = hashOf(refreshToken);
  // Both rows are locked, so parallel refreshes take turns and each one sees what the one before it did.
  const { rows } = await tx.query<TokenRow>(
    `select t.rotated_at, t.expires_at, s.id as session_id, s.user_id, s.auth_time, s.revoked_at
     from app.refresh_tokens t join app.sessions s on s.id = t.session_id
     where t.hash = $1 for no key update of t, s`,
    [hash],
    'lock_refresh_token',
  );
  const [row] = rows;
  if (!row) return { outcome: 'unknown' };
  if (row.revoked_at) return { outcome: 'ended' };
  if (row.expires_at <= now) return { outcome: 'expired' };
  const reusedMs = row.rotated_at ? now.getTime() - row.rotated_at.getTime() : 0;
  if (reusedMs > siblingWindowMs) {
    return { outcome: 'reused', ended: await revokeSession(tx, row.session_id, now) };
  }

  const { rows: recent } = await tx.query<{ issued: number }>(
    `select count(*)::int as issued from app.refresh_tokens where session_id = $1 and issued_at > $2`,
    [row.session_id, new Date(now.getTime() - siblingWindowMs)],
    'count_siblings',
  );
  if ((recent[0]?.issued ?? siblingsMax) >= siblingsMax) throw busy();

  if (!row.rotated_at) {
    await tx.query(
      `update app.refresh_tokens set rotated_at = $2 where hash = $1`,
      [hash, now],
      'mark_rotated',
    );
  }
  await tx.query(
    `update app.sessions set last_seen_at = $2, user_agent = $3, address = $4 where id = $1`,
    [row.session_id, now, userAgentOf(device), addressOf(device)],
    'touch_session',
  );
  return {
    outcome: 'rotated',
    userId: row.user_id,
    session: {
      sessionId: row.session_id,
      authTime: row.auth_time,
      refreshToken: await insertToken(tx, row.session_id, now, row.expires_at),
      refreshExpiresAt: row.expires_at,
    },
  };
}

/** The live session that a refresh token belongs to, without using the token up. */
export async function findSessionOf(
  db: Queryable,
  refreshToken: string,
  now: Date,
): Promise<{ readonly sessionId: string; readonly userId: string } | undefined> {
  const { rows } = await db.query<{ sessionId: string; userId: string }>(
    `select s.id as "sessionId", s.user_id as "userId"
     from app.refresh_tokens t join app.sessions s on s.id = t.session_id
     where t.hash = $1 and t.expires_at > $2 and s.revoked_at is null`,
    [hashOf(refreshToken), now],
    'find_session_of_token',
  );
  return rows[0];
}

/** When the person of a live session last proved who they are; undefined when it has ended. */
export async function authTimeOf(db: Queryable, sessionId: string): Promise<Date | undefined> {
  const { rows } = await db.query<{ auth_time: Date }>(
    `select auth_time from app.sessions where id = $1 and revoked_at is null`,
    [sessionId],
    'auth_time_of_session',
  );
  return rows[0]?.auth_time;
}

export const logoutScopes = ['local', 'global', 'others'] as const;
/** This session, all sessions of its person, or all but this one. */
export type LogoutScope = (typeof logoutScopes)[number];

export async function revokeScope(
  tx: Queryable,
  of: { readonly userId: string; readonly sessionId: string },
  scope: LogoutScope,
  now: Date,
): Promise<readonly RevokedSession[]> {
  return revoke(
    tx,
    `select id from app.sessions where user_id = $2 and revoked_at is null
       and case $4::text when 'local' then id = $3 when 'others' then id <> $3 when 'global' then true end`,
    [now, of.userId, of.sessionId, scope],
  );
}

const revokeSession = (tx: Queryable, sessionId: string, now: Date) =>
  revoke(tx, `select id from app.sessions where id = $2`, [now, sessionId]);

/** `selection` selects ids and uses the parameters from $2 on; rows are locked in id order, so two logouts cannot deadlock. */
async function revoke(
  tx: Queryable,
  selection: string,
  parameters: readonly [Date, ...string[]],
): Promise<readonly RevokedSession[]> {
  const { rows } = await tx.query<RevokedSession>(
    `update app.sessions set revoked_at = $1
     where revoked_at is null and id in (
       select id from app.sessions where id in (${selection}) order by id for no key update)
     returning id as "sessionId", user_id as "userId"`,
    parameters,
  );
  return rows;
}

/** Deletes sessions that ended or ran out a week ago, their refresh tokens with them. */
export async function pruneSessions(db: Queryable, now: Date): Promise<void> {
  await db.query(`delete from app.sessions where revoked_at < $1 or created_at < $2`, [
    new Date(now.getTime() - keepEndedMs),
    new Date(now.getTime() - sessionLifetimeMs - keepEndedMs),
  ]);
}
