/** Accounts, grants and errors in the form in which the official client reads them (its types `User` and `Session`). */
import { AppError, busy, type ErrorCode, texts } from '@fulcrum/contract';
import {
  IdentityError,
  type IdentityRefusal,
  type SessionTokens,
  type User,
} from '../../features/identity/index.ts';
import { isOverload } from '../../platform/database/index.ts';
import { TooManyAttempts } from '../../platform/rate-limit/too-many-attempts.ts';

export function userOnWire(user: User) {
  const createdAt = user.createdAt.toISOString();
  const lastSignInAt = user.lastLogin?.toISOString();
  const signedIn = lastSignInAt === undefined ? {} : { last_sign_in_at: lastSignInAt };
  return {
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email,
    // There is no confirmation step (A46): an account is confirmed as it is made.
    email_confirmed_at: createdAt,
    confirmed_at: createdAt,
    ...signedIn,
    app_metadata: { provider: 'email', providers: ['email'], role: user.role },
    user_metadata: { username: user.username, phone_number: user.phoneNumber },
    identities: [
      {
        id: user.id,
        identity_id: user.id,
        user_id: user.id,
        provider: 'email',
        identity_data: { sub: user.id, email: user.email },
        created_at: createdAt,
        ...signedIn,
      },
    ],
    is_anonymous: false,
    created_at: createdAt,
  };
}

export function sessionOnWire(grant: SessionTokens, refreshToken: string) {
  return {
    access_token: grant.accessToken,
    token_type: 'bearer',
    expires_in: grant.accessLifetimeS,
    expires_at: grant.accessExpiresAtS,
    refresh_token: refreshToken,
    user: userOnWire(grant.user),
  };
}

interface ErrorOnWire {
  readonly status: number;
  readonly body: {
    readonly code: string;
    readonly message: string;
    readonly weak_password?: { readonly reasons: readonly string[] };
  };
  readonly retryAfterS?: number;
}

/** Status and code as the client knows them (`lib/error-codes.ts` of auth-js). */
const refusalCodes: Record<IdentityRefusal, readonly [status: number, code: string]> = {
  registration_invalid: [400, 'validation_failed'],
  email_taken: [422, 'user_already_exists'],
  username_taken: [409, 'conflict'],
  registration_closed: [403, 'signup_disabled'],
  invitation_needed: [403, 'signup_disabled'],
  invitation_invalid: [404, 'invite_not_found'],
  email_domain_refused: [403, 'email_address_not_authorized'],
  password_weak: [422, 'weak_password'],
  credentials_invalid: [400, 'invalid_credentials'],
  current_password_wrong: [400, 'invalid_credentials'],
  reauthentication_needed: [400, 'reauthentication_needed'],
  api_key_invalid: [401, 'no_authorization'],
  access_token_invalid: [401, 'bad_jwt'],
  // The client reads this code as 'signed out' and drops its session.
  session_ended: [403, 'session_not_found'],
  // Only the token is void: the session continues and gets another token by a refresh.
  impersonation_ended: [401, 'bad_jwt'],
  session_expired: [400, 'session_expired'],
  recovery_link_invalid: [403, 'otp_expired'],
  recovery_code_unknown: [404, 'flow_state_not_found'],
  code_verifier_wrong: [400, 'bad_code_verifier'],
  refresh_token_unknown: [400, 'refresh_token_not_found'],
  refresh_token_reused: [400, 'refresh_token_already_used'],
};

const otherCodes: Partial<Record<ErrorCode, string>> = {
  invalid_argument: 'validation_failed',
  not_signed_in: 'no_authorization',
  too_many_attempts: 'over_request_rate_limit',
};

/** Returns the error's wire form; undefined for a fault, which is only logged. */
export function errorOnWire(error: unknown): ErrorOnWire | undefined {
  if (isOverload(error)) return errorOnWire(busy());
  if (error instanceof IdentityError) {
    const [status, code] = refusalCodes[error.reason];
    // Length is the only demand on a password (AUTH-20), so it is the only reason (ERR-44).
    const reasons = error.reason === 'password_weak' ? { weak_password: { reasons: ['length'] } } : {};
    return { status, body: { code, message: error.message, ...reasons } };
  }
  if (error instanceof AppError) {
    const retry =
      error instanceof TooManyAttempts
        ? { retryAfterS: error.retryAfterS }
        : error.code === 'busy'
          ? { retryAfterS: 1 }
          : {};
    return {
      status: error.status,
      body: { code: otherCodes[error.code] ?? error.code, message: error.message },
      ...retry,
    };
  }
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  // What the HTTP server itself refuses: a body that is too large or of another type.
  if (error instanceof Error && typeof status === 'number' && status >= 400 && status < 500) {
    return { status, body: { code: 'validation_failed', message: error.message } };
  }
  return undefined;
}

export const faultOnWire: ErrorOnWire = {
  status: 500,
  body: { code: 'unexpected_failure', message: texts.unexpectedError },
};
