/** The transactions as a table, on a phone as cards. */
import { Link } from 'react-router';
import { formatDollars } from '../../../shared/numbers/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { Avatar, Badge, SkeletonRows, Table, Td, Th, Tr, usePhone } from '../../../shared/ui/index.ts';
import { getStatusVariant, getTypeVariant } from './transaction-variants.ts';
import type { StaffTransaction } from './useTransactions.ts';

const rowHeight = 37;
const widths = ['120px', '110px', '100px', '72px', '84px', '70%'] as const;

function User({ row: { user, user_id } }: { readonly row: StaffTransaction }) {
  if (user === null) return <span className="text-text-3">Unknown</span>;
  return (
    <Link
      to={`/admin/users/${user_id}`}
      className="flex min-h-6 w-fit max-w-full min-w-0 items-center gap-2 rounded-[4px] font-medium hover:underline max-md:min-h-11"
    >
      <Avatar username={user.username} />
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

function Status({ status }: Pick<StaffTransaction, 'status'>) {
  const { label, tone, Icon } = getStatusVariant(status);
  return (
    <Badge tone={tone}>
      <Icon size={12} aria-hidden="true" className="mr-1 shrink-0" />
      {label}
    </Badge>
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

interface TransactionRowsProps {
  /** Undefined while they are being read. */
  readonly rows: readonly StaffTransaction[] | undefined;
}

function Wide({ rows }: TransactionRowsProps) {
  return (
    <Table
      caption="Recent Transactions, newest first"
      className="min-w-[860px] table-fixed max-lg:min-w-0"
      head={
        <>
          <Th aria-sort="descending" className="w-[190px] max-lg:w-[152px]">
            Date
          </Th>
          <Th className="w-[230px] max-lg:w-[17%]">User</Th>
          <Th className="w-[170px] max-lg:w-[132px]">Type</Th>
          <Th numeric className="w-[130px] max-lg:w-[118px]">
            Amount
          </Th>
          <Th className="w-[150px] !pl-10 max-lg:w-[110px] max-lg:!pl-3">Status</Th>
          <Th>Description</Th>
        </>
      }
    >
      {rows === undefined ? (
        <SkeletonRows rows={10} widths={widths} numeric={[3]} height={rowHeight} />
      ) : (
        rows.map((row) => (
          <Tr key={row.id} className="!h-[37px]">
            <Td className="text-text-2">
              <DateTime iso={row.created_at} />
            </Td>
            <Td className="truncate">
              <User row={row} />
            </Td>
            <Td>
              <Type type={row.type} />
            </Td>
            <Td numeric>
              <Dollars amount={row.amount} />
            </Td>
            <Td className="!pl-10 max-lg:!pl-3">
              <Status status={row.status} />
            </Td>
            <Td className="truncate text-text-2" title={row.description ?? ''}>
              {row.description}
            </Td>
          </Tr>
        ))
      )}
    </Table>
  );
}

function Narrow({ rows }: TransactionRowsProps) {
  if (rows === undefined) {
    return (
      <div aria-busy="true">
        {['a', 'b', 'c', 'd'].map((row) => (
          <div
            key={row}
            className="flex h-[104px] flex-col justify-center gap-2 border-b border-line/65 px-4"
          >
            <span className="shimmer block h-3.5 w-1/2" />
            <span className="shimmer block h-3.5 w-4/5" />
          </div>
        ))}
      </div>
    );
  }
  return (
    <ul aria-label="Recent Transactions, newest first">
      {rows.map((row) => (
        <li key={row.id} className="border-b border-line/65 px-4 py-2 last:border-b-0">
          <div className="flex items-center justify-between gap-4 text-13">
            <User row={row} />
            <Dollars amount={row.amount} />
          </div>
          <div className="flex items-center justify-between gap-4 text-12">
            <Type type={row.type} />
            <Status status={row.status} />
          </div>
          <div className="mt-1 flex items-center justify-between gap-4 text-12 text-text-2">
            <span className="truncate" title={row.description ?? undefined}>
              {row.description}
            </span>
            <DateTime iso={row.created_at} />
          </div>
        </li>
      ))}
    </ul>
  );
}

export function TransactionRows(props: TransactionRowsProps) {
  return usePhone() ? <Narrow {...props} /> : <Wide {...props} />;
}
