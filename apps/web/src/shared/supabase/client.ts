/**
 * The official Supabase client, composed of the three parts this app uses; `@supabase/supabase-js` would include two more. This
 * module connects the parts: every request sends the session's token (or the public key without a session), and the socket gets
 * each new token. Options: A54 in docs/decisions.md.
 */
import type { PublicConfig } from '@fulcrum/contract';
import type { Database } from '@fulcrum/contract/database';
import { AuthClient, type AuthError } from '@supabase/auth-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import { RealtimeClient } from '@supabase/realtime-js';
import { log } from '../log/log.ts';
import { sessionKey } from './sessionKey.ts';
import { createTokenRenewal } from './token-renewal.ts';

const clientName = { 'x-application-name': 'fulcrum' };
const requestTimeoutMs = 15_000;
const socketTimeoutMs = 10_000;
const heartbeatMs = 30_000;
const unauthorised = 401;

/**
 * Whether the server refused the refresh, in either form that the library reports. Every 4xx counts: refreshes have no rate
 * limit.
 */
const isRefusal = ({ name, status = 0 }: AuthError): boolean =>
  name === 'AuthSessionMissingError' || (name === 'AuthApiError' && status >= 400 && status < 500);

export type Supabase = ReturnType<typeof createSupabase>;

/** `origin` is the origin of the API; in the browser it is the page's own. */
export function createSupabase(config: PublicConfig, origin: string) {
  const apikey = { apikey: config.anonKey };
  const auth = new AuthClient({
    url: `${origin}/auth/v1`,
    // The header makes the server store the refresh token in a cookie that scripts can't read.
    headers: { ...clientName, ...apikey, 'x-fulcrum-session': 'cookie' },
    storageKey: sessionKey,
    flowType: 'pkce',
    detectSessionInUrl: false,
    persistSession: true,
    autoRefreshToken: true,
  });

  const token = async (): Promise<string | null> => {
    const { data: current } = await auth.getSession();
    return current.session?.access_token ?? null;
  };
  const renew = createTokenRenewal(async () => {
    const { data: renewed, error } = await auth.refreshSession();
    // The library would keep a session whose access token has not expired; the server has already refused this one.
    if (error && isRefusal(error)) {
      const { error: failure } = await auth.signOut({ scope: 'local' });
      if (failure) log.warn('The ended session could not be cleared', failure);
    }
    return renewed.session?.access_token ?? null;
  });
  const withToken: typeof fetch = async (input, init) => {
    const send = (accessToken: string | null) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${accessToken ?? config.anonKey}`);
      return fetch(input, { ...init, headers });
    };
    const refused = await token();
    const answer = await send(refused);
    if (answer.status !== unauthorised || refused === null) return answer;
    const renewed = await renew(refused, await token());
    return renewed === null ? answer : send(renewed);
  };

  const rest = new PostgrestClient<Database>(`${origin}/rest/v1`, {
    headers: { ...clientName, ...apikey },
    fetch: withToken,
    timeout: requestTimeoutMs,
    // Only the query cache retries (shared/query).
    retry: false,
  });

  const realtime = new RealtimeClient(`${origin.replace(/^http/, 'ws')}/realtime/v1`, {
    params: apikey,
    timeout: socketTimeoutMs,
    heartbeatIntervalMs: heartbeatMs,
    accessToken: async () => (await token()) ?? config.anonKey,
  });
  auth.onAuthStateChange((_event, session) => {
    realtime.setAuth(session?.access_token ?? null).catch((cause: unknown) => {
      log.warn('The socket did not accept the new token', cause);
    });
  });

  return { auth, rest, realtime, config };
}
