/** Audit log entries about the user or by the user. The audit screen shows the values before and after. */
import type { Row } from '@fulcrum/contract/database';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useSupabase } from '../../../../shared/supabase/index.ts';
import type { Column } from '../../../../shared/table/index.ts';
import { DateTime } from '../../../../shared/time/DateTime.tsx';
import { ButtonLink, Segmented } from '../../../../shared/ui/index.ts';
import { actionLabel } from '../../audit/labels.ts';
import { RowsPanel } from '../../rows/RowsPanel.tsx';
import { fetchPage, newestFirst, userKey, withCount } from '../user-queries.ts';
import type { SectionProps } from './section-props.ts';

type NamedUser = { readonly id: string; readonly username: string } | null;
type AuditEntry = Pick<
  Row<'audit_log'>,
  'id' | 'at' | 'action' | 'reason' | 'actor_id' | 'on_behalf_of' | 'subject_id'
> & { readonly actor: NamedUser; readonly on_behalf: NamedUser; readonly subject: NamedUser };

const selectedColumns =
  'id, at, action, reason, actor_id, on_behalf_of, subject_id, actor:users!audit_log_actor_id_fkey(id, username), on_behalf:users!audit_log_on_behalf_of_fkey(id, username), subject:users!audit_log_subject_id_fkey(id, username)';

const sides = [
  { value: 'subject', label: 'About them' },
  { value: 'actor', label: 'By them' },
] as const;
type Side = (typeof sides)[number]['value'];
const columnBySide = { subject: 'subject_id', actor: 'actor_id' } as const satisfies Record<
  Side,
  keyof AuditEntry
>;

/** A link to the user, plain text when the account is deleted. */
function UserLink({
  id,
  user,
  none,
}: {
  readonly id: string | null;
  readonly user: NamedUser;
  readonly none: string;
}) {
  if (id === null) return none;
  if (user === null) return <span title={id}>Unknown User</span>;
  return (
    <Link
      to={`/admin/users/${user.id}`}
      className="inline-flex min-h-6 items-center rounded-badge text-text hover:underline max-md:-my-3 max-md:min-h-11"
    >
      <bdi>{user.username}</bdi>
    </Link>
  );
}

const userColumns: Record<Side, Column<AuditEntry>> = {
  subject: {
    head: 'By',
    width: '80px',
    card: 'line',
    cell: ({ actor_id: id, actor, on_behalf_of: asId, on_behalf: as }): ReactNode => (
      <>
        <UserLink id={id} user={actor} none="System" />
        {asId === null ? null : (
          <>
            {' as '}
            <UserLink id={asId} user={as} none="" />
          </>
        )}
      </>
    ),
  },
  actor: {
    head: 'About',
    width: '80px',
    card: 'line',
    cell: ({ subject_id: id, subject }) => <UserLink id={id} user={subject} none="–" />,
  },
};

const toColumns = (side: Side): readonly Column<AuditEntry>[] => [
  { head: 'Time', width: '118px', card: 'line', cell: ({ at }) => <DateTime iso={at} /> },
  {
    head: 'Action',
    width: '60%',
    card: '1 start',
    className: '!text-text font-medium',
    cell: ({ action }) => actionLabel(action),
  },
  userColumns[side],
  {
    head: 'Reason',
    width: '70%',
    card: 'line',
    className: 'w-2/5',
    cell: ({ reason }) => (reason === null ? '–' : <bdi className="wrap-anywhere">{reason}</bdi>),
  },
];

export function Audit({ userId, username, page, onPage }: SectionProps) {
  const { rest } = useSupabase();
  const [side, setSide] = useState<Side>('subject');
  return (
    <RowsPanel
      title="Audit"
      caption={`Actions ${side === 'subject' ? 'on' : 'by'} ${username}, newest first`}
      what="actions"
      one="action"
      queryKey={[...userKey(userId), 'audit', side]}
      read={(from, signal) => {
        const entries = rest
          .from('audit_log')
          .select(selectedColumns, withCount)
          .eq(columnBySide[side], userId);
        return fetchPage(entries.order('at', newestFirst).order('id', newestFirst), from, signal);
      }}
      columns={toColumns(side)}
      page={page}
      onPage={onPage}
      empty={{ title: 'No entries', text: 'Staff actions on an account appear here.' }}
      failed="Failed to load the audit log"
      tools={
        <>
          <Segmented
            label="Actions"
            size="compact"
            options={sides}
            value={side}
            onChange={(next) => {
              setSide(next);
              onPage(1);
            }}
          />
          <ButtonLink size="compact" to={`/admin/audit?${side}=${userId}`}>
            Open the audit log
          </ButtonLink>
        </>
      }
    />
  );
}
