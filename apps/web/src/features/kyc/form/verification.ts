/**
 * One's own identity check as the page knows it: the newest attempt and, read with it, the person's status. Invariant: an
 * attempt that is pending wins over a status that was read before it.
 */
import type { Database } from '@fulcrum/contract/database';
import { type KycFields, type KycPicture, kycPictures } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../../shared/query/index.ts';
import { reloadProfile, useSignedIn } from '../../../shared/session/index.ts';
import { answerOf, type Profile, type Supabase } from '../../../shared/supabase/index.ts';

type Row = Database['public']['Tables']['kyc_verifications']['Row'];

/** Why something was refused; `document` is null when it is about all of it. */
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

/** Reasons are json on the wire: what is none is left out. */
export function reasonsOf(wire: unknown): readonly Reason[] {
  if (!Array.isArray(wire)) return [];
  return wire.flatMap((reason: unknown) => {
    if (typeof reason !== 'object' || reason === null) return [];
    const { document, text }: { document?: unknown; text?: unknown } = reason;
    if (typeof text !== 'string') return [];
    return { document: kycPictures.find((picture) => picture === document) ?? null, text };
  });
}

export const attemptOf = (row: Row): Attempt => ({
  attempt: row.attempt,
  status: row.status,
  submittedAt: row.submitted_at,
  reviewedAt: row.reviewed_at,
  rejectType: row.reject_type,
  reasons: reasonsOf(row.reasons),
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

/** Null before the first one. */
async function readLatest(supabase: Supabase, userId: string): Promise<Attempt | null> {
  const latest = supabase.rest
    .from('kyc_verifications')
    .select('*')
    .eq('user_id', userId)
    .order('attempt', { ascending: false })
    .limit(1)
    .maybeSingle();
  const row = await answerOf(latest);
  return row === null ? null : attemptOf(row);
}

export function useLatestAttempt() {
  const { user, supabase } = useSignedIn();
  return useQuery({
    queryKey: queryKeys.kyc(user.id),
    queryFn: async () => {
      const attempt = await readLatest(supabase, user.id);
      // Both change together, and the banner is made of both.
      await reloadProfile();
      return attempt;
    },
  });
}

/** What the banner is about; `declined` is a rejection that allows no further attempt (A63). */
export type Standing = Profile['kycStatus'] | 'declined';

export function standingOf(status: Profile['kycStatus'], latest: Attempt | null): Standing {
  if (latest?.status === 'pending') return 'pending';
  return status === 'rejected' && latest?.rejectType === 'final' ? 'declined' : status;
}
