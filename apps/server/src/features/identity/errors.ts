/**
 * Refusals of the identity feature. Each is an `AppError`, so every protocol can answer it; `reason` is finer than the
 * contract's code, for the one protocol whose client distinguishes them.
 */
import { AppError, type ErrorCode, texts } from '@fulcrum/contract';

const refusals = {
  registration_invalid: ['invalid_argument', texts.registrationFailed],
  email_taken: ['conflict', texts.emailTaken],
  username_taken: ['conflict', texts.usernameTaken],
  registration_closed: [
    'not_allowed',
    'Registration is closed. Please ask the operator of this server for an account.',
  ],
  invitation_needed: ['not_allowed', 'Registration is by invitation. Please enter your code.'],
  invitation_invalid: ['not_found', 'This invitation is not valid, used up or has expired.'],
  email_domain_refused: ['not_allowed', 'Please register with the email address of your school or firm.'],
  password_weak: ['invalid_argument', 'Password is too weak'],
  // One text for a wrong password and for an unknown email (A48).
  credentials_invalid: ['invalid_argument', texts.invalidLogin],
  current_password_wrong: ['invalid_argument', texts.currentPasswordIncorrect],
  reauthentication_needed: ['not_allowed', texts.currentPasswordNeeded],
  api_key_invalid: ['not_signed_in', 'Invalid API key'],
  access_token_invalid: ['not_signed_in', 'The access token is invalid or has expired.'],
  session_ended: ['not_signed_in', 'This session has ended.'],
  // The session itself goes on: a refresh returns the user's own token.
  impersonation_ended: ['not_signed_in', 'The impersonation has ended.'],
  session_expired: ['not_signed_in', 'This session has expired.'],
  // One text each for wrong, used up and too late.
  recovery_link_invalid: ['not_allowed', 'This link is not valid or has expired. Please request a new one.'],
  recovery_code_unknown: ['not_found', 'This code is not valid or has expired.'],
  code_verifier_wrong: ['invalid_argument', 'This code was requested by another browser.'],
  refresh_token_unknown: ['not_signed_in', 'Invalid Refresh Token: Refresh Token Not Found'],
  refresh_token_reused: ['not_signed_in', 'Invalid Refresh Token: Already Used'],
} as const satisfies Record<string, readonly [ErrorCode, string]>;
export type IdentityRefusal = keyof typeof refusals;

export class IdentityError extends AppError {
  readonly reason: IdentityRefusal;
  constructor(reason: IdentityRefusal, message: string = refusals[reason][1]) {
    super(refusals[reason][0], message);
    this.name = 'AccountError';
    this.reason = reason;
  }
}
