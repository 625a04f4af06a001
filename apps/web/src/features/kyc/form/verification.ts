/**
 * The user's own identity check: the newest attempt and, read with it, the profile's status. Invariant: a pending
 * attempt takes precedence over a status that was read before it.
 */
import type { Database } from '@fulcrum/contract/database';
import { type KycFields, type KycPicture, kycPictures } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../../shared/query/index.ts';
import { reloadProfile, useSignedIn } from '../../../shared/session/index.ts';
import { type Profile, type Supabase, unwrapOrNull } from '../../../shared/supabase/index.ts';

type Row = Database['public']['Tables']['kyc_verifications']['Row'];

/** The reason of a refusal; `document` is null when it concerns the whole attempt. */
export interface Reason {
  readonly document: KycPicture | null;
  readonly text: string;
}

export interface Attempt {
  readonly attempt: number;
  readonly status: Row['status'];
  readonly submittedAt: string;
  readonly reviewedAt: string | null;
  readonly rejectType: Row['reject_type'];
  readonly reasons: readonly Reason[];
  readonly fields: KycFields;
}

/** Reasons are JSON from the server: invalid ones are left out. */
export function parseReasons(wire: unknown): readonly Reason[] {
  if (!Array.isArray(wire)) return [];
  return wire.flatMap((reason: unknown) => {
    if (typeof reason !== 'object' || reason === null) return [];
    const { document, text }: { document?: unknown; text?: unknown } = reason;
    if (typeof text !== 'string') return [];
    return { document: kycPictures.find((picture) => picture === document) ?? null, text };
  });
}

export const toAttempt = (row: Row): Attempt => ({
  attempt: row.attempt,
  status: row.status,
  submittedAt: row.submitted_at,
  reviewedAt: row.reviewed_at,
  rejectType: row.reject_type,
  reasons: parseReasons(row.reasons),
  fields: {
    first_name: row.first_name,
    last_name: row.last_name,
    date_of_birth: row.date_of_birth,
    country: row.country,
    address: row.address,
    city: row.city,
    postal_code: row.postal_code,
    document_type: row.document_type,
    document_number: row.document_number,
  },
});

/** Null before the first attempt. */
async function readLatest(supabase: Supabase, userId: string): Promise<Attempt | null> {
  const latest = supabase.rest
    .from('kyc_verifications')
    .select('*')
    .eq('user_id', userId)
    .order('attempt', { ascending: false })
    .limit(1)
    .maybeSingle();
  const row = await unwrapOrNull(latest);
  return row === null ? null : toAttempt(row);
}

export function useLatestAttempt() {
  const { user, supabase } = useSignedIn();
  return useQuery({
    queryKey: queryKeys.kyc(user.id),
    queryFn: async () => {
      const attempt = await readLatest(supabase, user.id);
      // Both change together, and the banner depends on both.
      await reloadProfile();
      return attempt;
    },
  });
}

/** The status that the banner shows; `declined` is a rejection that allows no further attempt (A63). */
export type VerificationStatus = Profile['kycStatus'] | 'declined';

export function getVerificationStatus(
  status: Profile['kycStatus'],
  latest: Attempt | null,
): VerificationStatus {
  if (latest?.status === 'pending') return 'pending';
  return status === 'rejected' && latest?.rejectType === 'final' ? 'declined' : status;
}
