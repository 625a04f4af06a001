/** A running server with a manual clock, and signed-in users of every role with the official client. */
import { randomUUID } from 'node:crypto';
import type { UserRole } from '@fulcrum/contract';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll } from 'vitest';
import { createManualClock } from '../../src/platform/clock/index.ts';
import { startTestServer, type TestServerOptions, testPassword } from '../harness/index.ts';

export interface TestUser {
  readonly id: string;
  readonly email: string;
  readonly username: string;
  readonly client: SupabaseClient;
}

export type UserServer = Awaited<ReturnType<typeof startUserServer>>;

export async function startUserServer(options: Omit<TestServerOptions, 'clock'> = {}) {
  const clock = createManualClock(Date.now());
  const server = await startTestServer({ ...options, clock });

  async function signIn(email: string, password = testPassword): Promise<SupabaseClient> {
    const client = server.client();
    const { error } = await client.auth.signInWithPassword({ email, password });
    if (error) throw error;
    return client;
  }

  /** Creates a user and signs them in. */
  async function addUser(
    role: UserRole,
    more: { managerId?: string; phoneNumber?: string } = {},
  ): Promise<TestUser> {
    const username = `${role}-${randomUUID().slice(0, 13)}`;
    const email = `${username}@example.test`;
    const { id } = await server.server.accounts.createUser(server.db, {
      email,
      username,
      password: testPassword,
      role,
      managerId: more.managerId ?? null,
      phoneNumber: more.phoneNumber ?? null,
      initialBalance: role === 'trader' ? 1_000_000_000_000n : null,
    });
    return { id, email, username, client: await signIn(email) };
  }

  /** Starts an impersonation of `target`; the returned client has the impersonated session. */
  async function impersonate(staff: TestUser, target: TestUser) {
    const { data, error } = await staff.client.rpc('impersonate_user', {
      p_user_id: target.id,
      p_reason: 'The trader requested help',
    });
    if (error) throw error;
    await refreshed(staff.client);
    return data as { user_id: string; username: string; role: string; until: string };
  }

  return {
    ...server,
    get server() {
      return server.server;
    },
    get db() {
      return server.db;
    },
    clock,
    signIn,
    addUser,
    impersonate,
    /** A read through the table API with a token and nothing else. */
    readAs: (token: string) =>
      fetch(`${server.url}/rest/v1/users?select=id`, {
        headers: { apikey: server.anonKey, authorization: `Bearer ${token}` },
      }),
    /** Rows of the audit log about a user or an object, oldest first. */
    audit: async (id: string) => {
      const { rows } = await server.db.query<{
        actor_id: string;
        action: string;
        reason: string | null;
        detail: Record<string, unknown>;
      }>(
        `select actor_id, action, reason, detail from app.audit_log where subject_id = $1 or object_id = $1 order by id`,
        [id],
      );
      return rows;
    },
    /** Rows without a subject: the platform itself, oldest first. */
    platformAudit: async () => {
      const { rows } = await server.db.query<{
        actor_id: string;
        action: string;
        reason: string;
        detail: Record<string, unknown>;
      }>(
        `select actor_id, action, reason, detail from app.audit_log where subject_id is null and object_id is null order by id`,
      );
      return rows;
    },
  };
}

/** Exchanges the refresh token, as the official client does by itself when the access token runs out. */
export async function refreshed(client: SupabaseClient) {
  const { data, error } = await client.auth.refreshSession();
  if (error) throw error;
  return data.session!;
}

export async function tokenOf(client: SupabaseClient): Promise<string> {
  const { data } = await client.auth.getSession();
  if (!data.session) throw new Error('not signed in');
  return data.session.access_token;
}

export interface Claims {
  readonly sub: string;
  readonly app_role: string;
  readonly session_id: string;
  readonly exp: number;
  readonly iat: number;
  readonly act?: { readonly sub: string; readonly id: string };
}

export function claimsOf(token: string): Claims {
  const [, body = ''] = token.split('.');
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
}

/** Of the file that calls `shareUserServer`, for all of its tests. */
export let server: UserServer;

export function shareUserServer(...options: Parameters<typeof startUserServer>): void {
  beforeAll(async () => {
    server = await startUserServer(...options);
  });
  afterAll(() => server.close());
}
