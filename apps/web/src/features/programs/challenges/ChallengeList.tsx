/** Challenges in a table. */
import { type Column, DataTable, type Reading } from '../../../shared/table/index.ts';
import { showColumn } from '../../../shared/table/show-column.tsx';
import { formatDatedClock } from '../../../shared/time/dates.ts';
import { EmptyState } from '../../../shared/ui/index.ts';
import { nameColumn, openToColumn } from '../list-columns.tsx';
import { ChallengePhaseBadge } from './ChallengeView.tsx';
import type { Challenge } from './queries.ts';

const toColumns = (onShow: (id: string) => void): readonly Column<Challenge>[] => [
  nameColumn('Challenge'),
  { head: 'State', width: '88px', card: '1 end', cell: (row) => <ChallengePhaseBadge of={row} /> },
  {
    head: 'Ends',
    width: '140px',
    card: 'line',
    className: 'whitespace-nowrap',
    cell: ({ ends_at }) => formatDatedClock(ends_at),
  },
  openToColumn,
  { head: 'Steps', width: '40px', numeric: true, card: 'line', cell: ({ rules }) => rules.steps.length },
  { head: 'Attempts', width: '40px', numeric: true, card: 'line', cell: ({ attempts }) => attempts },
  showColumn(onShow),
];

interface ChallengeListProps {
  readonly rows: readonly Challenge[] | undefined;
  readonly reading: Reading;
  readonly shown: Challenge | undefined;
  /** The id in the address. */
  readonly named: string | null;
  readonly onShow: (id: string) => void;
  /** What an empty list says. */
  readonly children: string;
}

export function ChallengeList({ rows, reading, shown, named, onShow, children }: ChallengeListProps) {
  return (
    <>
      <section aria-label="Challenges" className="panel overflow-hidden">
        <DataTable
          caption="Challenges, those that end last first"
          columns={toColumns(onShow)}
          rows={rows}
          reading={reading}
          currentId={shown?.id ?? null}
          failed="Failed to load the challenges"
          placeholders={2}
          empty={<EmptyState title="No challenges now">{children}</EmptyState>}
        />
      </section>
      {shown === undefined && named !== null && rows !== undefined ? (
        <section aria-label="Challenge of the address" className="panel">
          <EmptyState title="Challenge not found">
            The address names a challenge that does not exist, or that is not open to you.
          </EmptyState>
        </section>
      ) : null}
    </>
  );
}
