/** `/admin/classes`: the classes of this server, and the members of one. The address names the class (`?class=`). */
import { useQuery } from '@tanstack/react-query';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import Plus from 'lucide-react/icons/plus';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { Amount } from '../../shared/numbers/index.ts';
import { useSupabase } from '../../shared/supabase/index.ts';
import { type Column, DataTable } from '../../shared/table/index.ts';
import { formatDatedClock } from '../../shared/time/dates.ts';
import { Button, ButtonLink, EmptyState } from '../../shared/ui/index.ts';
import { ClassDialog } from './ClassDialog.tsx';
import { ClassView } from './ClassView.tsx';
import { useMemberActions } from './MemberActions.tsx';
import { AddMembersDialog, useMembership } from './MembersDialog.tsx';
import { type Class, classesQuery, type Member } from './queries.ts';

const formatTime = (iso: string): string => formatDatedClock(Date.parse(iso));

const toColumns = (onShow: (id: string) => void): readonly Column<Class>[] => [
  {
    head: 'Class',
    width: '140px',
    card: '1 start',
    cell: ({ name }) => <bdi className="font-medium whitespace-nowrap text-text">{name}</bdi>,
  },
  {
    head: 'Period',
    width: '220px',
    card: 'wide line',
    className: 'whitespace-nowrap',
    cell: ({ begins_at, ends_at }) => `${formatTime(begins_at)} – ${formatTime(ends_at)}`,
    cardCell: ({ begins_at, ends_at }) => `${formatTime(begins_at)} – ${formatTime(ends_at)}`,
  },
  {
    head: 'Tutors',
    width: '120px',
    className: 'w-full',
    card: 'wide line',
    cell: ({ tutors }) => tutors.map(({ username }) => username).join(', '),
    cardCell: ({ tutors }) =>
      tutors.length === 0 ? null : tutors.map(({ username }) => username).join(', '),
  },
  {
    head: 'Start balance',
    width: '72px',
    numeric: true,
    card: 'line',
    cell: ({ start_balance }) => <Amount value={start_balance} />,
  },
  {
    head: 'Leverage',
    width: '40px',
    numeric: true,
    card: 'line',
    cell: ({ leverage_max }) => `${leverage_max}x`,
  },
  {
    head: 'Members',
    width: '40px',
    numeric: true,
    card: '1 end',
    cardCell: ({ members }) => `${members}`,
    cell: ({ members }) => members,
  },
  {
    head: 'Actions',
    width: '64px',
    card: '4 end',
    cell: ({ id, name }) => (
      <Button size="compact" aria-label={`Show ${name}`} onClick={() => onShow(id)}>
        Show
      </Button>
    ),
  },
];

type Opened = 'new' | 'edit' | 'add' | Member;

export default function ClassesPage() {
  const supabase = useSupabase();
  const [search, setSearch] = useSearchParams();
  const reading = useQuery(classesQuery(supabase));
  const [opened, setOpened] = useState<Opened | null>(null);
  const shown = reading.data?.find(({ id }) => id === search.get('class'));
  const columns = useMemo(() => toColumns((id) => setSearch({ class: id })), [setSearch]);
  const close = () => setOpened(null);
  return (
    <div className="flex grow flex-col gap-4 p-6 max-lg:p-4 max-md:p-3">
      <title>Classes · Fulcrum</title>
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-20 font-semibold">Classes</h1>
        <ButtonLink to="/admin/enrolment" size="compact" tone="quiet">
          <ArrowLeft size={14} aria-hidden="true" />
          Enrolment
        </ButtonLink>
        <Button tone="primary" className="ml-auto !h-8 max-md:!h-11" onClick={() => setOpened('new')}>
          <Plus size={15} aria-hidden="true" />
          New class
        </Button>
      </div>
      <section aria-label="Classes" className="panel overflow-hidden">
        <DataTable
          caption="Classes, those that end last first"
          columns={columns}
          rows={reading.data}
          reading={reading}
          currentId={shown?.id ?? null}
          failed="Failed to load the classes"
          placeholders={3}
          empty={
            <EmptyState title="No classes yet">
              A class gives its members an account of their own, with the same money and rules for all.
            </EmptyState>
          }
        />
      </section>
      {shown === undefined ? null : (
        <ShownClass key={shown.id} shown={shown} opened={opened} onOpen={setOpened} />
      )}
      {opened === 'new' || (opened === 'edit' && shown) ? (
        <ClassDialog
          edited={opened === 'edit' && shown ? shown : null}
          onClose={close}
          onSaved={({ id }) => {
            setSearch({ class: id });
            close();
          }}
        />
      ) : null}
    </div>
  );
}

interface ShownClassProps {
  readonly shown: Class;
  readonly opened: Opened | null;
  readonly onOpen: (opened: Opened | null) => void;
}

function ShownClass({ shown, opened, onOpen }: ShownClassProps) {
  const { change, pending, error } = useMembership(shown.id);
  const { selection, bar, dialog } = useMemberActions(shown);
  const more = useMemo<Column<Member>>(
    () => ({
      head: 'Actions',
      width: '64px',
      card: '4 end',
      cell: (member) => (
        <Button
          size="compact"
          tone="quiet"
          aria-label={`Remove ${member.username}`}
          onClick={() => onOpen(member)}
        >
          Remove
        </Button>
      ),
    }),
    [onOpen],
  );
  const removed = opened !== null && typeof opened === 'object' ? opened : null;
  return (
    <>
      <ClassView
        shown={shown}
        more={more}
        selection={selection}
        bar={bar}
        actions={
          <>
            <Button size="compact" onClick={() => onOpen('edit')}>
              Change class
            </Button>
            <Button size="compact" tone="primary" onClick={() => onOpen('add')}>
              Add members
            </Button>
          </>
        }
      />
      {dialog}
      {opened === 'add' ? <AddMembersDialog shown={shown} onClose={() => onOpen(null)} /> : null}
      {removed === null ? null : (
        <ConfirmDialog
          title={`Remove ${removed.username} from ${shown.name}`}
          description="Their account of the class is archived: its history stays readable, and it trades no more."
          keep="Keep"
          onKeep={() => onOpen(null)}
          confirm="Remove"
          onConfirm={() =>
            void change('remove_class_members', removed.id, `${removed.username} was removed`).then(
              (isDone) => isDone && onOpen(null),
            )
          }
          tone="down"
          pending={pending}
          error={error}
        />
      )}
    </>
  );
}
