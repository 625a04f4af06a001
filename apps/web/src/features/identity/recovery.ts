/**
 * Password recovery (A42): requests a link, opens it, sets a new password. The link contains a code for the
 * requesting browser, whose auth client stores the PKCE verifier, and a token hash for any other browser.
 *
 * Invariant: a link is sent to the server once however often its page renders; it is sent again only after a lost
 * answer. Known limitation: if the server had accepted the lost attempt, the second one finds the link used.
 */
import { texts } from '@fulcrum/contract/texts';
import { normaliseEmail } from '@fulcrum/domain';
import type { AuthError, Session } from '@supabase/auth-js';
import type { SubmissionError } from '../../shared/form/index.ts';
import { log } from '../../shared/log/log.ts';
import { enter, openClient } from '../../shared/session/index.ts';
import type { Supabase } from '../../shared/supabase/index.ts';
import { type AuthFailure, textWithReasons, tooManyRequestsStatus } from './authentication.ts';

const callbackPath = '/auth/callback';

/** The text of a failed reset request (AUTH-33); a rate limit states how long to wait. */
export const resetFailureText = ({ message, status }: AuthFailure): string =>
  status === tooManyRequestsStatus ? message : texts.resetFailed;

/** The server's reason where it gave one, else the stated text (AUTH-39, PROF-10). */
export function updateFailureText(failure: AuthFailure): string {
  const { message, status } = failure;
  const refused = status !== undefined && status >= 400 && status < 500 && message !== '';
  return refused ? `${texts.updatePasswordFailed}. ${textWithReasons(failure)}` : texts.updatePasswordFailed;
}

/** The same, with a button that leaves a session which ended elsewhere (ERR-42). */
export const toUpdateRefusal = (failure: AuthFailure): SubmissionError<never> => ({
  text: updateFailureText(failure),
  ...(failure.name === 'AuthSessionMissingError' && { isSessionOver: true }),
});

/**
 * Null when the request was accepted, which does not reveal whether the account exists (A48), else the text to show.
 */
export async function requestReset({ email }: { readonly email: string }): Promise<string | null> {
  try {
    const supabase = await openClient();
    const redirectTo = `${location.origin}${callbackPath}`;
    const { error } = await supabase.auth.resetPasswordForEmail(normaliseEmail(email), { redirectTo });
    return error ? resetFailureText(error) : null;
  } catch (cause) {
    log.warn('Requesting a reset link failed', cause);
    return texts.resetFailed;
  }
}

/** Null when the password was changed, else the error to show. */
export async function updatePassword({
  password,
}: {
  readonly password: string;
}): Promise<SubmissionError<never> | null> {
  try {
    const supabase = await openClient();
    const { error } = await supabase.auth.updateUser({ password });
    return error ? toUpdateRefusal(error) : null;
  } catch (cause) {
    log.warn('Updating the password failed', cause);
    return { text: texts.updatePasswordFailed };
  }
}

export interface RecoveryLink {
  readonly code: string | null;
  readonly tokenHash: string | null;
}

/** Parses the query of a callback address. */
export function parseRecoveryLink(search: string): RecoveryLink {
  const query = new URLSearchParams(search);
  return { code: query.get('code'), tokenHash: query.get('token_hash') };
}

/**
 * `refused`: used, expired or invalid. `failed`: no answer, may be tried again. `empty`: an answer without session or
 * user (ERR-43), may be tried again too.
 */
export type LinkOutcome = 'opened' | 'refused' | 'failed' | 'empty';

type Exchange = { readonly session: Session | null; readonly error: AuthError | null };

async function exchangeCode(supabase: Supabase, code: string): Promise<Exchange> {
  const { data: exchanged, error } = await supabase.auth.exchangeCodeForSession(code);
  return { session: exchanged.session, error };
}

async function verifyTokenHash(supabase: Supabase, tokenHash: string): Promise<Exchange> {
  const { data: verified, error } = await supabase.auth.verifyOtp({
    token_hash: tokenHash,
    type: 'recovery',
  });
  return { session: verified.session, error };
}

/** A fault, a busy server or no answer: the server has not judged the link. */
const isTransient = ({ name, status = 0 }: AuthError): boolean =>
  name === 'AuthRetryableFetchError' || status === tooManyRequestsStatus || status >= 500;

async function exchange({ code, tokenHash }: RecoveryLink): Promise<LinkOutcome> {
  const supabase = await openClient();
  let latest: Exchange | null = code === null ? null : await exchangeCode(supabase, code);
  // A code needs its verifier: without it, another browser made the request, or this one made a newer one.
  const needsTokenHash = latest === null || (latest.error !== null && !isTransient(latest.error));
  if (needsTokenHash && tokenHash !== null) latest = await verifyTokenHash(supabase, tokenHash);
  if (latest?.session) return (await enter(supabase, latest.session)) ? 'opened' : 'refused';
  if (latest?.error) log.warn('A recovery link was refused', latest.error);
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
    .then((result) => {
      const isRetryable = result === 'failed' || result === 'empty';
      if (isRetryable && opening?.outcome === outcome) opening = undefined;
      return result;
    });
  opening = { key, outcome };
  return outcome;
}
