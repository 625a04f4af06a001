/** Identity checks: one row per attempt (A57), decided once (A58). */
import { kycAttemptStatuses, kycDocumentTypes, kycFields, kycRejectTypes } from '@fulcrum/domain';
import { date, int, json, nullable, oneOf, text, timestamp, uuid } from '../columns.ts';
import { all, type Table } from './table.ts';

/** The columns of the trader's own attempts (ENT-29). Reviewer and private note are for admins. */
const ofTrader = [
  'id',
  'user_id',
  'attempt',
  ...kycFields,
  'document_front_url',
  'document_back_url',
  'selfie_url',
  'status',
  'submitted_at',
  'reviewed_at',
  'reject_type',
  'reasons',
  'version',
] as const;

export const kycVerifications = {
  name: 'kyc_verifications',
  columns: {
    id: uuid,
    user_id: uuid,
    /** 1 for a user's first attempt. */
    attempt: int,
    first_name: text,
    last_name: text,
    date_of_birth: date,
    country: text,
    address: text,
    city: text,
    postal_code: text,
    document_type: oneOf(...kycDocumentTypes),
    document_number: text,
    /** Paths in the bucket `kyc-documents` (A60). */
    document_front_url: text,
    document_back_url: text,
    selfie_url: text,
    status: oneOf(...kycAttemptStatuses),
    submitted_at: timestamp,
    reviewed_at: nullable(timestamp),
    /** Whether another attempt is possible; null unless rejected (A63). */
    reject_type: nullable(oneOf(...kycRejectTypes)),
    /** List of `{ document, code, text }`, as the trader reads them (A63). */
    reasons: json,
    reviewer_id: nullable(uuid),
    private_note: nullable(text),
    version: int,
  },
  /** Unique per user: a repeated submission is the same attempt. */
  inputs: { client_id: nullable(text) },
  key: ['id'],
  owner: 'user_id',
  relations: [
    { name: 'user', table: 'users', column: 'user_id' },
    { name: 'reviewer', table: 'users', column: 'reviewer_id' },
  ],
  access: {
    trader: {
      select: { rows: 'own', columns: ofTrader },
      /** Of the caller, `pending`, with the pictures that were uploaded before (CALL-58). */
      insert: {
        by: 'command',
        columns: [
          'user_id',
          ...kycFields,
          'document_front_url',
          'document_back_url',
          'selfie_url',
          'status',
          'submitted_at',
          'client_id',
        ],
      },
      readsWhileImpersonating: 'refused',
    },
    admin: {
      ...all,
      /** To approved or rejected, by the command of `review_kyc` (CALL-61). */
      update: { by: 'command', rows: 'all', columns: ['status', 'reviewed_at'] },
    },
  },
  realtime: true,
} as const satisfies Table;
