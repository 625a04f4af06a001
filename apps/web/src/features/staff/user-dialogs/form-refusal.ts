/** Error texts of a refused change of a user: the specification's text followed by the server's reason. */
import { texts } from '@fulcrum/contract/texts';
import type { SubmissionError } from '../../../shared/form/index.ts';
import { log } from '../../../shared/log/log.ts';
import { getErrorMessage } from '../../../shared/supabase/index.ts';

export type OwnPasswordFieldName = 'currentPassword';

/** `failureText` alone when the server gave no reason. */
export function formatRefusal(failureText: string, cause: unknown): string {
  const reason = getErrorMessage(cause, '');
  if (reason === '') return failureText;
  return failureText.endsWith('.') ? `${failureText} ${reason}` : `${failureText}: ${reason}`;
}

/** Whether the server requires the admin's own password: the form then asks for it. */
export const needsOwnPassword = (cause: unknown): boolean =>
  getErrorMessage(cause, '') === texts.currentPasswordNeeded;

/** The field that each error text belongs to. */
const fieldsByText: Readonly<Record<string, 'username' | 'email' | OwnPasswordFieldName>> = {
  [texts.usernameTaken]: 'username',
  [texts.emailTaken]: 'email',
  [texts.currentPasswordNeeded]: 'currentPassword',
  [texts.currentPasswordIncorrect]: 'currentPassword',
};

/** Assigns the error to its field, otherwise to the form. */
export function toFormRefusal(
  failureText: string,
  cause: unknown,
): SubmissionError<'username' | 'email' | OwnPasswordFieldName> {
  const text = getErrorMessage(cause, '');
  const at = fieldsByText[text];
  if (at !== undefined) return { text, at };
  log.warn(failureText, cause);
  return { text: formatRefusal(failureText, cause) };
}
