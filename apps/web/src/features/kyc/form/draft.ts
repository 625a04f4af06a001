/**
 * The text fields of an identity check that is being filled in, kept in this browser per account. Pictures are not: they stay
 * with the page. A draft also holds the id of the last try to send it, so that a repeat after a lost answer is the same attempt.
 * Limits: one draft per account, forgotten after seven days, since it names a person.
 */
import { type KycField, type KycFields, kycFields } from '@fulcrum/domain';
import { newClientId } from '../../../shared/ids/index.ts';
import { forget, keep, kept } from '../../../shared/storage/index.ts';

export interface Sent {
  readonly clientId: string;
  readonly fields: KycFields;
  /** Attempts that there were before. */
  readonly after: number;
}

export interface Draft {
  readonly fields: KycFields;
  readonly sent: Sent | null;
}

const version = 1;
const oldestMs = 7 * 86_400_000;
const keyOf = (userId: string): string => `fulcrum-kyc-draft.${userId}`;

export const blankFields: KycFields = {
  first_name: '',
  last_name: '',
  date_of_birth: '',
  country: '',
  address: '',
  city: '',
  postal_code: '',
  document_type: '',
  document_number: '',
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isFields = (value: unknown): value is KycFields =>
  isRecord(value) && kycFields.every((field) => typeof value[field] === 'string');

const isSent = (value: unknown): value is Sent =>
  isRecord(value) &&
  typeof value.clientId === 'string' &&
  typeof value.after === 'number' &&
  isFields(value.fields);

/** Null when there is none, it is too old, or it cannot be read. */
export function readDraft(userId: string, now: number): Draft | null {
  const text = kept(keyOf(userId));
  if (text === null) return null;
  try {
    const stored: unknown = JSON.parse(text);
    if (!isRecord(stored) || stored.version !== version || !isFields(stored.fields)) return null;
    if (typeof stored.savedAt !== 'number' || stored.savedAt < now - oldestMs) {
      forgetDraft(userId);
      return null;
    }
    return { fields: stored.fields, sent: isSent(stored.sent) ? stored.sent : null };
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

export function keepDraft(userId: string, { fields, sent }: Draft, now: number): void {
  keep(keyOf(userId), JSON.stringify({ version, fields, sent, savedAt: now }));
}

export const forgetDraft = (userId: string): void => forget(keyOf(userId));

const isSame = (a: KycFields, b: KycFields): boolean =>
  kycFields.every((field: KycField) => a[field] === b[field]);

/** The id to send these fields with: that of the last try when they are the same and no attempt was made since. */
export function sendingOf({ fields, sent }: Draft, after: number): Sent {
  if (sent !== null && sent.after === after && isSame(sent.fields, fields)) return sent;
  return { clientId: newClientId(), fields, after };
}
