/**
 * Sessions and their refresh tokens. Only the SHA-256 of a refresh token is stored, and each use exchanges it. The official
 * client has no lock between tabs and repeats a refresh whose response was lost, so a token exchanged less than 60 s ago
 * gets a sibling; a later use means a copy, and the session ends (RFC 9700 §4.14.2). Invariants: no token outlives the 30
 * days after the sign-in; a session has `rotatedTokensMax` rows and a few more at most; a token without a row ends its
 * session like any other reuse.
 *
 * Known limitation: a copy used within those 60 s goes unnoticed until either side uses an old token later.
 */
import { createHash } from 'node:crypto';
import { busy, type SessionRow } from '@fulcrum/contract';
import { dayMs, minuteMs } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { bareAddress } from '../../platform/ip-addresses.ts';
import { defaultLimits } from '../../platform/limits/index.ts';
import { endImpersonationsOfSessions } from './impersonation-store.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import type { RevokedSession } from './revocations.ts';

const siblingWindowMs = minuteMs;
export const sessionLifetimeMs = 30 * dayMs;
/** Per user; the longest unused sessions end for new ones. */
const liveSessionsMax = defaultLimits.sessionsOfUser.most;
/** Tokens that one session may be given within the sibling window. */
const siblingsMax = 60;
/** Rows of one session; when half as many more have come, the oldest go, those that were exchanged before the others. */
const rotatedTokensMax = 300;
const tokensMax = 450;
const userAgentLengthMax = 256;
/** How long an ended session is stored before it is deleted. */
const endedRetentionMs = 7 * dayMs;

/** The origin of a request, as far as it is known. */
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

async function insertToken(
  tx: Queryable,
  tokens: RefreshTokens,
  sessionId: string,
  now: Date,
  expiresAt: Date,
): Promise<string> {
  const refreshToken = tokens.issue(sessionId);
  await tx.query(
    `insert into app.refresh_tokens (hash, session_id, issued_at, expires_at) values ($1, $2, $3, $4)`,
    [hashOf(refreshToken), sessionId, now, expiresAt],
    'insert_refresh_token',
  );
  return refreshToken;
}

const addressOf = ({ address }: Device) => (address === null ? null : bareAddress(address));
const userAgentOf = ({ userAgent }: Device) => userAgent?.slice(0, userAgentLengthMax) ?? null;

/** Begins a session at a sign-in. Also returns the sessions that had to make room for it. */
export async function insertSession(
  tx: Queryable,
  tokens: RefreshTokens,
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
  const refreshToken = await insertToken(tx, tokens, row.id, now, refreshExpiresAt);
  const ended = await revoke(
    tx,
    `select id from app.sessions where user_id = $2 and revoked_at is null
     order by last_seen_at desc, id offset ${liveSessionsMax}`,
    [now, userId],
  );
  return { session: { sessionId: row.id, authTime: now, refreshToken, refreshExpiresAt }, ended };
}

type Rotation =
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
 * Exchanges a refresh token. A reuse is returned, not thrown: the revocation that it causes has to be committed.
 * @throws AppError `busy` when a session requests far more tokens than tabs and repeats explain.
 */
export async function rotate(
  tx: Queryable,
  tokens: RefreshTokens,
  refreshToken: string,
  device: Device,
  now: Date,
): Promise<Rotation> {
  const hash = hashOf(refreshToken);
  // Both rows are locked, so parallel refreshes run in sequence and see each other's result.
  const { rows } = await tx.query<TokenRow>(
    `select t.rotated_at, t.expires_at, s.id as session_id, s.user_id, s.auth_time, s.revoked_at
     from app.refresh_tokens t join app.sessions s on s.id = t.session_id
     where t.hash = $1 for no key update of t, s`,
    [hash],
    'lock_refresh_token',
  );
  const [row] = rows;
  if (!row) return revokeOnForgottenToken(tx, tokens.sessionOf(refreshToken), now);
  if (row.revoked_at) return { outcome: 'ended' };
  if (row.expires_at <= now) return { outcome: 'expired' };
  const reusedMs = row.rotated_at ? now.getTime() - row.rotated_at.getTime() : 0;
  if (reusedMs > siblingWindowMs) {
    return { outcome: 'reused', ended: await revokeSession(tx, row.session_id, now) };
  }

  const { rows: counts } = await tx.query<{ issued: number; stored: number }>(
    `select count(*) filter (where issued_at > $2)::int as issued, count(*)::int as stored
     from app.refresh_tokens where session_id = $1`,
    [row.session_id, new Date(now.getTime() - siblingWindowMs)],
    'count_siblings',
  );
  const { issued = siblingsMax, stored = 0 } = counts[0] ?? {};
  if (issued >= siblingsMax) throw busy();
  if (stored >= tokensMax) await forgetOldTokens(tx, row.session_id, stored - rotatedTokensMax, now);

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
      refreshToken: await insertToken(tx, tokens, row.session_id, now, row.expires_at),
      refreshExpiresAt: row.expires_at,
    },
  };
}

