/** Identity checks: one row per attempt (A57), decided once (A58). */
import { kycDocumentTypes } from '@fulcrum/domain';
import { date, int, json, nullable, oneOf, text, timestamp, uuid } from '../columns.ts';
import { all, type Table } from './table.ts';

export { kycDocumentTypes } from '@fulcrum/domain';

/** ENT-29: what a trader reads of their own. Reviewer and private note are for admins. */
const ofTrader = [
  'id',
  'user_id',
  'attempt',
  'first_name',
  'last_name',
  'date_of_birth',
  'country',
  'address',
  'city',
  'postal_code',
  'document_type',
  'document_number',
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
    /** 1 for a person's first. */
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
    /** A60: paths in the bucket `kyc-documents`. */
    document_front_url: text,
    document_back_url: text,
    selfie_url: text,
    status: oneOf('pending', 'approved', 'rejected'),
    submitted_at: timestamp,
    reviewed_at: nullable(timestamp),
    /** A63: whether another attempt is welcome; null unless rejected. */
    reject_type: nullable(oneOf('retry', 'final')),
    /** A63: list of `{ document, code, text }`, as the trader reads them. */
    reasons: json,
    reviewer_id: nullable(uuid),
    private_note: nullable(text),
    version: int,
  },
  /** Unique per person: a repeated submission is the same attempt. */
  claims: { client_id: nullable(text) },
  key: ['id'],
  owner: 'user_id',
  relations: {
    user: { table: 'users', column: 'user_id' },
    reviewer: { table: 'users', column: 'reviewer_id' },
  },
  access: {
    trader: {
      select: { rows: 'own', columns: ofTrader },
      /** CALL-58: of the caller, `pending`, with the pictures that were uploaded before. */
      insert: {
        by: 'command',
        columns: [
          'user_id',
          'first_name',
          'last_name',
          'date_of_birth',
          'country',
          'address',
          'city',
          'postal_code',
          'document_type',
          'document_number',
          'document_front_url',
          'document_back_url',
          'selfie_url',
          'status',
          'submitted_at',
          'client_id',
        ],
      },
      readsWhileActing: 'refused',
    },
    admin: {
      ...all,
      /** CALL-61: to approved or rejected, by the command of `review_kyc`. */
      update: { by: 'command', rows: 'all', columns: ['status', 'reviewed_at'] },
    },
  },
  realtime: true,
} as const satisfies Table;
