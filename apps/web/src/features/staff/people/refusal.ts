/** Why a change of a person was not made, in the specification's words with the server's reason behind them. */
import { texts } from '@fulcrum/contract/texts';
import { log } from '../../../shared/log/log.ts';
import { messageOf } from '../../../shared/supabase/index.ts';
import type { Refusal } from '../../accounts/index.ts';

export type ProofField = 'currentPassword';

/** `stated` alone when the server gave no reason. */
export function refusalText(stated: string, cause: unknown): string {
  const reason = messageOf(cause, '');
  if (reason === '') return stated;
  return stated.endsWith('.') ? `${stated} ${reason}` : `${stated}: ${reason}`;
}

/** Whether the server wants to know that it is really the admin: a question, no failure. */
export const asksForProof = (cause: unknown): boolean => messageOf(cause, '') === texts.currentPasswordNeeded;

/** Fields by the texts that are about them. */
const fieldsOfTexts: Readonly<Record<string, 'username' | 'email' | ProofField>> = {
  [texts.usernameTaken]: 'username',
  [texts.emailTaken]: 'email',
  [texts.currentPasswordNeeded]: 'currentPassword',
  [texts.currentPasswordIncorrect]: 'currentPassword',
};

/** At the field that it is about, else beneath the form. */
export function refusalOf(stated: string, cause: unknown): Refusal<'username' | 'email' | ProofField> {
  const text = messageOf(cause, '');
  const at = fieldsOfTexts[text];
  if (at !== undefined) return { text, at };
  log.warn(stated, cause);
  return { text: refusalText(stated, cause) };
}
