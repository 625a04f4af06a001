/** The columns of a list of contests. */
import type { Column } from '../../shared/table/index.ts';
import { formatDatedClock } from '../../shared/time/dates.ts';
import { Button } from '../../shared/ui/index.ts';
import { PhaseBadge } from './ContestView.tsx';
import { scoreLabels } from './labels.ts';
import type { Contest } from './queries.ts';

const periodOf = ({ begins_at, ends_at }: Contest): string =>
  [begins_at, ends_at].map((iso) => formatDatedClock(Date.parse(iso))).join(' – ');

export const toContestColumns = (onShow: (id: string) => void): readonly Column<Contest>[] => [
  {
    head: 'Contest',
    width: '140px',
    card: '1 start',
    cell: ({ name }) => <bdi className="font-medium whitespace-nowrap text-text">{name}</bdi>,
  },
  { head: 'State', width: '88px', card: '1 end', cell: (row) => <PhaseBadge of={row} /> },
  {
    head: 'Trading',
    width: '220px',
    card: 'wide line',
    className: 'whitespace-nowrap',
    cell: periodOf,
  },
  {
    head: 'Open to',
    width: '96px',
    className: 'w-full',
    card: 'line',
    cell: ({ class_name }) => class_name ?? 'Every trader',
  },
  {
    head: 'Score',
    width: '120px',
    card: 'line',
    className: 'whitespace-nowrap',
    cell: ({ rules }) => scoreLabels[rules.score],
  },
  { head: 'Entrants', width: '40px', numeric: true, card: 'line', cell: ({ entrants }) => entrants },
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
