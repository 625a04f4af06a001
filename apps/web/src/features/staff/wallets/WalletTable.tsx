/** One page of wallets. */
import CircleCheck from 'lucide-react/icons/circle-check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { Link } from 'react-router';
import { Amount, formatFigure } from '../../../shared/numbers/index.ts';
import { type Column, DataTable, type DataTableProps } from '../../../shared/table/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { Badge } from '../../../shared/ui/index.ts';
import { type ListedWallet, pageRows, type WalletSort } from './wallets.ts';

export const sortLabels = {
  username: 'Username',
  balance: 'Balance',
  available_balance: 'Available Balance',
  last_updated: 'Last Updated',
} as const satisfies Record<WalletSort, string>;

/** Balance minus the sum of the entries; zero when the ledger is consistent. */
function Drift({ value }: { readonly value: number }) {
  if (value === 0) {
    return (
      <span className="figures ml-auto flex w-fit items-center gap-1 text-text-2">
        <CircleCheck size={13} aria-hidden="true" className="text-up" />
        0.00
        <span className="sr-only"> none</span>
      </span>
    );
  }
  return (
    <Badge tone="down">
      <TriangleAlert size={12} aria-hidden="true" className="mr-1" />
      <span className="figures">{`Drift ${formatFigure(value, 8, 'always')}`}</span>
    </Badge>
  );
}

export const walletColumns: readonly Column<ListedWallet, WalletSort>[] = [
  {
    head: sortLabels.username,
    sort: 'username',
    width: '110px',
    card: '1 start',
    // The search takes it; a list has no use for it.
    tooltip: ({ id }) => `Wallet ${id}`,
    cell: (wallet) => (
      <Link
        to={`/admin/users/${wallet.user_id}`}
        className="flex min-h-6 w-fit max-w-full min-w-0 items-center rounded-badge font-medium hover:underline max-md:min-h-11"
      >
        <bdi className="truncate">{wallet.username}</bdi>
      </Link>
    ),
  },
  {
    head: sortLabels.balance,
    sort: 'balance',
    width: '90px',
    numeric: true,
    cellClassName: 'font-medium',
    card: '1 end',
    cell: ({ balance, currency }) => <Amount value={balance} unit={currency} />,
  },
  {
    head: sortLabels.available_balance,
    choice: 'shown',
    sort: 'available_balance',
    width: '80px',
    numeric: true,
    cellClassName: 'text-text-2',
    card: 'line',
    cardLabel: 'Available',
    cell: ({ available_balance: available }) => <Amount value={available} />,
  },
  {
    head: 'Margin held',
    choice: 'shown',
    width: '70px',
    numeric: true,
    // Balance minus available, so it goes first where the space is short.
    className: 'max-[899.98px]:hidden',
    cellClassName: 'text-text-2',
    card: 'line',
    cell: ({ margin }) => <Amount value={margin} />,
  },
  {
    head: 'Drift',
    choice: 'shown',
    width: '48px',
    numeric: true,
    card: '2 end',
    cell: ({ drift }) => <Drift value={drift} />,
  },
  {
    head: sortLabels.last_updated,
    choice: 'shown',
    sort: 'last_updated',
    width: '120px',
    numeric: true,
    cellClassName: 'text-text-2',
    card: '2 start',
    cell: ({ last_updated: at }) => <DateTime iso={at} />,
  },
];

type WalletTableProps = Omit<DataTableProps<ListedWallet, WalletSort>, 'caption' | 'columns'>;

export function WalletTable(props: WalletTableProps) {
  return (
    <DataTable
      {...props}
      caption="Wallets"
      columns={walletColumns}
      placeholders={Math.min(pageRows, 12)}
      cardHeight={104}
      cellClassName=""
    />
  );
}
