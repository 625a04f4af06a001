/**
 * The official Supabase client, composed of the three parts this app uses; `@supabase/supabase-js` would bring two more.
 * What it does between the parts is done here: every request carries the session's token (or the public key when there
 * is none) and the socket learns a new token as soon as there is one. Options as design/protocol.md argues them.
 */
import type { Database } from '@fulcrum/contract/database';
import { AuthClient, type AuthError } from '@supabase/auth-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import { RealtimeClient } from '@supabase/realtime-js';
import { log } from '../log/log.ts';
import type { ServerConfig } from './config.ts';
import { createRenewal } from './renewal.ts';
import { sessionKey } from './sessionKey.ts';

const clientName = { 'x-application-name': 'fulcrum' };
const requestTimeoutMs = 15_000;
const socketTimeoutMs = 10_000;
const heartbeatMs = 30_000;
const unauthorised = 401;

/** An answer of the server's own that says no, in either of the library's words; a refresh is never refused for haste. */
const isRefusal = ({ name, status = 0 }: AuthError): boolean =>
  name === 'AuthSessionMissingError' || (name === 'AuthApiError' && status >= 400 && status < 500);

export type Supabase = ReturnType<typeof createSupabase>;

/** `origin` serves the API; in the browser it is the page's own. */
export function createSupabase(config: ServerConfig, origin: string) {
  const apikey = { apikey: config.anonKey };
  const auth = new AuthClient({
    url: `${origin}/auth/v1`,
    // The server then keeps the refresh token in a cookie out of script's reach.
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
  const renew = createRenewal(async () => {
    const { data: renewed, error } = await auth.refreshSession();
    // The library keeps a session whose access token has not run out yet; this one the server has refused already.
    if (error && isRefusal(error)) {
      const { error: failure } = await auth.signOut({ scope: 'local' });
      if (failure) log.warn('The ended session could not be left', failure);
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
    // Retrying is the query cache's business alone (shared/query).
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
      log.warn('The socket did not take over the new token', cause);
    });
  });

  return { auth, rest, realtime, config };
}
