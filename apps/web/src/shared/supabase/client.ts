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
import { createAccountTokens, readTradingAccount } from './account-client.ts';
import type { TradingAccount } from './rows.ts';
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

export interface ClientAddress {
  /** The origin of the API; in the browser it is the page's own. */
  readonly origin: string;
  /** The trading account that every request means; null is the main account. */
  readonly accountId: string | null;
}

export function createSupabase(config: PublicConfig, { origin, accountId }: ClientAddress) {
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

  const readSessionToken = async (): Promise<string | null> => {
    const { data: current } = await auth.getSession();
    return current.session?.access_token ?? null;
  };
  const requestAccountToken =
    accountId === null ? null : createAccountTokens({ origin, anonKey: config.anonKey, accountId });
  /** The token for a request or the socket, or the server's refusal of the account. */
  const tokenFor = async (sessionToken: string | null): Promise<string | Response | null> =>
    sessionToken === null || requestAccountToken === null ? sessionToken : requestAccountToken(sessionToken);
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
    const send = async (sessionToken: string | null) => {
      const headers = new Headers(init?.headers);
      const token = await tokenFor(sessionToken);
      // A refusal of the account is the answer to the request that needs it.
      if (token instanceof Response) return token;
      headers.set('authorization', `Bearer ${token ?? config.anonKey}`);
      return fetch(input, { ...init, headers });
    };
    const refused = await readSessionToken();
    const answer = await send(refused);
    if (answer.status !== unauthorised || refused === null) return answer;
    const renewed = await renew(refused, await readSessionToken());
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
    accessToken: async () => {
      const token = await tokenFor(await readSessionToken());
      // With a refusal of the account the socket has no user, and its channels are refused.
      return typeof token === 'string' ? token : config.anonKey;
    },
  });
  auth.onAuthStateChange((_event, session) => {
    // A page of an account requests the token of the session that is current when it has answered.
    const token = accountId === null ? (session?.access_token ?? null) : null;
    realtime
      .setAuth(token)
      .catch((cause: unknown) => log.warn('The socket did not accept the new token', cause));
  });

  /** The account of this client; null for the main account of `userId`. @throws RequestError 404 when it is not theirs */
  const readAccount = async (userId: string): Promise<TradingAccount | null> =>
    accountId === null || accountId === userId ? null : readTradingAccount(rest, accountId);

  /** A request beside the protocols of Supabase, for the same account. */
  const post = (path: string, body: unknown, signal: AbortSignal): Promise<Response> =>
    withToken(origin + path, {
      method: 'POST',
      headers: { ...clientName, ...apikey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });

  return { auth, rest, realtime, config, readAccount, post };
}
