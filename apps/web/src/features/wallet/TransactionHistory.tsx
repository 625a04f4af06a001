/** Every movement of the balance, newest first, with a footer whose sums add up to it (WALL-04 to WALL-08). */
import { texts } from '@fulcrum/contract/texts';
import { type TransactionType, toCsv, transactionTypes } from '@fulcrum/domain';
import Check from 'lucide-react/icons/check';
import { useMemo, useState } from 'react';
import { sideLabel, useClosedPositions, useTransactions } from '../../shared/account/index.ts';
import { downloadText, formatDayStamp } from '../../shared/download/index.ts';
import { formatExact } from '../../shared/numbers/exact.ts';
import { Amount, formatPrice, Movement } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { type Column, DataTable } from '../../shared/table/index.ts';
import { DateTime } from '../../shared/time/DateTime.tsx';
import { formatDay } from '../../shared/time/dates.ts';
import { Badge, Button, ButtonLink, EmptyState, showToast } from '../../shared/ui/index.ts';
import { useUrlState } from '../../shared/url-state/index.ts';
import { usePairs } from '../market/index.ts';
import { HistoryFilters } from './HistoryFilters.tsx';
import { type HistoryEntry, sumHistory } from './history.ts';
import { filterEntries, type HistoryFilter, historyUrlState, isFiltered } from './history-filter.ts';
import { typeStyles } from './type-styles.ts';

const pageRows = 50;

function TypeBadge({ type }: { readonly type: TransactionType }) {
  const { label, tone } = typeStyles[type];
  return <Badge tone={tone}>{label}</Badge>;
}

function Completed() {
  return (
    <span className="inline-flex items-center gap-1.5">
      <Check size={14} aria-hidden="true" className="text-up" />
      Completed
    </span>
  );
}

/** The trader sees that staff made a change, not why (A09, A12). */
function StaffMark({ staff }: Pick<HistoryEntry, 'staff'>) {
  if (staff === null) return null;
  return (
    <span className="ml-2">
      <Badge>{staff === 'made' ? 'By staff' : 'Adjusted by staff'}</Badge>
    </span>
  );
}

/** Such as `Long 0.4 from 96,840.00 to 97,482.60`. */
const formatTrade = (
  { side, size, entryPrice, closePrice }: NonNullable<HistoryEntry['trade']>,
  tickSize: number,
): string =>
  `${sideLabel(side)} ${formatExact(size, 0)} from ${formatPrice(entryPrice, tickSize)} to ${formatPrice(closePrice, tickSize)}`;

/** A pair that left the catalogue shows all decimals. */
const finestTick = 1e-8;

const newestFirst = { sort: 'date', order: 'descending' } as const;

const createColumns = (tickOf: (symbol: string) => number): readonly Column<HistoryEntry, 'date'>[] => [
  {
    head: 'Date',
    sort: 'date',
    width: '132px',
    className: 'lg:w-[220px]',
    cellClassName: 'text-text-2',
    card: '2 start',
    cell: ({ at }) => <DateTime iso={at} />,
  },
  { head: 'Type', width: '90px', className: 'lg:w-[120px]', cell: ({ type }) => <TypeBadge type={type} /> },
  {
    head: 'Amount',
    width: '72px',
    numeric: true,
    className: 'lg:w-[140px]',
    card: '1 end',
    cell: ({ amount }) => <Movement value={amount} className="font-semibold" />,
  },
  {
    head: 'Status',
    width: '84px',
    className: '!pl-12 lg:w-[160px]',
    card: '2 end',
    cell: () => <Completed />,
  },
  {
    head: 'Description',
    width: '180px',
    cellClassName: 'text-text-2',
    card: '1 start',
    cell: ({ description, trade, staff }) => (
      <span className="max-md:block max-md:truncate max-md:font-medium">
        {description}
        {trade === null ? null : (
          <span className="figures ml-2 text-text-3 max-md:hidden">
            {formatTrade(trade, tickOf(trade.symbol))}
          </span>
        )}
        <StaffMark staff={staff} />
      </span>
    ),
  },
];

/** Those of every account, and those that this one has. */
const usualTypes: ReadonlySet<TransactionType> = new Set(['deposit', 'withdrawal', 'position_closed']);
const typesOf = (entries: readonly HistoryEntry[], chosen: TransactionType | null): TransactionType[] => {
  const known = new Set([...usualTypes, ...entries.map(({ type }) => type), chosen]);
  return transactionTypes.filter((type) => known.has(type));
};

interface HistoryFooterProps {
  readonly shown: number;
  readonly matching: readonly HistoryEntry[];
  readonly filtered: boolean;
  readonly entries: readonly HistoryEntry[];
  /** Older entries exist that were not read: the sum would not be the balance. */
  readonly truncated: boolean;
}

