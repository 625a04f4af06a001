/** Signing in and up through the auth service, each with the texts that its screen shows (doc 1 §8). */
import { texts } from '@fulcrum/contract/texts';
import {
  type LoginFields,
  normaliseEmail,
  normaliseUsername,
  type RegistrationFields,
  validationTexts,
} from '@fulcrum/domain';
import { log } from '../../shared/log/log.ts';
import { enter, openClient } from '../../shared/session/index.ts';

/** What of an auth-js error decides the text. */
export interface AuthFailure {
  readonly message: string;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly name?: string | undefined;
  /** Of a password that is too weak (ERR-44). */
  readonly reasons?: readonly string[] | undefined;
}

/** The status of a rate limit; its message says how long to wait. */
export const tooMany = 429;

/** The auth service's words for what is wrong with a password; the first is the only one that this server has. */
const weaknesses: Readonly<Record<string, string>> = {
  length: validationTexts.passwordTooShort,
  characters: 'Password needs letters, digits and symbols',
  pwned: 'Password is known from a leak',
};

/** ERR-44: the message of a refusal, and for a weak password each of its reasons. */
export function reasonedText({ message, reasons = [] }: AuthFailure): string {
  const known = reasons.flatMap((reason) => weaknesses[reason] ?? []);
  return known.length === 0 ? message : `${known.join('. ')}.`;
}

/** AUTH-10, AUTH-11, AUTH-13; a rate limit says how long to wait. */
export function loginText({ message, status, code, name }: AuthFailure): string {
  // The library's word for an answer without a user or without a session.
  if (name === 'AuthInvalidTokenResponseError') return texts.userNotFound;
  if (code === 'invalid_credentials') return texts.invalidLogin;
  return status === tooMany ? message : texts.loginFailed;
}

/** A refusal has the server's text, such as a taken email (A46); a fault has the default (AUTH-27). */
export function registrationText(failure: AuthFailure): string {
  const { message, status } = failure;
  const refused = status !== undefined && status >= 400 && status < 500;
  return refused && message !== '' ? reasonedText(failure) : texts.registrationFailed;
}

/** Null when signed in, else the text to show. */
export async function logIn({ email, password }: LoginFields): Promise<string | null> {
  try {
    const supabase = await openClient();
    const { data: answer, error } = await supabase.auth.signInWithPassword({
      email: normaliseEmail(email),
      password,
    });
    if (error) return loginText(error);
    return (await enter(supabase, answer.session)) ? null : texts.profileNotFound;
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
}: RegistrationFields): Promise<string | null> {
  try {
    const supabase = await openClient();
    const { data: answer, error } = await supabase.auth.signUp({
      email: normaliseEmail(email),
      password,
      options: { data: { username: normaliseUsername(username), phone_number: phoneNumber.trim() } },
    });
    if (error) return registrationText(error);
    if (answer.user === null || answer.session === null) return texts.registrationNoUser;
    return (await enter(supabase, answer.session)) ? null : texts.registrationFailed;
  } catch (cause) {
    log.warn('Registration failed', cause);
    return texts.registrationFailed;
  }
}