/** Those that were exchanged go first; none that a client may yet repeat. */
async function forgetOldTokens(tx: Queryable, sessionId: string, surplus: number, now: Date): Promise<void> {
  await tx.query(
    `delete from app.refresh_tokens where hash in (
       select hash from app.refresh_tokens
       where session_id = $1 and coalesce(rotated_at, issued_at) <= $2
       order by rotated_at is null, issued_at limit $3)`,
    [sessionId, new Date(now.getTime() - siblingWindowMs), surplus],
    'forget_old_tokens',
  );
}

/** A token without a row: made up, or issued so long ago that only a copy can still exist. */
async function revokeOnForgottenToken(
  tx: Queryable,
  sessionId: string | undefined,
  now: Date,
): Promise<Rotation> {
  if (sessionId === undefined) return { outcome: 'unknown' };
  const ended = await revokeSession(tx, sessionId, now);
  return ended.length > 0 ? { outcome: 'reused', ended } : { outcome: 'ended' };
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

/** When the user of a live session last proved their identity; undefined for an ended session. */
export async function authTimeOf(db: Queryable, sessionId: string): Promise<Date | undefined> {
  const { rows } = await db.query<{ auth_time: Date }>(
    `select auth_time from app.sessions where id = $1 and revoked_at is null`,
    [sessionId],
    'auth_time_of_session',
  );
  return rows[0]?.auth_time;
}

/** Locks the caller's session; false when it has ended. */
export async function lockLiveSession(
  tx: Queryable,
  of: { readonly userId: string; readonly sessionId: string },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from app.sessions where id = $1 and user_id = $2 and revoked_at is null for no key update`,
    [of.sessionId, of.userId],
    'lock_live_session',
  );
  return rowCount > 0;
}

/** Lists a user's live sessions for `list_sessions`, the last used first. */
export async function listLiveSessions(
  db: Queryable,
  of: { readonly userId: string; readonly sessionId: string },
  now: Date,
): Promise<SessionRow[]> {
  const { rows } = await db.query<{ session: SessionRow }>(
    `select json_build_object('id', id, 'created_at', created_at, 'last_seen_at', last_seen_at,
       'user_agent', user_agent, 'address', host(address), 'current', id = $2) as session
     from app.sessions where user_id = $1 and revoked_at is null and created_at > $3
     order by last_seen_at desc, id limit ${liveSessionsMax}`,
    [of.userId, of.sessionId, new Date(now.getTime() - sessionLifetimeMs)],
    'list_live_sessions',
  );
  return rows.map((row) => row.session);
}

/** Ends one live session of a user; empty for an unknown id. */
export const revokeOwn = (
  tx: Queryable,
  of: { readonly userId: string; readonly sessionId: string },
  now: Date,
): Promise<readonly RevokedSession[]> =>
  revoke(tx, `select id from app.sessions where user_id = $2 and id = $3`, [now, of.userId, of.sessionId]);

/** Ends all sessions of a user. */
export const revokeAll = (tx: Queryable, userId: string, now: Date): Promise<readonly RevokedSession[]> =>
  revoke(tx, `select id from app.sessions where user_id = $2 and revoked_at is null`, [now, userId]);

export const logoutScopes = ['local', 'global', 'others'] as const;
/** This session, all sessions of its user, or all but this one. */
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

/**
 * `selection` selects ids and uses the parameters from $2 on; rows are locked in id order, so two logouts cannot deadlock.
 * Impersonations in these sessions end too; their tokens belong to the session.
 */
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
  const ids = rows.map((row) => row.sessionId);
  if (ids.length > 0) await endImpersonationsOfSessions(tx, ids, 'session ended', parameters[0]);
  return rows;
}

/** Deletes sessions that ended or ran out a week ago, their refresh tokens with them. */
export async function pruneSessions(db: Queryable, now: Date): Promise<void> {
  await db.query(`delete from app.sessions where revoked_at < $1 or created_at < $2`, [
    new Date(now.getTime() - endedRetentionMs),
    new Date(now.getTime() - sessionLifetimeMs - endedRetentionMs),
  ]);
  await db.query(`delete from app.deleted_sessions where ended_at < $1`, [
    new Date(now.getTime() - endedRetentionMs),
  ]);
}

/** The sessions that went with a deleted account and were live then. */
export async function sessionsOfDeleted(db: Queryable, userId: string): Promise<readonly RevokedSession[]> {
  const { rows } = await db.query<RevokedSession>(
    `select id as "sessionId", user_id as "userId" from app.deleted_sessions where user_id = $1`,
    [userId],
  );
  return rows;
}
