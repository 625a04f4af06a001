/** `/admin/classes`: the classes of this server, and the members of one. The address names the class (`?class=`). */
import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Amount } from '../../shared/numbers/index.ts';
import { useSupabase } from '../../shared/supabase/index.ts';
import { type Column, DataTable } from '../../shared/table/index.ts';
import { showColumn } from '../../shared/table/show-column.tsx';
import { formatDatedClock } from '../../shared/time/dates.ts';
import { BackLink } from '../../shared/ui/BackLink.tsx';
import { Button, ButtonLink, EmptyState } from '../../shared/ui/index.ts';
import { ClassDialog } from './ClassDialog.tsx';
import { ClassView } from './ClassView.tsx';
import { EndedBadge } from './EndedBadge.tsx';
import { AddMembersDialog, RemoveMemberDialog } from './MembersDialog.tsx';
import { type Class, classesQuery, type Member } from './queries.ts';

const toColumns = (onShow: (id: string) => void): readonly Column<Class>[] => [
  {
    head: 'Class',
    width: '140px',
    card: '1 start',
    cell: (row) => (
      <span className="inline-flex items-center gap-2">
        <bdi className="font-medium whitespace-nowrap text-text">{row.name}</bdi>
        <EndedBadge of={row} />
      </span>
    ),
  },
  {
    head: 'Period',
    width: '220px',
    card: 'wide line',
    className: 'whitespace-nowrap',
    cell: ({ begins_at, ends_at }) => `${formatDatedClock(begins_at)} – ${formatDatedClock(ends_at)}`,
  },
  {
    head: 'Tutors',
    width: '120px',
    className: 'w-full',
    card: 'wide line',
    cell: ({ tutors }) => tutors.map(({ username }) => username).join(', ') || null,
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
    cardCell: ({ members }) => (members === 1 ? '1 member' : `${members} members`),
    cell: ({ members }) => members,
  },
  showColumn(onShow),
];

export default function ClassesPage() {
  const supabase = useSupabase();
  const [search, setSearch] = useSearchParams();
  const reading = useQuery(classesQuery(supabase));
  const [isNew, setNew] = useState(false);
  const named = search.get('class');
  const shown = reading.data?.find(({ id }) => id === named);
  const columns = useMemo(() => toColumns((id) => setSearch({ class: id })), [setSearch]);
  return (
    <div className="flex grow flex-col gap-4 p-6 max-lg:p-4 max-md:p-3">
      <title>Classes · Fulcrum</title>
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-20 font-semibold">Classes</h1>
        <BackLink to="/admin/enrolment">Enrolment</BackLink>
        <ButtonLink to="/admin/contests" size="compact" tone="quiet">
          Contests
        </ButtonLink>
        <Button tone="primary" className="ml-auto !h-8 max-md:!h-11" onClick={() => setNew(true)}>
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
      {shown === undefined ? null : <ShownClass key={shown.id} shown={shown} />}
      {shown === undefined && named !== null && reading.data !== undefined ? (
        <section aria-label="Class of the address" className="panel">
          <EmptyState title="This class does not exist">
            {reading.data.length === 0
              ? 'The address names a class that this server does not have. Create one with New class.'
              : 'The address names a class that this server does not have. Press Show on one of the list.'}
          </EmptyState>
        </section>
      ) : null}
      {isNew ? (
        <ClassDialog
          edited={null}
          onClose={() => setNew(false)}
          onSaved={({ id }) => {
            setSearch({ class: id });
            setNew(false);
          }}
        />
      ) : null}
    </div>
  );
}

/** The class of the address. Its dialogs are its own: they close when the address names another class. */
function ShownClass({ shown }: { readonly shown: Class }) {
  const [opened, setOpened] = useState<'edit' | 'add' | Member | null>(null);
  const close = () => setOpened(null);
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
          onClick={() => setOpened(member)}
        >
          Remove
        </Button>
      ),
    }),
    [],
  );
  return (
    <>
      <ClassView
        shown={shown}
        more={more}
        actions={
          <>
            <Button size="compact" onClick={() => setOpened('edit')}>
              Change class
            </Button>
            <Button size="compact" tone="primary" onClick={() => setOpened('add')}>
              Add members
            </Button>
          </>
        }
      />
      {opened === 'edit' ? <ClassDialog edited={shown} onSaved={close} onClose={close} /> : null}
      {opened === 'add' ? <AddMembersDialog shown={shown} onClose={close} /> : null}
      {opened !== null && typeof opened === 'object' ? (
        <RemoveMemberDialog shown={shown} member={opened} onClose={close} />
      ) : null}
    </>
  );
}
