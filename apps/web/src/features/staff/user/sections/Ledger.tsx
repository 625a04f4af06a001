/** The account's lines of the double-entry ledger, the latest first: what its balance is the sum of. */
import type { Row } from '@fulcrum/contract/database';
import { Movement } from '../../../../shared/numbers/index.ts';
import { useSupabase } from '../../../../shared/supabase/index.ts';
import { DateTime } from '../../../../shared/time/DateTime.tsx';
import { type Column, pageRows, RowsPanel } from '../../rows/RowsPanel.tsx';
import { counted, newestFirst, pageOf, userKey } from '../person.ts';
import type { SectionProps } from './section.ts';
import { accountWords, kindWords, shortId } from './words.ts';

type Entry = Row<'ledger_entries'>;

const columns: readonly Column<Entry>[] = [
  { head: 'Time', width: '118px', block: 'line', cell: ({ created_at: at }) => <DateTime iso={at} /> },
  {
    head: 'What happened',
    width: '60%',
    block: 'title',
    className: '!text-text font-medium',
    cell: ({ kind }) => kindWords[kind],
  },
  { head: 'Account', width: '70px', block: 'line', cell: ({ account }) => accountWords[account] },
  {
    head: 'Source',
    width: '64px',
    block: 'line',
    cell: ({ source_id: id }) => (
      <span title={id} className="font-mono text-11">
        {shortId(id)}
      </span>
    ),
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

export function Ledger({ userId, page, onPage }: SectionProps) {
  const { rest } = useSupabase();
  return (
    <RowsPanel
      title="Ledger"
      caption="Ledger entries, the latest first"
      what="entries"
      one="entry"
      queryKey={[...userKey(userId), 'ledger']}
      read={(from, signal) => {
        const entries = rest.from('ledger_entries').select('*', counted).eq('user_id', userId);
        const latest = entries.order('id', newestFirst).range(from, from + pageRows - 1);
        return pageOf(latest.abortSignal(signal));
      }}
      columns={columns}
      page={page}
      onPage={onPage}
      empty={{ title: 'No ledger entries', text: 'Nothing was ever booked on this account.' }}
      failed="Failed to load the ledger"
    />
  );
}
