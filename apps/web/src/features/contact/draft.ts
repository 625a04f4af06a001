/**
 * The draft of the contact form, stored in this tab until it is sent, so it survives a reload and navigation. A
 * signed-in user's draft is never shown to another; a visitor's draft stays after sign-in. With blocked storage there
 * is no draft.
 *
 * Invariant: `clientId` belongs to exactly this text. It is created with the first attempt and dropped with the next
 * change. An attempt after a lost answer is thus the same message, and another text is a new one.
 */
import type { ContactFields } from '@fulcrum/domain';
import { log } from '../../shared/log/log.ts';

/** Null: not touched, so that the user's known data can prefill it. */
export type Draft = { readonly [Name in keyof ContactFields]: string | null } & {
  readonly clientId: string | null;
  /** The draft's owner; null for a visitor. */
  readonly userId: string | null;
};

const key = 'fulcrum.contact-draft';
export const blankDraft: Draft = {
  name: null,
  email: null,
  subject: null,
  message: null,
  clientId: null,
  userId: null,
};

/** The draft as `userId` may see it; null: a visitor. */
export const getDraftFor = (draft: Draft, userId: string | null): Draft =>
  draft.userId === null || draft.userId === userId ? { ...draft, userId } : { ...blankDraft, userId };

const isText = (value: unknown): value is string | null => value === null || typeof value === 'string';

function parseDraft(stored: unknown): Draft {
  if (typeof stored !== 'object' || stored === null) return blankDraft;
  const { name, email, subject, message, clientId, userId } = { ...blankDraft, ...stored };
  const isValid = [name, email, subject, message, clientId, userId].every(isText);
  return isValid ? { name, email, subject, message, clientId, userId } : blankDraft;
}

export function readDraft(): Draft {
  try {
    return parseDraft(JSON.parse(sessionStorage.getItem(key) ?? 'null'));
  } catch (cause) {
    log.warn('The draft of a message could not be read', cause);
    return blankDraft;
  }
}

export function storeDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft));
  } catch (cause) {
    log.warn('The draft of a message could not be stored', cause);
  }
}
