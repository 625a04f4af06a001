/** Review of identity checks (A58, A61, A63). For admins only; no admin reviews their own. */
import {
  kycAttemptFilters,
  kycAttemptStatuses,
  kycDecisions,
  kycDocumentTypes,
  kycPictures,
  kycRejectTypes,
} from '@fulcrum/domain';
import { z } from 'zod';
import { id } from '../columns.ts';
import { clientId, search, storableText } from './arguments.ts';
import { command, query } from './procedure.ts';

export { type KycPicture, kycPictures } from '@fulcrum/domain';

/**
 * Why a picture, or the whole submission (`document` null), is refused. Confidential reasons (fraud) have a neutral
 * public text; the list with its texts is `kycReasons` of the domain.
 */
const kycReason = z.object({
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

/** Who works on a pending attempt; null without one, and when its time is over. */
const kycClaim = z
  .object({
    user_id: id,
    username: z.string(),
    /** Of the answer's moment: a countdown needs no common clock. */
    seconds_left: z.number().int().min(0),
  })
  .nullable();
export type KycClaim = z.infer<typeof kycClaim>;

/** The filter of the queue. Its parts are combined by and. */
export const kycFilter = z.strictObject({
  p_status: z.enum(kycAttemptStatuses),
  /** In the username, the email or the document number; an id finds its attempt or its user. */
  p_search: search,
  p_country: storableText(60).nullish(),
  p_document_type: z.enum(kycDocumentTypes).nullish(),
  /** `first`: attempt 1; `repeated`: a later one. */
  p_attempt: z.enum(kycAttemptFilters).nullish(),
});
export type KycFilter = z.infer<typeof kycFilter>;

/** The queue of the review: a page of the attempts of one status, newest first by default (KYC-22, KYC-23). */
export const listKycChecks = query('list_kyc_checks', {
  roles: ['admin'],
  args: kycFilter.extend({
    p_oldest_first: z.boolean().nullish(),
    /** The last row of the page before: the page begins after it. */
    p_after: z.strictObject({ submitted_at: z.iso.datetime({ offset: true }), id }).nullish(),
  }),
  result: z.object({
    checks: z.array(
      kycRow
        .pick({
          id: true,
          user_id: true,
          attempt: true,
          country: true,
          document_type: true,
          date_of_birth: true,
          status: true,
          submitted_at: true,
          reviewed_at: true,
          reject_type: true,
        })
        .extend({ username: z.string(), email: z.string(), claim: kycClaim }),
    ),
    is_more: z.boolean(),
    /** All that match, whatever the page. */
    total: z.number().int(),
    /** Of the status, whatever the rest of the filter: the choices of `p_country`. */
    countries: z.array(z.object({ country: z.string(), checks: z.number().int() })),
    /** `MIN_AGE`; 0 for none. */
    min_age: z.number().int(),
    /** The server's time, which a waiting time is measured by. */
    at: instant,
  }),
});

/**
 * Claims a pending attempt for ten minutes, or renews the own claim. Another reviewer's claim stays unless
 * `p_take_over`: the answer names it. A claim is a notice; it keeps nobody from deciding.
 */
export const claimKyc = command('claim_kyc', {
  roles: ['admin'],
  args: z.strictObject({ p_id: id, p_take_over: z.boolean().nullish(), p_client_id: clientId }),
  result: z.object({ claim: kycClaim }),
});

/** Ends the own claim; another reviewer's stays. */
export const releaseKyc = command('release_kyc', {
  roles: ['admin'],
  args: z.strictObject({ p_id: id }),
  result: z.object({ claim: kycClaim }),
});

/**
 * Opens an attempt for review: the declared fields, links of 60 s to its pictures for this viewer, and related
 * attempts.
 */
// A command: every view of the pictures is written to the audit log.
export const openKycCase = command('open_kyc_case', {
  roles: ['admin'],
  args: z.strictObject({
    p_id: id,
    /** Of the list that `next_id` follows. */
    p_oldest_first: z.boolean().nullish(),
  }),
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
    /** Empty once `KYC_KEEP_DAYS` has deleted them. */
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
      .max(3),
    /** When the pictures were deleted; null while they are stored. */
    pictures_discarded_at: instant.nullable(),
    claim: kycClaim,
    /** `MIN_AGE`; 0 for none. */
    min_age: z.number().int(),
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
    /**
     * The next pending one in the order of the list that no other reviewer claimed; after the last one the first.
     * Null when no other is left.
     */
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
export const reviewKyc = command('review_kyc', {
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
