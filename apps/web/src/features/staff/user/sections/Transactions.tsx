/** Deposits, withdrawals, fees and booked results of the account, the latest first. */
import type { Row } from '@fulcrum/contract/database';
import { Movement } from '../../../../shared/numbers/index.ts';
import { useSupabase } from '../../../../shared/supabase/index.ts';
import { DateTime } from '../../../../shared/time/DateTime.tsx';
import { statusLook, typeLook } from '../../metrics/looks.ts';
import { type Column, pageRows, RowsPanel } from '../../rows/RowsPanel.tsx';
import { LookBadge } from '../badges.tsx';
import { counted, newestFirst, pageOf, userKey } from '../person.ts';
import type { SectionProps } from './section.ts';
import { transactionWords } from './words.ts';

type Transaction = Row<'transactions'>;

const columns: readonly Column<Transaction>[] = [
  { head: 'Time', width: '118px', block: 'line', cell: ({ created_at: at }) => <DateTime iso={at} /> },
  {
    head: 'Type',
    width: '110px',
    block: 'title',
    className: '!text-text font-medium',
    cell: ({ type }) => {
      const { Icon, colour } = typeLook(type);
      return (
        <span className={`flex w-fit items-center gap-2 whitespace-nowrap ${colour}`}>
          <Icon size={14} aria-hidden="true" />
          {transactionWords[type]}
        </span>
      );
    },
  },
  {
    head: 'Description',
    width: '70%',
    block: 'line',
    className: 'w-1/2',
    cell: ({ description }) => (description ? <bdi className="wrap-anywhere">{description}</bdi> : '–'),
  },
  {
    head: 'Status',
    width: '76px',
    block: 'line',
    cell: ({ status }) => <LookBadge look={statusLook(status)} />,
  },
  {
    head: 'Amount (USDT)',
    numeric: true,
    width: '80px',
    block: 'figure',
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
        const lines = rest.from('transactions').select('*', counted).eq('user_id', userId);
        const latest = lines.order('created_at', newestFirst).order('id', newestFirst);
        return pageOf(latest.range(from, from + pageRows - 1).abortSignal(signal));
      }}
      columns={columns}
      page={page}
      onPage={onPage}
      empty={{ title: 'No transactions', text: 'Deposits, withdrawals, fees and results appear here.' }}
      failed="Failed to load transactions"
    />
  );
}
