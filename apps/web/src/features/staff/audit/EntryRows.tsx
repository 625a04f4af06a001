/** The audit entries, one a row. The action's name is the button that expands the entry. */
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactNode } from 'react';
import { type Column, DataTable, type Reading } from '../../../shared/table/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import type { AuditEntry } from './audit-entries.ts';
import { EntryDetail } from './EntryDetail.tsx';
import { Actor, Subject } from './EntryUsers.tsx';
import { actionLabel, formatSummary, type GetManagerName } from './labels.ts';
import { useManagerNames } from './useManagerNames.ts';

interface EntryRowsProps {
  /** Undefined while they are being read. */
  readonly entries: readonly AuditEntry[] | undefined;
  readonly reading: Reading;
  readonly empty: ReactNode;
  readonly openId: number | null;
  readonly onOpen: (id: number | null) => void;
}

const detailId = (id: number) => `action-${id}-detail`;

function EntryToggle({
  entry,
  isOpen,
  onOpen,
}: {
  readonly entry: AuditEntry;
  readonly isOpen: boolean;
  readonly onOpen: EntryRowsProps['onOpen'];
}) {
  return (
    <button
      type="button"
      id={`action-${entry.id}`}
      aria-expanded={isOpen}
      aria-controls={isOpen ? detailId(entry.id) : undefined}
      onClick={() => onOpen(isOpen ? null : entry.id)}
      className="flex min-h-6 w-fit max-w-full items-center gap-1.5 rounded-control text-left font-medium hover:text-accent max-md:min-h-11"
    >
      <ChevronRight
        size={14}
        aria-hidden="true"
        className={`shrink-0 text-text-3 transition-transform ${isOpen ? 'rotate-90' : ''}`}
      />
      <span className="min-w-0">{actionLabel(entry.action)}</span>
    </button>
  );
}

const toColumns = (
  { openId, onOpen }: EntryRowsProps,
  getManagerName: GetManagerName,
): readonly Column<AuditEntry>[] => {
  const summaryOf = ({ detail }: AuditEntry) => formatSummary(detail, getManagerName);
  return [
    {
      head: 'Time',
      width: '120px',
      className: 'w-40',
      card: '1 end',
      cardCell: ({ at }) => (
        <span className="text-12 text-text-2">
          <DateTime iso={at} />
        </span>
      ),
      cell: ({ at }) => <DateTime iso={at} />,
    },
    {
      head: 'Actor',
      width: '96px',
      className: 'w-56 max-xl:w-44',
      card: 'wide line',
      cell: (entry) => <Actor entry={entry} />,
    },
    {
      head: 'Action',
      width: '140px',
      className: 'w-60 max-xl:w-48',
      card: '1 start',
      cell: (entry) => <EntryToggle entry={entry} isOpen={entry.id === openId} onOpen={onOpen} />,
    },
    {
      head: 'About',
      width: '96px',
      className: 'w-44 max-xl:w-36',
      card: 'wide line',
      cardCell: (entry) => (entry.subject_id === null ? null : <Subject entry={entry} />),
      cell: (entry) => <Subject entry={entry} />,
    },
    {
      head: 'What',
      width: '160px',
      className: 'w-72 max-xl:hidden',
      cellClassName: 'figures max-w-0 truncate',
      card: 'wide line',
      tooltip: (entry) => summaryOf(entry) ?? undefined,
      cell: summaryOf,
    },
    {
      head: 'Reason',
      width: '60%',
      cellClassName: 'max-w-0 truncate text-text-2',
      card: 'wide line',
      tooltip: ({ reason }) => reason ?? undefined,
      cell: ({ reason }) => reason,
    },
  ];
};

export function EntryRows(props: EntryRowsProps) {
  const { entries, reading, empty, openId } = props;
  return (
    <DataTable
      caption="Actions, newest first"
      columns={toColumns(props, useManagerNames())}
      rows={entries}
      reading={reading}
      failed="Failed to fetch the audit log"
      empty={empty}
      detail={(entry) =>
        entry.id === openId ? (
          <section id={detailId(entry.id)} aria-label={actionLabel(entry.action)}>
            <EntryDetail entry={entry} />
          </section>
        ) : null
      }
      placeholders={12}
      cardHeight={104}
      className="min-h-96"
      tableClassName="min-w-[680px] max-md:min-w-0"
      cellClassName="!text-12"
    />
  );
}