function HistoryFooter({ shown, matching, filtered, entries, truncated }: HistoryFooterProps) {
  const sums = sumHistory(entries);
  const parts = [
    ['Deposits and withdrawals', sums.payments],
    ['Closed positions', sums.closedPositions],
    ...(sums.fees === 0 ? [] : [['Fees', sums.fees] as const]),
    ...(sums.funding === 0 ? [] : [['Funding', sums.funding] as const]),
  ] as const;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-t border-line px-[18px] py-2.5 text-12 text-text-3">
      <span className="figures">
        {`${shown} of ${matching.length} transactions`}
        {filtered ? (
          <>
            {', together '}
            <Amount value={sumHistory(matching).total} signed className="font-medium text-text-2" />
          </>
        ) : null}
      </span>
      {truncated ? (
        <span>Older ones are not shown here.</span>
      ) : (
        <span className="flex flex-wrap gap-x-3 gap-y-1">
          {parts.map(([name, sum]) => (
            <span key={name}>
              {name} <Amount value={sum} signed className="font-medium text-text-2" />
            </span>
          ))}
          <span>
            Sum <Amount value={sums.total} className="font-semibold text-text" />
          </span>
        </span>
      )}
    </div>
  );
}

interface NoMatchesProps {
  readonly filter: HistoryFilter;
  readonly onShowAll: () => void;
}

function NoMatches({ filter: { type, from, to }, onShowAll }: NoMatchesProps) {
  const what = type === null ? 'transactions' : typeStyles[type].filter.toLowerCase();
  return (
    <EmptyState
      title={from === null && to === null ? `No ${what} yet` : `No ${what} in these days`}
      action={<Button onClick={onShowAll}>Show all</Button>}
    >
      {from !== null && to !== null && from > to ? 'The first day is after the last one.' : null}
    </EmptyState>
  );
}

const noEntries = (
  <EmptyState
    title="No transactions"
    action={
      <ButtonLink to="/trading" tone="primary">
        Open the trading screen
      </ButtonLink>
    }
  >
    Deposits and the results of closed positions appear here.
  </EmptyState>
);

interface TransactionHistoryProps {
  /** Undefined while they are being read. */
  readonly entries: readonly HistoryEntry[] | undefined;
  /** Older entries exist that were not read. */
  readonly truncated: boolean;
}

export function TransactionHistory({ entries, truncated }: TransactionHistoryProps) {
  const transactions = useTransactions();
  const closed = useClosedPositions();
  const { data: pairs } = usePairs();
  const columns = useMemo(() => {
    const ticks = new Map(pairs?.map(({ symbol, tickSize }) => [symbol, tickSize]));
    return createColumns((symbol) => ticks.get(symbol) ?? finestTick);
  }, [pairs]);
  const { user } = useSignedIn();
  const [filter, changeUrl] = useUrlState(historyUrlState);
  const [limit, setLimit] = useState(pageRows);

  const choose = (change: Partial<HistoryFilter>) => {
    setLimit(pageRows);
    changeUrl(change);
  };
  const reading = {
    isError: transactions.isError || closed.isError,
    isFetching: transactions.isFetching || closed.isFetching,
    refetch: () => Promise.all([transactions.refetch(), closed.refetch()]),
  };

  const found = filterEntries(entries ?? [], filter);
  const shown = found.slice(0, limit);
  const save = () => {
    const rows = found.map(({ at, type, amount, status, description }) => [
      formatDay(at),
      typeStyles[type].label,
      amount,
      status,
      description,
    ]);
    downloadText(
      `transactions_${user.username}_${formatDayStamp(new Date())}.csv`,
      toCsv(['Date', 'Type', 'Amount', 'Status', 'Description'], rows),
      'text/csv',
    );
    showToast('success', `${rows.length} ${rows.length === 1 ? 'transaction' : 'transactions'} exported`);
  };

  return (
    <section aria-labelledby="transaction-history" className="panel mt-4 overflow-hidden">
      <div className="flex flex-wrap items-center min-h-13 justify-between gap-x-6 gap-y-2 px-[18px] py-2.5 max-md:px-4 max-md:pb-1">
        <h2 id="transaction-history" className="text-14 font-semibold">
          Transaction History
        </h2>
        {entries && entries.length > 0 ? (
          <HistoryFilters
            filter={filter}
            onChange={choose}
            types={typesOf(entries, filter.type)}
            count={found.length}
            onExport={save}
          />
        ) : null}
      </div>
      <DataTable
        caption="Transaction History"
        columns={columns}
        rows={entries && shown}
        reading={reading}
        failed={texts.fetchTransactionsFailed}
        empty={
          entries?.length === 0 ? (
            noEntries
          ) : (
            <NoMatches filter={filter} onShowAll={() => choose(historyUrlState.initial)} />
          )
        }
        sorted={newestFirst}
        rowHeight={38}
        cardHeight={60}
        placeholders={6}
        cellClassName=""
        cardClassName="border-b border-line/65 px-4 py-2.5 last:border-b-0"
      />
      {found.length > shown.length ? (
        <div className="flex justify-center border-t border-line p-2">
          <Button tone="quiet" onClick={() => setLimit(limit + pageRows)}>
            Show more
          </Button>
        </div>
      ) : null}
      {entries && found.length > 0 ? (
        <HistoryFooter
          shown={shown.length}
          matching={found}
          filtered={isFiltered(filter)}
          entries={entries}
          truncated={truncated}
        />
      ) : null}
    </section>
  );
}
