/** The rows of the list. A click on the name button or on the row opens the case. */
import {
  hourMs,
  type KycAttemptStatus,
  kycDocumentTypeLabels,
  kycWaitingWarningHours,
} from '@fulcrum/domain';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useSignedIn } from '../../../shared/session/index.ts';
import { type Column, DataTable, type DataTableProps } from '../../../shared/table/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { formatDuration } from '../../../shared/time/duration.ts';
import { Badge, IconBadge } from '../../../shared/ui/index.ts';
import { getAgeToday, isUnderage } from './age.ts';
import { ClaimText } from './ClaimNotice.tsx';
import type { ListedCheck } from './cases.ts';
import { statusStyles } from './labels.ts';

type CheckTableProps = Pick<DataTableProps<ListedCheck>, 'rows' | 'reading' | 'empty' | 'freeze'> & {
  readonly status: KycAttemptStatus;
  readonly isOldestFirst: boolean;
  readonly minAge: number;
  /** The server's time, ms. */
  readonly now: number;
  readonly onOpen: (id: string) => void;
};

export const rowId = (id: string): string => `kyc-${id}`;

interface RowContext {
  readonly minAge: number;
  /** The server's time, ms. */
  readonly now: number;
  readonly ownId: string;
}

const Status = ({ row: { status, reject_type: type } }: { readonly row: ListedCheck }) => (
  <IconBadge
    variant={statusStyles[status]}
    label={`${statusStyles[status].label}${type === 'final' ? ', final' : ''}`}
  />
);

function AgeWarning({ row, minAge }: { readonly row: ListedCheck; readonly minAge: number }) {
  if (!isUnderage(row.date_of_birth, minAge)) return null;
  return <Badge tone="down">{`${getAgeToday(row.date_of_birth)} years old`}</Badge>;
}

const warningMs = kycWaitingWarningHours * hourMs;

function Waiting({ since, now }: { readonly since: string; readonly now: number }) {
  const waitedMs = now - Date.parse(since);
  const isLong = waitedMs >= warningMs;
  return (
    <span className={isLong ? 'inline-flex items-center gap-1 font-medium text-warn' : ''}>
      {isLong ? <TriangleAlert size={13} aria-hidden="true" /> : null}
      {formatDuration(Math.floor(waitedMs / 1000))}
      {isLong ? <span className="sr-only">, long</span> : null}
    </span>
  );
}

const Holder = ({ row: { claim }, ownId }: { readonly row: ListedCheck; readonly ownId: string }) =>
  claim === null ? null : <ClaimText claim={claim} isOwn={claim.user_id === ownId} />;

const toColumns = (
  onOpen: CheckTableProps['onOpen'],
  status: CheckTableProps['status'],
  { minAge, now, ownId }: RowContext,
): readonly Column<ListedCheck>[] => [
  {
    head: 'Trader',
    width: '192px',
    cell: (row) => (
      <span className="flex items-center gap-2">
        <button
          type="button"
          id={rowId(row.id)}
          onClick={() => onOpen(row.id)}
          className="flex max-w-72 min-w-0 flex-col rounded-control py-0.5 text-left"
        >
          <bdi className="max-w-full truncate text-13 font-medium">{row.username}</bdi>
          <span className="max-w-full truncate text-11 text-text-3">{row.email}</span>
        </button>
        <AgeWarning row={row} minAge={minAge} />
      </span>
    ),
  },
  {
    head: 'Country',
    width: '96px',
    // The check itself shows it, so it goes first where the space is short.
    className: 'max-[899.98px]:hidden',
    cellClassName: 'max-w-40 truncate',
    cell: ({ country }) => country,
  },
  {
    head: 'Document',
    width: '96px',
    cellClassName: 'whitespace-nowrap',
    cell: ({ document_type: type }) => kycDocumentTypeLabels[type],
  },
  { head: 'Attempt', width: '16px', numeric: true, cell: ({ attempt }) => attempt },
  status === 'pending'
    ? {
        head: 'Claimed by',
        width: '96px',
        cellClassName: 'max-w-48 truncate',
        cell: (row) => <Holder row={row} ownId={ownId} />,
      }
    : { head: 'Status', width: '80px', cell: (row) => <Status row={row} /> },
  ...(status === 'pending'
    ? [
        {
          head: 'Waiting',
          width: '64px',
          numeric: true,
          cellClassName: 'whitespace-nowrap',
          cell: ({ submitted_at: since }: ListedCheck) => <Waiting since={since} now={now} />,
        },
      ]
    : []),
  {
    head: 'Submitted',
    width: '120px',
    numeric: true,
    cell: ({ submitted_at: at }) => <DateTime iso={at} />,
  },
];

export function CheckTable({ onOpen, status, isOldestFirst, minAge, now, ...rows }: CheckTableProps) {
  const { user } = useSignedIn();
  const context = { minAge, now, ownId: user.id };
  return (
    <DataTable
      {...rows}
      caption={`Identity checks, ${isOldestFirst ? 'oldest' : 'newest'} first`}
      columns={toColumns(onOpen, status, context)}
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
            <bdi className="truncate text-14 font-medium">{row.username}</bdi>
            <AgeWarning row={row} minAge={minAge} />
            {status === 'pending' ? (
              <span className="ml-auto text-12">
                <Waiting since={row.submitted_at} now={now} />
              </span>
            ) : (
              <Status row={row} />
            )}
          </span>
          <span className="w-full truncate text-12 text-text-2">{row.email}</span>
          <span className="flex w-full justify-between gap-3 text-12 text-text-3">
            <span className="truncate">{`${kycDocumentTypeLabels[row.document_type]}, ${row.country}, attempt ${row.attempt}`}</span>
            {status === 'pending' && row.claim !== null ? (
              <Holder row={row} ownId={context.ownId} />
            ) : (
              <DateTime iso={row.submitted_at} />
            )}
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
