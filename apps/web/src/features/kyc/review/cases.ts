/** The review's server requests: the list (CALL-60), one case, a decision. */
import type { Database } from '@fulcrum/contract/database';
import type { KycAttemptStatus } from '@fulcrum/domain';
import { type Supabase, unwrap, unwrapOrNull } from '../../../shared/supabase/index.ts';

export const pageRows = 50;

const listed =
  'id, user_id, attempt, country, document_type, status, submitted_at, reviewed_at, reject_type, user:users!kyc_verifications_user_id_fkey(username, email)';

const newestFirst = { ascending: false } as const;

interface Cursor {
  readonly id: string;
  readonly submitted_at: string;
}

/** Rows after `from`, newest first (KYC-22, KYC-23). */
export function readList(
  supabase: Supabase,
  status: KycAttemptStatus,
  from: Cursor | null,
  signal: AbortSignal,
) {
  let request = supabase.rest.from('kyc_verifications').select(listed).eq('status', status);
  if (from) {
    const { id, submitted_at } = from;
    request = request.or(
      `submitted_at.lt."${submitted_at}",and(submitted_at.eq."${submitted_at}",id.lt.${id})`,
    );
  }
  const page = request.order('submitted_at', newestFirst).order('id', newestFirst).limit(pageRows);
  return unwrap(page.abortSignal(signal));
}
export type ListedCheck = Awaited<ReturnType<typeof readList>>[number];

type Functions = Database['public']['Functions'];
export type KycCase = Functions['open_kyc_case']['Returns'];
export type Decision = Functions['review_kyc']['Args'];
export type CasePicture = KycCase['pictures'][number];

export const openCase = (supabase: Supabase, id: string, signal: AbortSignal): Promise<KycCase> =>
  unwrap(supabase.rest.rpc('open_kyc_case', { p_id: id }).abortSignal(signal));

export const sendDecision = (supabase: Supabase, decision: Decision) =>
  unwrapOrNull(supabase.rest.rpc('review_kyc', decision));

/** Keys of the query cache. */
export const kycKeys = {
  lists: ['kyc-review', 'list'] as const,
  list: (status: KycAttemptStatus) => ['kyc-review', 'list', status] as const,
  opened: (id: string) => ['kyc-review', 'case', id] as const,
};
