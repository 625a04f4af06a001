/** Signs users in and up through the auth service, with each screen's own texts (ERR-01 to ERR-10). */
import { texts } from '@fulcrum/contract/texts';
import {
  type LoginFields,
  normaliseEmail,
  normaliseUsername,
  type RegistrationFields,
  validationTexts,
} from '@fulcrum/domain';
import { log } from '../../shared/log/log.ts';
import { enter, enterFromLogin, openClient } from '../../shared/session/index.ts';

/** The fields of an auth-js error that decide the text. */
export interface AuthFailure {
  readonly message: string;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly name?: string | undefined;
  /** Reasons of a weak password (ERR-44). */
  readonly reasons?: readonly string[] | undefined;
}

/** The status of a rate limit; its message states how long to wait. */
export const tooManyRequestsStatus = 429;

/** The auth service's codes for weak passwords; this server uses only the first. */
const passwordWeaknessTexts: Readonly<Record<string, string>> = {
  length: validationTexts.passwordTooShort,
  characters: 'Password needs letters, digits and symbols',
  pwned: 'Password is known from a leak',
};

/** The message of a refusal, and for a weak password each of its reasons (ERR-44). */
export function textWithReasons({ message, reasons = [] }: AuthFailure): string {
  const known = reasons.flatMap((reason) => passwordWeaknessTexts[reason] ?? []);
  return known.length === 0 ? message : `${known.join('. ')}.`;
}

/** The text of a failed login (AUTH-10, AUTH-11, AUTH-13); a rate limit states how long to wait. */
export function loginFailureText({ message, status, code, name }: AuthFailure): string {
  // The library's name for an answer without a user or without a session.
  if (name === 'AuthInvalidTokenResponseError') return texts.userNotFound;
  if (code === 'invalid_credentials') return texts.invalidLogin;
  return status === tooManyRequestsStatus ? message : texts.loginFailed;
}

/** A refusal has the server's text, such as a taken email (A46); a fault has the default (AUTH-27). */
export function registrationFailureText(failure: AuthFailure): string {
  const { message, status } = failure;
  const refused = status !== undefined && status >= 400 && status < 500;
  return refused && message !== '' ? textWithReasons(failure) : texts.registrationFailed;
}

/** Null when signed in, else the text to show. */
export async function logIn({ email, password }: LoginFields): Promise<string | null> {
  try {
    const supabase = await openClient();
    const { data: answer, error } = await supabase.auth.signInWithPassword({
      email: normaliseEmail(email),
      password,
    });
    if (error) return loginFailureText(error);
    return (await enterFromLogin(supabase, answer.session)) ? null : texts.profileNotFound;
  } catch (cause) {
    log.warn('Login failed', cause);
    return texts.loginFailed;
  }
}

/** Null when registered and signed in, else the text to show. */
export async function register({
  email,
  username,
  phoneNumber,
  password,
  invitationCode = '',
}: RegistrationFields & { readonly invitationCode?: string }): Promise<string | null> {
  try {
    const supabase = await openClient();
    const { data: answer, error } = await supabase.auth.signUp({
      email: normaliseEmail(email),
      password,
      options: {
        data: {
          username: normaliseUsername(username),
          phone_number: phoneNumber.trim(),
          ...(invitationCode.trim() !== '' && { invitation_code: invitationCode.trim() }),
        },
      },
    });
    if (error) return registrationFailureText(error);
    if (answer.user === null || answer.session === null) return texts.registrationNoUser;
    return (await enter(supabase, answer.session)) ? null : texts.registrationFailed;
  } catch (cause) {
    log.warn('Registration failed', cause);
    return texts.registrationFailed;
  }
}
