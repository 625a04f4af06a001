/** What was done to the person, or by them, from the audit log. Before and after of each act stand in the log's own screen. */
import type { Row } from '@fulcrum/contract/database';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useSupabase } from '../../../../shared/supabase/index.ts';
import { DateTime } from '../../../../shared/time/DateTime.tsx';
import { ButtonLink, Segmented } from '../../../../shared/ui/index.ts';
import { actionWord } from '../../audit/words.ts';
import { type Column, pageRows, RowsPanel } from '../../rows/RowsPanel.tsx';
import { counted, newestFirst, pageOf, userKey } from '../person.ts';
import type { SectionProps } from './section.ts';

type Named = { readonly id: string; readonly username: string } | null;
type Act = Pick<
  Row<'audit_log'>,
  'id' | 'at' | 'action' | 'reason' | 'actor_id' | 'on_behalf_of' | 'subject_id'
> & { readonly actor: Named; readonly on_behalf: Named; readonly subject: Named };

const asked =
  'id, at, action, reason, actor_id, on_behalf_of, subject_id, actor:users!audit_log_actor_id_fkey(id, username), on_behalf:users!audit_log_on_behalf_of_fkey(id, username), subject:users!audit_log_subject_id_fkey(id, username)';

const sides = [
  { value: 'subject', label: 'About them' },
  { value: 'actor', label: 'By them' },
] as const;
type Side = (typeof sides)[number]['value'];
const columnOf = { subject: 'subject_id', actor: 'actor_id' } as const satisfies Record<Side, keyof Act>;

/** A link to whoever is still there. */
function Who({
  id,
  person,
  none,
}: {
  readonly id: string | null;
  readonly person: Named;
  readonly none: string;
}) {
  if (id === null) return none;
  if (person === null) return <span title={id}>Unknown User</span>;
  return (
    <Link
      to={`/admin/users/${person.id}`}
      className="inline-flex min-h-6 items-center rounded-badge text-text hover:underline max-md:-my-3 max-md:min-h-11"
    >
      <bdi>{person.username}</bdi>
    </Link>
  );
}

const who: Record<Side, Column<Act>> = {
  subject: {
    head: 'By',
    width: '80px',
    block: 'line',
    cell: ({ actor_id: id, actor, on_behalf_of: asId, on_behalf: as }): ReactNode => (
      <>
        <Who id={id} person={actor} none="System" />
        {asId === null ? null : (
          <>
            {' as '}
            <Who id={asId} person={as} none="" />
          </>
        )}
      </>
    ),
  },
  actor: {
    head: 'About',
    width: '80px',
    block: 'line',
    cell: ({ subject_id: id, subject }) => <Who id={id} person={subject} none="–" />,
  },
};

const columnsOf = (side: Side): readonly Column<Act>[] => [
  { head: 'Time', width: '118px', block: 'line', cell: ({ at }) => <DateTime iso={at} /> },
  {
    head: 'Act',
    width: '60%',
    block: 'title',
    className: '!text-text font-medium',
    cell: ({ action }) => actionWord(action),
  },
  who[side],
  {
    head: 'Reason',
    width: '70%',
    block: 'line',
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
      caption={`Acts ${side === 'subject' ? 'about' : 'by'} ${username}, the latest first`}
      what="acts"
      one="act"
      queryKey={[...userKey(userId), 'audit', side]}
      read={(from, signal) => {
        const acts = rest.from('audit_log').select(asked, counted).eq(columnOf[side], userId);
        const latest = acts.order('at', newestFirst).order('id', newestFirst);
        return pageOf(latest.range(from, from + pageRows - 1).abortSignal(signal));
      }}
      columns={columnsOf(side)}
      page={page}
      onPage={onPage}
      empty={{ title: 'Nothing in the log', text: 'What staff do to an account is kept here for good.' }}
      failed="Failed to load the audit log"
      tools={
        <>
          <Segmented
            label="Whose acts"
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
