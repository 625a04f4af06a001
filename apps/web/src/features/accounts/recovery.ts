/**
 * A forgotten password (A42): asking for a link, opening it, setting a new password. The link carries a code for the
 * browser that asked (its PKCE verifier is kept here by the auth client) and a token hash for any other one.
 *
 * Invariant: a link is sent to the server once however often its page renders; only after an answer that never came it
 * may be sent again. Known limitation: when it was the answer that got lost, the second attempt finds the link used.
 */
import { texts } from '@fulcrum/contract/texts';
import { normaliseEmail } from '@fulcrum/domain';
import type { AuthError, Session } from '@supabase/auth-js';
import { log } from '../../shared/log/log.ts';
import { enter, openClient } from '../../shared/session/index.ts';
import type { Supabase } from '../../shared/supabase/index.ts';
import { type AuthFailure, reasonedText, tooMany } from './authentication.ts';
import type { Refusal } from './useSubmission.ts';

const callbackPath = '/auth/callback';

/** AUTH-33; a rate limit says how long to wait. */
export const resetText = ({ message, status }: AuthFailure): string =>
  status === tooMany ? message : texts.resetFailed;

/** AUTH-39, PROF-10, with the server's reason where it gave one. */
export function updateText(failure: AuthFailure): string {
  const { message, status } = failure;
  const refused = status !== undefined && status >= 400 && status < 500 && message !== '';
  return refused ? `${texts.updatePasswordFailed}. ${reasonedText(failure)}` : texts.updatePasswordFailed;
}

/** The same with the way out of a session that ended elsewhere (ERR-42). */
export const updateRefusal = (failure: AuthFailure): Refusal<never> => ({
  text: updateText(failure),
  ...(failure.name === 'AuthSessionMissingError' && { isSessionOver: true }),
});

/** Null when the request was taken, which says nothing about the account (A48), else the text to show. */
export async function requestReset({ email }: { readonly email: string }): Promise<string | null> {
  try {
    const supabase = await openClient();
    const redirectTo = `${location.origin}${callbackPath}`;
    const { error } = await supabase.auth.resetPasswordForEmail(normaliseEmail(email), { redirectTo });
    return error ? resetText(error) : null;
  } catch (cause) {
    log.warn('Asking for a reset link failed', cause);
    return texts.resetFailed;
  }
}

/** Null when the password was changed, else what to show. */
export async function updatePassword({
  password,
}: {
  readonly password: string;
}): Promise<Refusal<never> | null> {
  try {
    const supabase = await openClient();
    const { error } = await supabase.auth.updateUser({ password });
    return error ? updateRefusal(error) : null;
  } catch (cause) {
    log.warn('Updating the password failed', cause);
    return { text: texts.updatePasswordFailed };
  }
}

export interface RecoveryLink {
  readonly code: string | null;
  readonly tokenHash: string | null;
}

/** What the query of a callback address carries. */
export function recoveryLinkOf(search: string): RecoveryLink {
  const query = new URLSearchParams(search);
  return { code: query.get('code'), tokenHash: query.get('token_hash') };
}

/**
 * `refused`: used, expired or never ours. `failed`: nobody answered, it may be tried again. `empty`: an answer without
 * session or user (ERR-43), which may be tried again too.
 */
export type LinkOutcome = 'opened' | 'refused' | 'failed' | 'empty';

type Exchange = { readonly session: Session | null; readonly error: AuthError | null };

async function byCode(supabase: Supabase, code: string): Promise<Exchange> {
  const { data: exchanged, error } = await supabase.auth.exchangeCodeForSession(code);
  return { session: exchanged.session, error };
}

async function byTokenHash(supabase: Supabase, tokenHash: string): Promise<Exchange> {
  const { data: verified, error } = await supabase.auth.verifyOtp({
    token_hash: tokenHash,
    type: 'recovery',
  });
  return { session: verified.session, error };
}

/** A fault, a busy server or none at all: the link itself was not judged. */
const isTransient = ({ name, status = 0 }: AuthError): boolean =>
  name === 'AuthRetryableFetchError' || status === tooMany || status >= 500;

async function exchange({ code, tokenHash }: RecoveryLink): Promise<LinkOutcome> {
  const supabase = await openClient();
  let latest: Exchange | null = code === null ? null : await byCode(supabase, code);
  // Without its verifier a code is worth nothing: another browser asked, or this one asked again since.
  const isLeftToHash = latest === null || (latest.error !== null && !isTransient(latest.error));
  if (isLeftToHash && tokenHash !== null) latest = await byTokenHash(supabase, tokenHash);
  if (latest?.session) return (await enter(supabase, latest.session)) ? 'opened' : 'refused';
  if (latest?.error) log.warn('A recovery link was not taken', latest.error);
  if (latest && (!latest.error || latest.error.name === 'AuthInvalidTokenResponseError')) return 'empty';
  return latest?.error && isTransient(latest.error) ? 'failed' : 'refused';
}

let opening: { readonly key: string; readonly outcome: Promise<LinkOutcome> } | undefined;

/** Signs in by the link. Never rejects. */
export function openRecoveryLink(link: RecoveryLink): Promise<LinkOutcome> {
  const key = `${link.code} ${link.tokenHash}`;
  if (opening?.key === key) return opening.outcome;
  const outcome = exchange(link)
    .catch((cause: unknown): LinkOutcome => {
      log.warn('Opening a recovery link failed', cause);
      return 'failed';
    })
    .then((settled) => {
      const mayBeRepeated = settled === 'failed' || settled === 'empty';
      if (mayBeRepeated && opening?.outcome === outcome) opening = undefined;
      return settled;
    });
  opening = { key, outcome };
  return outcome;
}
