/** The table of the transactions. */
import { Link } from 'react-router';
import { formatDollars } from '../../../shared/numbers/index.ts';
import { type Column, DataTable, type DataTableProps } from '../../../shared/table/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { Avatar, IconBadge } from '../../../shared/ui/index.ts';
import { getStatusVariant, getTypeVariant } from './transaction-variants.ts';
import type { StaffTransaction } from './useTransactions.ts';

function User({ row: { user, user_id } }: { readonly row: StaffTransaction }) {
  if (user === null) return <span className="text-text-3">Unknown</span>;
  return (
    <Link
      to={`/admin/users/${user_id}`}
      className="flex min-h-6 w-fit max-w-full min-w-0 items-center gap-2 rounded-[4px] font-medium hover:underline max-md:min-h-11"
    >
      {/* The names of a narrow table need its space. */}
      <span className="contents md:max-lg:hidden">
        <Avatar username={user.username} />
      </span>
      <bdi className="truncate" title={user.username}>
        {user.username}
      </bdi>
    </Link>
  );
}

function Type({ type }: Pick<StaffTransaction, 'type'>) {
  const { label, colour, Icon } = getTypeVariant(type);
  return (
    <span className={`flex w-fit items-center gap-2 font-medium whitespace-nowrap ${colour}`}>
      <Icon size={14} aria-hidden="true" />
      {label}
    </span>
  );
}

/** Zero is green, too, and so is an amount that rounds to zero (METR-11). */
function Dollars({ amount }: Pick<StaffTransaction, 'amount'>) {
  return (
    <span
      className={`figures font-semibold whitespace-nowrap ${Math.round(amount * 100) >= 0 ? 'text-up' : 'text-down'}`}
    >
      {formatDollars(amount, 'always')}
    </span>
  );
}

const newestFirst = { sort: 'date', order: 'descending' } as const;

const columns: readonly Column<StaffTransaction, 'date'>[] = [
  {
    head: 'Date',
    sort: 'date',
    width: '120px',
    className: 'w-[190px] max-lg:w-[152px]',
    cellClassName: 'text-text-2',
    card: '3 end',
    cell: ({ created_at: at }) => <DateTime iso={at} />,
  },
  {
    head: 'User',
    width: '110px',
    className: 'w-[230px] max-lg:w-[17%]',
    cellClassName: 'truncate',
    card: '1 start',
    cell: (row) => <User row={row} />,
  },
  {
    head: 'Type',
    width: '100px',
    className: 'w-[170px] max-lg:w-[132px]',
    card: '2 start',
    cell: ({ type }) => <Type type={type} />,
  },
  {
    head: 'Amount',
    width: '72px',
    numeric: true,
    className: 'w-[130px] max-lg:w-[118px]',
    card: '1 end',
    cell: ({ amount }) => <Dollars amount={amount} />,
  },
  {
    head: 'Status',
    width: '84px',
    className: 'w-[150px] !pl-10 md:max-lg:w-[64px] max-lg:!pl-3',
    card: '2 end',
    tooltip: ({ status }) => getStatusVariant(status).label,
    // The descriptions of a narrow table need the label's space.
    cell: ({ status }) => <IconBadge variant={getStatusVariant(status)} isCompact />,
  },
  {
    head: 'Description',
    width: '70%',
    cellClassName: 'truncate text-text-2',
    card: '3 start',
    tooltip: ({ description }) => description ?? undefined,
    cell: ({ description }) => description,
  },
];

type TransactionRowsProps = Pick<DataTableProps<StaffTransaction>, 'rows' | 'reading' | 'empty'>;

export function TransactionRows(props: TransactionRowsProps) {
  return (
    <DataTable
      {...props}
      caption="Recent Transactions, newest first"
      columns={columns}
      failed="Failed to fetch transactions"
      sorted={newestFirst}
      rowHeight={37}
      cardHeight={104}
      className="relative min-h-64"
      tableClassName="min-w-[860px] table-fixed max-lg:min-w-0"
      cellClassName=""
    />
  );
}
