/** One page of wallets: a sortable table, on a phone a list. */
import CircleCheck from 'lucide-react/icons/circle-check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { Link } from 'react-router';
import { Amount, formatFigure } from '../../../shared/numbers/index.ts';
import { SortHead } from '../../../shared/table/SortHead.tsx';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { Badge, SkeletonRows, Table, Td, Th, Tr, usePhone } from '../../../shared/ui/index.ts';
import { type ListedWallet, pageRows, type WalletQuery, type WalletSort } from './wallets.ts';

export const sortLabels: Readonly<Record<WalletSort, string>> = {
  username: 'Username',
  balance: 'Balance',
  available_balance: 'Available Balance',
  last_updated: 'Last Updated',
};

/** The margin is balance minus available, so it is hidden first when space is short. */
const hiddenWhenNarrow = 'max-[899.98px]:hidden';

interface HeadProps {
  readonly query: WalletQuery;
  readonly onSort: (sort: WalletSort) => void;
}

function SortableHeader({
  sort,
  query,
  onSort,
  className = '',
}: HeadProps & { readonly sort: WalletSort; readonly className?: string }) {
  return (
    <SortHead column={sort} label={sortLabels[sort]} sorted={query} onSort={onSort} className={className} />
  );
}

function Head(props: HeadProps) {
  return (
    <>
      <SortableHeader sort="username" {...props} />
      <Th className="max-lg:hidden">Wallet</Th>
      <SortableHeader sort="balance" className="text-right" {...props} />
      <SortableHeader sort="available_balance" className="text-right" {...props} />
      <Th numeric className={hiddenWhenNarrow}>
        Margin held
      </Th>
      <Th numeric>Drift</Th>
      <SortableHeader sort="last_updated" {...props} />
    </>
  );
}

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

const UserLink = ({ wallet }: { readonly wallet: ListedWallet }) => (
  <Link
    to={`/admin/users/${wallet.user_id}`}
    className="flex min-h-6 w-fit max-w-full min-w-0 items-center rounded-badge font-medium hover:underline max-md:min-h-11"
  >
    <bdi className="truncate">{wallet.username}</bdi>
  </Link>
);

export function WalletTable({ rows, ...head }: HeadProps & { readonly rows: readonly ListedWallet[] }) {
  const phone = usePhone();
  if (phone) {
    return (
      <ul>
        {rows.map((wallet) => (
          <li key={wallet.id} className="border-b border-line/65 px-4 py-2 text-13 last:border-b-0">
            <div className="flex items-center justify-between gap-3">
              <UserLink wallet={wallet} />
              <Amount value={wallet.balance} unit={wallet.currency} className="shrink-0 font-semibold" />
            </div>
            <div className="flex flex-wrap justify-between gap-x-3 text-12 text-text-2">
              <span>
                Available <Amount value={wallet.available_balance} />
              </span>
              <span>
                Margin held <Amount value={wallet.margin} />
              </span>
            </div>
            <div className="mt-1 flex items-center justify-between gap-3 text-12 text-text-2">
              <DateTime iso={wallet.last_updated} />
              <Drift value={wallet.drift} />
            </div>
          </li>
        ))}
      </ul>
    );
  }
  return (
    <Table caption="Wallets" head={<Head {...head} />}>
      {rows.map((wallet) => (
        <Tr key={wallet.id}>
          <Td>
            <UserLink wallet={wallet} />
          </Td>
          <Td className="figures text-12 text-text-3 max-lg:hidden">
            <span title={wallet.id}>{wallet.id.slice(0, 8)}</span>
          </Td>
          <Td numeric>
            <Amount value={wallet.balance} unit={wallet.currency} className="font-medium" />
          </Td>
          <Td numeric className="text-text-2">
            <Amount value={wallet.available_balance} />
          </Td>
          <Td numeric className={`text-text-2 ${hiddenWhenNarrow}`}>
            <Amount value={wallet.margin} />
          </Td>
          <Td numeric>
            <Drift value={wallet.drift} />
          </Td>
          <Td className="text-text-2">
            <DateTime iso={wallet.last_updated} />
          </Td>
        </Tr>
      ))}
    </Table>
  );
}

export const WalletSkeleton = (head: HeadProps) => (
  <Table caption="Wallets" head={<Head {...head} />}>
    <SkeletonRows
      rows={Math.min(pageRows, 12)}
      widths={['110px', '60px', '90px', '80px', '70px', '48px', '120px']}
      numeric={[2, 3, 4, 5]}
    />
  </Table>
);
