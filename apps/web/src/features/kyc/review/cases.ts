/** The review's server requests: the queue, one case, its claim, a decision. */
import type { Database } from '@fulcrum/contract/database';
import type { KycAttemptFilter, KycAttemptStatus, KycDocumentType } from '@fulcrum/domain';
import { type Supabase, unwrap, unwrapOrNull } from '../../../shared/supabase/index.ts';

type Functions = Database['public']['Functions'];
type ListedClaim = NonNullable<Functions['claim_kyc']['Returns']['claim']>;

/** Who works on a check, and until when by this browser's clock. */
export interface Claim extends Pick<ListedClaim, 'user_id' | 'username'> {
  readonly until: number;
}

export const toClaim = (claim: ListedClaim | null, now = Date.now()): Claim | null =>
  claim && { user_id: claim.user_id, username: claim.username, until: now + claim.seconds_left * 1000 };

export interface QueueFilter {
  readonly status: KycAttemptStatus;
  readonly search: string;
  readonly country: string | null;
  readonly type: KycDocumentType | null;
  readonly attempt: KycAttemptFilter | null;
}

/** The filter's arguments, for the list and its file. */
export const filterArgs = ({ status, search, country, type, attempt }: QueueFilter) => ({
  p_status: status,
  p_search: search,
  p_country: country,
  p_document_type: type,
  p_attempt: attempt,
});

/** The rows after `after`, newest first unless `isOldestFirst` (KYC-22, KYC-23). */
export async function readQueue(
  supabase: Supabase,
  filter: QueueFilter,
  isOldestFirst: boolean,
  after: { readonly id: string; readonly submitted_at: string } | null,
  signal: AbortSignal,
) {
  const request = supabase.rest.rpc('list_kyc_checks', {
    ...filterArgs(filter),
    p_oldest_first: isOldestFirst,
    p_after: after && { id: after.id, submitted_at: after.submitted_at },
  });
  const page = await unwrap(request.abortSignal(signal));
  const now = Date.now();
  return { ...page, checks: page.checks.map((check) => ({ ...check, claim: toClaim(check.claim, now) })) };
}
export type QueuePage = Awaited<ReturnType<typeof readQueue>>;
export type ListedCheck = QueuePage['checks'][number];

export type KycCase = Functions['open_kyc_case']['Returns'];
export type Decision = Functions['review_kyc']['Args'];
export type CasePicture = KycCase['pictures'][number];

export const openCase = (
  supabase: Supabase,
  id: string,
  isOldestFirst: boolean,
  signal: AbortSignal,
): Promise<KycCase> =>
  unwrap(supabase.rest.rpc('open_kyc_case', { p_id: id, p_oldest_first: isOldestFirst }).abortSignal(signal));

/** Claims or renews; a colleague's claim stays, and is the answer, unless it is taken over. */
export const claimCase = async (supabase: Supabase, args: Functions['claim_kyc']['Args']) =>
  toClaim((await unwrap(supabase.rest.rpc('claim_kyc', args))).claim);

export const releaseCase = (supabase: Supabase, id: string) =>
  unwrap(supabase.rest.rpc('release_kyc', { p_id: id }));

export const sendDecision = (supabase: Supabase, decision: Decision) =>
  unwrapOrNull(supabase.rest.rpc('review_kyc', decision));

/** Keys of the query cache. */
export const kycKeys = {
  lists: ['kyc-review', 'list'] as const,
  list: (filter: QueueFilter, isOldestFirst: boolean) =>
    ['kyc-review', 'list', filter, isOldestFirst] as const,
  opened: (id: string) => ['kyc-review', 'case', id] as const,
};
