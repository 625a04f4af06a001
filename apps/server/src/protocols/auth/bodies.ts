/**
 * Schemas of the bodies of `/auth/v1`. Other keys that the client sends (captcha, code challenge) are dropped. Rules with a
 * stated text are the domain's; these schemas have shapes and limits only.
 */
import { AppError } from '@fulcrum/contract';
import { checkLogin } from '@fulcrum/domain';
import { z } from 'zod';

export const bodyBytesMax = 16 * 1024;
const passwordLengthMax = 256;
const emailLengthMax = 254;

// PostgreSQL's text cannot hold a NUL, and no name needs the other control characters.
const line = z.string().regex(/^\P{Cc}*$/u, 'Control characters are not allowed');
const email = line.max(emailLengthMax, 'Email is invalid');
const password = z
  .string()
  .max(passwordLengthMax, `Password must be at most ${passwordLengthMax} characters`);

export const signUpBody = z.object({
  email: email.default(''),
  password: password.default(''),
  data: z
    .object({
      username: line.default(''),
      phone_number: line.default(''),
      invitation_code: line.max(40).default(''),
    })
    .prefault({}),
});

export const passwordGrantBody = z
  .object({ email: email.default(''), password: password.default('') })
  .superRefine((fields, context) => {
    const objections = checkLogin(fields);
    const objection = objections.email ?? objections.password;
    if (objection !== null) context.addIssue(objection);
  });

export const refreshBody = z.object({ refresh_token: z.string().min(1).max(256) });

/** The server's own secrets have 43 characters; longer values are refused before hashing. */
const secret = z.string().min(1).max(256);

/** RFC 7636: without a challenge the link has no code and works by its token alone. `plain` is not served. */
export const recoverBody = z
  .object({
    email: email.default(''),
    code_challenge: z
      .string()
      .regex(/^[\w-]{43}$/, 'code_challenge is not a SHA-256 in base64url')
      .nullish(),
    code_challenge_method: z
      .string()
      .regex(/^s256$/i, 'code_challenge_method must be s256')
      .nullish(),
  })
  .refine((body) => (body.code_challenge == null) === (body.code_challenge_method == null), {
    error: 'code_challenge and code_challenge_method belong together',
  });

export const pkceGrantBody = z.object({ auth_code: secret, code_verifier: secret });

/** Only recovery mails have links. */
export const verifyBody = z.object({
  type: z.literal('recovery', 'type must be recovery'),
  token_hash: secret,
});

/** This endpoint changes only the password; profiles have their own procedures. */
export const userBody = z.object({
  password,
  current_password: password.optional(),
  email: z.undefined('The email is changed with the profile.').optional(),
});

/** @throws AppError `invalid_argument` with the first objection */
export function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError('invalid_argument', issue ? issue.message : 'The request is not valid.');
}
