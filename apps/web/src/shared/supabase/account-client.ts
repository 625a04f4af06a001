/**
 * What a page of a trading account needs beside the session (A112): its access token, and its row. Each token is of the session and
 * ends with the session's own token, so each session token has exactly one.
 */
import type { Database } from '@fulcrum/contract/database';
import type { PostgrestClient } from '@supabase/postgrest-js';
import { unwrap } from './request.ts';
import { fromWire, type TradingAccount } from './rows.ts';

const timeoutMs = 15_000;

export interface AccountAddress {
  readonly origin: string;
  readonly anonKey: string;
  readonly accountId: string;
}

/** Creates the function that returns the account's token for a session token, or the server's refusal; it rejects without an answer. */
export function createAccountTokens({ origin, anonKey, accountId }: AccountAddress) {
  let current: { readonly sessionToken: string; readonly issued: Promise<string | Response> } | undefined;

  const issue = async (sessionToken: string): Promise<string | Response> => {
    const answer = await fetch(`${origin}/rest/v1/rpc/account_token`, {
      method: 'POST',
      headers: {
        apikey: anonKey,
        authorization: `Bearer ${sessionToken}`,
        'content-type': 'application/json',
        'x-application-name': 'fulcrum',
      },
      body: JSON.stringify({ p_account_id: accountId }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!answer.ok) return answer;
    const { access_token }: { readonly access_token: string } = await answer.json();
    return access_token;
  };

  return async (sessionToken: string): Promise<string | Response> => {
    if (current?.sessionToken !== sessionToken) current = { sessionToken, issued: issue(sessionToken) };
    const { issued } = current;
    let token: string | Response | null = null;
    try {
      token = await issued;
    } finally {
      if (typeof token !== 'string' && current?.issued === issued) current = undefined;
    }
    // A body is read once, and requests may share the refusal.
    return typeof token === 'string' ? token : token.clone();
  };
}

/** @throws RequestError with the status 404 when the account is not the user's: its token is refused */
export const readTradingAccount = async (
  rest: PostgrestClient<Database>,
  id: string,
): Promise<TradingAccount> =>
  fromWire(await unwrap(rest.from('trading_accounts').select('*').eq('id', id).single()));
