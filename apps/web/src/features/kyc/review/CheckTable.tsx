/** The rows of the list. A click on the name button or on the row opens the case. */
import { kycDocumentTypeLabels } from '@fulcrum/domain';
import { type Column, DataTable, type DataTableProps } from '../../../shared/table/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { IconBadge } from '../../../shared/ui/index.ts';
import type { ListedCheck } from './cases.ts';
import { statusStyles } from './labels.ts';

type CheckTableProps = Pick<DataTableProps<ListedCheck>, 'rows' | 'reading' | 'empty' | 'freeze'> & {
  readonly onOpen: (id: string) => void;
};

export const rowId = (id: string): string => `kyc-${id}`;

const Status = ({ row: { status, reject_type: type } }: { readonly row: ListedCheck }) => (
  <IconBadge
    variant={statusStyles[status]}
    label={`${statusStyles[status].label}${type === 'final' ? ', final' : ''}`}
  />
);

const toColumns = (onOpen: CheckTableProps['onOpen']): readonly Column<ListedCheck>[] => [
  {
    head: 'Trader',
    width: '192px',
    cell: ({ id, user }) => (
      <button
        type="button"
        id={rowId(id)}
        onClick={() => onOpen(id)}
        className="flex max-w-72 min-w-0 flex-col rounded-control py-0.5 text-left"
      >
        <bdi className="max-w-full truncate text-13 font-medium">{user.username}</bdi>
        <span className="max-w-full truncate text-11 text-text-3">{user.email}</span>
      </button>
    ),
  },
  { head: 'Country', width: '96px', cellClassName: 'max-w-40 truncate', cell: ({ country }) => country },
  {
    head: 'Document',
    width: '96px',
    cellClassName: 'whitespace-nowrap',
    cell: ({ document_type: type }) => kycDocumentTypeLabels[type],
  },
  { head: 'Attempt', width: '16px', numeric: true, cell: ({ attempt }) => attempt },
  { head: 'Status', width: '80px', cell: (row) => <Status row={row} /> },
  {
    head: 'Submitted',
    width: '120px',
    numeric: true,
    cell: ({ submitted_at: at }) => <DateTime iso={at} />,
  },
];

export function CheckTable({ onOpen, ...rows }: CheckTableProps) {
  return (
    <DataTable
      {...rows}
      caption="Identity checks, newest first"
      columns={toColumns(onOpen)}
      failed="Failed to fetch identity checks"
      onPress={({ id }) => onOpen(id)}
      card={(row) => (
        <button
          type="button"
          id={rowId(row.id)}
          onClick={() => onOpen(row.id)}
          className="flex w-full flex-col gap-0.5 px-3 py-2.5 text-left -outline-offset-2 hover:bg-raised/70"
        >
          <span className="flex w-full items-center justify-between gap-3">
            <bdi className="truncate text-14 font-medium">{row.user.username}</bdi>
            <Status row={row} />
          </span>
          <span className="w-full truncate text-12 text-text-2">{row.user.email}</span>
          <span className="flex w-full justify-between gap-3 text-12 text-text-3">
            <span className="truncate">{`${kycDocumentTypeLabels[row.document_type]}, ${row.country}, attempt ${row.attempt}`}</span>
            <DateTime iso={row.submitted_at} />
          </span>
        </button>
      )}
      placeholders={5}
      rowHeight={48}
      cardHeight={88}
      cellClassName=""
      cardClassName="border-b border-line/65 last:border-b-0"
    />
  );
}
