/** Deposits, withdrawals, fees and realized results of the account, newest first. */
import type { Row } from '@fulcrum/contract/database';
import { Movement } from '../../../../shared/numbers/index.ts';
import { useSupabase } from '../../../../shared/supabase/index.ts';
import type { Column } from '../../../../shared/table/index.ts';
import { DateTime } from '../../../../shared/time/DateTime.tsx';
import { IconBadge } from '../../../../shared/ui/index.ts';
import { getStatusVariant, getTypeVariant } from '../../metrics/transaction-variants.ts';
import { RowsPanel } from '../../rows/RowsPanel.tsx';
import { fetchPage, newestFirst, userKey, withCount } from '../user-queries.ts';
import { transactionLabels } from './labels.ts';
import type { SectionProps } from './section-props.ts';

type Transaction = Row<'transactions'>;

const columns: readonly Column<Transaction>[] = [
  { head: 'Time', width: '118px', card: 'line', cell: ({ created_at: at }) => <DateTime iso={at} /> },
  {
    head: 'Type',
    width: '110px',
    card: '1 start',
    className: '!text-text font-medium',
    cell: ({ type }) => {
      const { Icon, colour } = getTypeVariant(type);
      return (
        <span className={`flex w-fit items-center gap-2 whitespace-nowrap ${colour}`}>
          <Icon size={14} aria-hidden="true" />
          {transactionLabels[type]}
        </span>
      );
    },
  },
  {
    head: 'Description',
    width: '70%',
    card: 'line',
    className: 'w-1/2',
    cell: ({ description }) => (description ? <bdi className="wrap-anywhere">{description}</bdi> : '–'),
  },
  {
    head: 'Status',
    width: '76px',
    card: 'line',
    cell: ({ status }) => <IconBadge variant={getStatusVariant(status)} />,
  },
  {
    head: 'Amount (USDT)',
    numeric: true,
    width: '80px',
    card: '1 end',
    className: 'font-medium',
    cell: ({ amount }) => <Movement value={amount} />,
  },
];

export function Transactions({ userId, page, onPage }: SectionProps) {
  const { rest } = useSupabase();
  return (
    <RowsPanel
      title="Transactions"
      caption="Transactions, the latest first"
      what="transactions"
      one="transaction"
      queryKey={[...userKey(userId), 'transactions']}
      read={(from, signal) => {
        const lines = rest.from('transactions').select('*', withCount).eq('user_id', userId);
        return fetchPage(lines.order('created_at', newestFirst).order('id', newestFirst), from, signal);
      }}
      columns={columns}
      page={page}
      onPage={onPage}
      empty={{ title: 'No transactions', text: 'Deposits, withdrawals, fees and results appear here.' }}
      failed="Failed to load transactions"
    />
  );
}
