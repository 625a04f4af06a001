/** Contests in a table. */
import type { ReactNode } from 'react';
import { type Column, DataTable, type Reading } from '../../shared/table/index.ts';
import { showColumn } from '../../shared/table/show-column.tsx';
import { formatDatedClock } from '../../shared/time/dates.ts';
import { PhaseBadge } from './ContestView.tsx';
import { scoreLabels } from './labels.ts';
import { nameColumn, openToColumn } from './list-columns.tsx';
import type { Contest } from './queries.ts';

const toColumns = (onShow: (id: string) => void): readonly Column<Contest>[] => [
  nameColumn('Contest'),
  { head: 'State', width: '88px', card: '1 end', cell: (row) => <PhaseBadge of={row} /> },
  {
    head: 'Trading',
    width: '220px',
    card: 'wide line',
    className: 'whitespace-nowrap',
    cell: ({ begins_at, ends_at }) => `${formatDatedClock(begins_at)} – ${formatDatedClock(ends_at)}`,
  },
  openToColumn,
  {
    head: 'Score',
    width: '120px',
    card: 'line',
    className: 'whitespace-nowrap',
    cell: ({ rules }) => scoreLabels[rules.score],
  },
  { head: 'Entrants', width: '40px', numeric: true, card: 'line', cell: ({ entrants }) => entrants },
  showColumn(onShow),
];

interface ContestListProps {
  readonly rows: readonly Contest[] | undefined;
  readonly reading: Reading;
  readonly shown: Contest | undefined;
  readonly onShow: (id: string) => void;
  readonly placeholders: number;
  readonly empty: ReactNode;
}

export function ContestList({ shown, onShow, ...list }: ContestListProps) {
  return (
    <section aria-label="Contests" className="panel overflow-hidden">
      <DataTable
        {...list}
        caption="Contests, those that end last first"
        columns={toColumns(onShow)}
        currentId={shown?.id ?? null}
        failed="Failed to load the contests"
      />
    </section>
  );
}
