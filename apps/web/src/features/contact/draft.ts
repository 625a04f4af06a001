/**
 * What stands in the form, kept in this tab until it was sent: a reload, or a way to another page and back, takes nothing
 * away. What somebody wrote while signed in is theirs alone; a visitor's words come along when they sign in. A browser that
 * blocks its storage only forgets.
 *
 * Invariant: `clientId` belongs to these very words. It is made with the first attempt and goes with the next change, so that
 * an attempt whose answer was lost is the same message, and another text is another one.
 */
import type { ContactFields } from '@fulcrum/domain';
import { log } from '../../shared/log/log.ts';

/** Null: not touched, so that what is known of the person may stand there. */
export type Draft = { readonly [Name in keyof ContactFields]: string | null } & {
  readonly clientId: string | null;
  /** Whose it is; null: a visitor's. */
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
export const draftFor = (draft: Draft, userId: string | null): Draft =>
  draft.userId === null || draft.userId === userId ? { ...draft, userId } : { ...blankDraft, userId };

const isText = (value: unknown): value is string | null => value === null || typeof value === 'string';

function draftOf(kept: unknown): Draft {
  if (typeof kept !== 'object' || kept === null) return blankDraft;
  const { name, email, subject, message, clientId, userId } = { ...blankDraft, ...kept };
  const isWhole = [name, email, subject, message, clientId, userId].every(isText);
  return isWhole ? { name, email, subject, message, clientId, userId } : blankDraft;
}

export function readDraft(): Draft {
  try {
    return draftOf(JSON.parse(sessionStorage.getItem(key) ?? 'null'));
  } catch (cause) {
    log.warn('The draft of a message could not be read', cause);
    return blankDraft;
  }
}

export function keepDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft));
  } catch (cause) {
    log.warn('The draft of a message could not be kept', cause);
  }
}
