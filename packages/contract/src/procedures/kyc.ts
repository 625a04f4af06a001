/** Review of identity checks (A58, A61, A63). For admins only; no admin reviews their own. */
import {
  kycAttemptStatuses,
  kycDecisions,
  kycDocumentTypes,
  kycPictures,
  kycRejectTypes,
} from '@fulcrum/domain';
import { z } from 'zod';
import { id } from '../columns.ts';
import { clientId } from './arguments.ts';
import { procedure } from './procedure.ts';

export { type KycPicture, kycPictures } from '@fulcrum/domain';

/**
 * Why a picture, or the whole submission (`document` null), is refused. Confidential reasons (fraud) have a neutral
 * public text; the list with its texts is `kycReasons` of the domain.
 */
export const kycReason = z.object({
  document: z.enum(kycPictures).nullable(),
  code: z.string().min(1).max(40),
  /** What the trader reads. */
  text: z.string().min(1).max(300),
});
export type KycReason = z.infer<typeof kycReason>;

const instant = z.string();

/** An attempt as admins read it. */
export const kycRow = z.object({
  id,
  user_id: id,
  attempt: z.number().int(),
  first_name: z.string(),
  last_name: z.string(),
  date_of_birth: z.string(),
  country: z.string(),
  address: z.string(),
  city: z.string(),
  postal_code: z.string(),
  document_type: z.enum(kycDocumentTypes),
  document_number: z.string(),
  document_front_url: z.string(),
  document_back_url: z.string(),
  selfie_url: z.string(),
  status: z.enum(kycAttemptStatuses),
  submitted_at: instant,
  reviewed_at: instant.nullable(),
  reject_type: z.enum(kycRejectTypes).nullable(),
  reasons: z.array(kycReason),
  reviewer_id: id.nullable(),
  private_note: z.string().nullable(),
  version: z.number().int(),
});
export type KycRow = z.infer<typeof kycRow>;

/**
 * Opens an attempt for review: the declared fields, links of 60 s to its pictures for this viewer, and related
 * attempts.
 */
export const openKycCase = procedure({
  name: 'open_kyc_case',
  // Every view of the pictures is written to the audit log.
  kind: 'command',
  roles: ['admin'],
  args: z.strictObject({ p_id: id }),
  result: z.object({
    verification: kycRow,
    user: z.object({
      id,
      username: z.string(),
      email: z.string(),
      created_at: instant,
      kyc_status: z.string(),
    }),
    /** Null when not reviewed, or when that account is gone. */
    reviewer_name: z.string().nullable(),
    pictures: z
      .array(
        z.object({
          document: z.enum(kycPictures),
          /** Path and query on this server; valid until `expires_at`, within the session of the request. */
          url: z.string(),
          expires_at: instant,
          content_type: z.string(),
          size_bytes: z.number().int(),
        }),
      )
      .length(3),
    /** All attempts of the user, the newest first, including this one. */
    attempts: z.array(
      z.object({
        id,
        attempt: z.number().int(),
        status: z.enum(kycAttemptStatuses),
        submitted_at: instant,
        reviewed_at: instant.nullable(),
      }),
    ),
    /** Attempts of other users with the same document number or one of the same pictures. */
    duplicates: z.array(
      z.object({
        verification_id: id,
        user_id: id,
        username: z.string(),
        status: z.enum(kycAttemptStatuses),
        submitted_at: instant,
        same: z.array(z.enum(['document_number', ...kycPictures])),
      }),
    ),
    /** The next pending one in the order of the list; after the last one the first. Null when no other is left. */
    next_id: id.nullable(),
    /** All pending attempts. */
    waiting: z.number().int(),
    /** Whether the caller may decide; false for their own. */
    may_review: z.boolean(),
  }),
});
export type OpenedKycCase = z.infer<typeof openKycCase.result>;

/**
 * Decides a pending attempt; record, user and audit row change together. @throws `changed_meanwhile` for the second
 * reviewer.
 */
export const reviewKyc = procedure({
  name: 'review_kyc',
  kind: 'command',
  roles: ['admin'],
  args: z.strictObject({
    p_id: id,
    p_decision: z.enum(kycDecisions),
    /** At least one for a rejection, none for an approval. */
    p_reasons: z.array(kycReason).max(12).nullish(),
    /** Of a rejection; `retry` when left out. */
    p_reject_type: z.enum(kycRejectTypes).nullish(),
    /** For admins only. */
    p_note: z.string().max(1000).nullish(),
    /** The version that the reviewer saw. */
    p_version: z.number().int(),
    /** Made by the client: a repeat of the same decision answers with it. */
    p_client_id: clientId,
  }),
  result: kycRow,
});
