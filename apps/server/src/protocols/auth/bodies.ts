/**
 * The bodies of `/auth/v1`, as far as they are read. Other keys that the client sends (captcha, code challenge) are left
 * out by the schemas. Rules with a stated text are the domain's; here are only shapes and limits.
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
  data: z.object({ username: line.default(''), phone_number: line.default('') }).prefault({}),
});

export const passwordGrantBody = z
  .object({ email: email.default(''), password: password.default('') })
  .superRefine((fields, context) => {
    const objections = checkLogin(fields);
    const objection = objections.email ?? objections.password;
    if (objection !== null) context.addIssue(objection);
  });

export const refreshBody = z.object({ refresh_token: z.string().min(1).max(256) });

/** The password is all that is changed here; the rest of a profile has its own procedures. */
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
