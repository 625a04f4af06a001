/** The user's identity checks, one row for each attempt. Documents are shown in the review only. */

import type { Row } from '@fulcrum/contract/database';
import { kycDocumentTypeLabels, kycReasonOf } from '@fulcrum/domain';
import Check from 'lucide-react/icons/check';
import Clock from 'lucide-react/icons/clock';
import X from 'lucide-react/icons/x';
import { useSupabase } from '../../../../shared/supabase/index.ts';
import type { Column } from '../../../../shared/table/index.ts';
import { DateTime } from '../../../../shared/time/DateTime.tsx';
import { ButtonLink, IconBadge } from '../../../../shared/ui/index.ts';
import { RowsPanel } from '../../rows/RowsPanel.tsx';
import { unknownUser } from '../../user-dialogs/unknown-user.ts';
import { fetchPage, newestFirst, userKey, withCount } from '../user-queries.ts';
import type { SectionProps } from './section-props.ts';

type Attempt = Pick<
  Row<'kyc_verifications'>,
  | 'id'
  | 'attempt'
  | 'country'
  | 'document_type'
  | 'status'
  | 'submitted_at'
  | 'reviewed_at'
  | 'reject_type'
  | 'reasons'
> & { readonly reviewer: { readonly username: string } | null };

const selectedColumns =
  'id, attempt, country, document_type, status, submitted_at, reviewed_at, reject_type, reasons, reviewer:users!kyc_verifications_reviewer_id_fkey(username)';
const statuses = {
  pending: { label: 'Pending', tone: 'warn', Icon: Clock },
  approved: { label: 'Approved', tone: 'up', Icon: Check },
  rejected: { label: 'Rejected', tone: 'down', Icon: X },
} as const;

const hasCode = (reason: unknown): reason is { readonly code: string } =>
  typeof reason === 'object' && reason !== null && 'code' in reason && typeof reason.code === 'string';

/** An unknown code gets a neutral text. */
const formatReasons = (reasons: unknown): string =>
  Array.isArray(reasons) && reasons.length > 0
    ? reasons
        .filter(hasCode)
        .map(({ code }) => kycReasonOf(code)?.label ?? 'Not verified')
        .join(', ')
    : '–';

const toColumns = (username: string): readonly Column<Attempt>[] => [
  { head: 'Submitted', width: '118px', card: 'line', cell: ({ submitted_at: at }) => <DateTime iso={at} /> },
  {
    head: 'Attempt',
    numeric: true,
    width: '16px',
    card: '1 start',
    className: '!text-text font-medium',
    cell: ({ attempt }) => attempt,
  },
  {
    head: 'Document',
    width: '90px',
    card: 'line',
    cell: ({ document_type: type, country }) => `${kycDocumentTypeLabels[type]}, ${country}`,
  },
  {
    head: 'Status',
    width: '80px',
    card: '1 end',
    cell: ({ status, reject_type: type }) => (
      <IconBadge variant={statuses[status]} {...(type === 'final' && { label: 'Rejected, final' })} />
    ),
  },
  { head: 'Reasons', width: '60%', card: 'line', cell: ({ reasons }) => formatReasons(reasons) },
  {
    head: 'Decided',
    width: '118px',
    card: 'line',
    cell: ({ reviewed_at: at, reviewer, status }) =>
      status === 'pending' ? (
        '–'
      ) : (
        <>
          <DateTime iso={at} /> by {reviewer?.username ?? unknownUser}
        </>
      ),
  },
  {
    head: 'Case',
    numeric: true,
    width: '48px',
    card: 'line',
    cell: ({ id, attempt, status }) => (
      <ButtonLink
        size="compact"
        tone="quiet"
        to={`/admin?tab=kyc&status=${status}&case=${id}`}
        aria-label={`Open attempt ${attempt} of ${username}`}
      >
        Open
      </ButtonLink>
    ),
  },
];

export function Checks({ userId, username, page, onPage }: SectionProps) {
  const { rest } = useSupabase();
  return (
    <RowsPanel
      title="Identity checks"
      caption="Attempts at an identity check, the latest first"
      what="attempts"
      one="attempt"
      queryKey={[...userKey(userId), 'kyc']}
      read={(from, signal) => {
        const attempts = rest
          .from('kyc_verifications')
          .select(selectedColumns, withCount)
          .eq('user_id', userId);
        return fetchPage(attempts.order('attempt', newestFirst), from, signal);
      }}
      columns={toColumns(username)}
      page={page}
      onPage={onPage}
      empty={{ title: 'Nothing submitted yet', text: 'Each attempt at an identity check appears here.' }}
      failed="Failed to fetch identity checks"
    />
  );
}
