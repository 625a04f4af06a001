/** Deposits, withdrawals, fees and realized results of the account, newest first. */
import type { Row } from '@fulcrum/contract/database';
import { Movement } from '../../../../shared/numbers/index.ts';
import { unwrap, useSupabase } from '../../../../shared/supabase/index.ts';
import type { Column } from '../../../../shared/table/index.ts';
import { DateTime } from '../../../../shared/time/DateTime.tsx';
import { IconBadge } from '../../../../shared/ui/index.ts';
import { getStatusVariant, getTypeVariant } from '../../metrics/transaction-variants.ts';
import { RowsPanel } from '../../rows/RowsPanel.tsx';
import { titleOf } from '../../shown-account.ts';
import { recordArgs, userKey } from '../user-queries.ts';
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

export function Transactions({ userId, account, page, onPage }: SectionProps) {
  const { rest } = useSupabase();
  return (
    <RowsPanel
      title={titleOf('Transactions', account)}
      caption="Transactions, the latest first"
      what="transactions"
      one="transaction"
      queryKey={[...userKey(userId), 'transactions', account.id]}
      read={(from, signal) =>
        unwrap(rest.rpc('list_transactions', recordArgs(userId, account, from)).abortSignal(signal))
      }
      columns={columns}
      page={page}
      onPage={onPage}
      empty={{ title: 'No transactions', text: 'Deposits, withdrawals, fees and results appear here.' }}
      failed="Failed to load transactions"
    />
  );
}
