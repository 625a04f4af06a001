/** The account's ledger entries, newest first. Their sum is the balance. */
import type { Row } from '@fulcrum/contract/database';
import { Movement } from '../../../../shared/numbers/index.ts';
import { unwrap, useSupabase } from '../../../../shared/supabase/index.ts';
import type { Column } from '../../../../shared/table/index.ts';
import { DateTime } from '../../../../shared/time/DateTime.tsx';
import { RowsPanel } from '../../rows/RowsPanel.tsx';
import { titleOf } from '../../shown-account.ts';
import { recordArgs, userKey } from '../user-queries.ts';
import { entryKindLabels, ledgerAccountLabels, shortId } from './labels.ts';
import type { SectionProps } from './section-props.ts';

type Entry = Row<'ledger_entries'>;

const columns: readonly Column<Entry>[] = [
  { head: 'Time', width: '118px', card: 'line', cell: ({ created_at: at }) => <DateTime iso={at} /> },
  {
    head: 'What happened',
    width: '60%',
    card: '1 start',
    className: '!text-text font-medium',
    cell: ({ kind }) => entryKindLabels[kind],
  },
  { head: 'Account', width: '70px', card: 'line', cell: ({ account }) => ledgerAccountLabels[account] },
  {
    head: 'Source',
    width: '64px',
    card: 'line',
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
    card: '1 end',
    className: 'font-medium',
    cell: ({ amount }) => <Movement value={amount} />,
  },
];

export function Ledger({ userId, account, page, onPage }: SectionProps) {
  const { rest } = useSupabase();
  return (
    <RowsPanel
      title={titleOf('Ledger', account)}
      caption="Ledger entries, the latest first"
      what="entries"
      one="entry"
      queryKey={[...userKey(userId), 'ledger', account.id]}
      read={(from, signal) =>
        unwrap(rest.rpc('list_ledger_entries', recordArgs(userId, account, from)).abortSignal(signal))
      }
      columns={columns}
      page={page}
      onPage={onPage}
      empty={{ title: 'No ledger entries', text: 'This account has no bookings.' }}
      failed="Failed to load the ledger"
    />
  );
}
