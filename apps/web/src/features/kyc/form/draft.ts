/**
 * The draft of an identity check's text fields, stored in this browser per account. Pictures are not stored: they
 * exist only in the page. A draft also contains the id of its last send attempt, so that a repeat after a lost answer
 * is the same attempt. Limits: one draft per account, deleted after seven days because it contains personal data.
 */
import { dayMs, type KycField, type KycFields, kycFields } from '@fulcrum/domain';
import { newClientId } from '../../../shared/ids/index.ts';
import { isRecord } from '../../../shared/json/is-record.ts';
import { parseJson } from '../../../shared/json/parse-json.ts';
import { getStored, removeStored, setStored } from '../../../shared/storage/index.ts';

export interface SendAttempt {
  readonly clientId: string;
  readonly fields: KycFields;
  /** The number of earlier attempts. */
  readonly after: number;
}

export interface Draft {
  readonly fields: KycFields;
  readonly sent: SendAttempt | null;
}

const version = 1;
const maxAgeMs = 7 * dayMs;
const toStorageKey = (userId: string): string => `fulcrum-kyc-draft.${userId}`;

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

const isFields = (value: unknown): value is KycFields =>
  isRecord(value) && kycFields.every((field) => typeof value[field] === 'string');

const isSent = (value: unknown): value is SendAttempt =>
  isRecord(value) &&
  typeof value.clientId === 'string' &&
  typeof value.after === 'number' &&
  isFields(value.fields);

/** Null when there is none, it is too old, or it is not readable. */
export function readDraft(userId: string, now: number): Draft | null {
  const stored = parseJson(getStored(toStorageKey(userId)));
  if (!isRecord(stored) || stored.version !== version || !isFields(stored.fields)) return null;
  if (typeof stored.savedAt !== 'number' || stored.savedAt < now - maxAgeMs) {
    deleteDraft(userId);
    return null;
  }
  return { fields: stored.fields, sent: isSent(stored.sent) ? stored.sent : null };
}

export function storeDraft(userId: string, { fields, sent }: Draft, now: number): void {
  setStored(toStorageKey(userId), JSON.stringify({ version, fields, sent, savedAt: now }));
}

export const deleteDraft = (userId: string): void => removeStored(toStorageKey(userId));

const isSame = (a: KycFields, b: KycFields): boolean =>
  kycFields.every((field: KycField) => a[field] === b[field]);

/**
 * The id to send these fields with: that of the last attempt if the fields are the same and no attempt was made
 * since.
 */
export function toSendAttempt({ fields, sent }: Draft, after: number): SendAttempt {
  if (sent !== null && sent.after === after && isSame(sent.fields, fields)) return sent;
  return { clientId: newClientId(), fields, after };
}
