/** Every movement of the balance, newest first, with a footer whose sums add up to it (WALL-04 to WALL-08). */
import { texts } from '@fulcrum/contract/texts';
import { type TransactionType, toCsv } from '@fulcrum/domain';
import Check from 'lucide-react/icons/check';
import { useState } from 'react';
import { useClosedPositions, useTransactions } from '../../shared/account/index.ts';
import { downloadText, formatDayStamp } from '../../shared/download/index.ts';
import { Amount, Movement } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { DateTime } from '../../shared/time/DateTime.tsx';
import { formatDay } from '../../shared/time/dates.ts';
import {
  Badge,
  Button,
  ButtonLink,
  EmptyState,
  ErrorState,
  Skeleton,
  SkeletonRows,
  showToast,
  Table,
  Td,
  Th,
  Tr,
  usePhone,
} from '../../shared/ui/index.ts';
import { useUrlState } from '../../shared/url-state/index.ts';
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

const head = (
  <>
    <Th aria-sort="descending" className="lg:w-[220px]">
      Date
    </Th>
    <Th className="lg:w-[200px]">Type</Th>
    <Th numeric className="lg:w-[180px]">
      Amount
    </Th>
    <Th className="!pl-12 lg:w-[160px]">Status</Th>
    <Th>Description</Th>
  </>
);
const skeletonWidths = ['132px', '90px', '72px', '84px', '180px'] as const;

function Rows({ entries }: { readonly entries: readonly HistoryEntry[] }) {
  return entries.map((entry) => (
    <Tr key={entry.id} className="!h-[38px]">
      <Td className="text-text-2">
        <DateTime iso={entry.at} />
      </Td>
      <Td>
        <TypeBadge type={entry.type} />
      </Td>
      <Td numeric>
        <Movement value={entry.amount} className="font-semibold" />
      </Td>
      <Td className="!pl-12">
        <Completed />
      </Td>
      <Td className="text-text-2">
        {entry.description}
        <StaffMark staff={entry.staff} />
      </Td>
    </Tr>
  ));
}

function Items({ entries }: { readonly entries: readonly HistoryEntry[] }) {
  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry.id} className="border-b border-line/65 px-4 py-2.5 last:border-b-0">
          <div className="flex items-baseline justify-between gap-4">
            <span className="min-w-0 truncate text-14 font-medium">
              {entry.description}
              <StaffMark staff={entry.staff} />
            </span>
            <Movement value={entry.amount} className="text-14 font-semibold" />
          </div>
          <div className="mt-0.5 flex items-center justify-between gap-4 text-12 text-text-2">
            <DateTime iso={entry.at} />
            <Completed />
          </div>
        </li>
      ))}
    </ul>
  );
}

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
          <span>
            Deposits and withdrawals{' '}
            <Amount value={sums.funding} signed className="font-medium text-text-2" />
          </span>
          <span>
            Closed positions{' '}
            <Amount value={sums.closedPositions} signed className="font-medium text-text-2" />
          </span>
          {sums.fees === 0 ? null : (
            <span>
              Fees <Amount value={sums.fees} signed className="font-medium text-text-2" />
            </span>
          )}
          <span>
            Sum <Amount value={sums.total} className="font-semibold text-text" />
          </span>
        </span>
      )}
    </div>
  );
}

const loadingTable = (
  <Table caption="Transaction History" head={head}>
    <SkeletonRows rows={6} widths={skeletonWidths} numeric={[2]} height={38} />
  </Table>
);
const loadingItems = (
  <div className="flex flex-col gap-4 px-4 py-3">
    {['a', 'b', 'c', 'd', 'e'].map((key) => (
      <Skeleton key={key} className="h-9 w-full" />
    ))}
  </div>
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
  const phone = usePhone();
  const { user } = useSignedIn();
  const [filter, changeUrl] = useUrlState(historyUrlState);
  const [limit, setLimit] = useState(pageRows);

  const choose = (change: Partial<HistoryFilter>) => {
    setLimit(pageRows);
    changeUrl(change);
  };
  const retry = () => Promise.all([transactions.refetch(), closed.refetch()]);

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

  const content = () => {
    if (!entries) {
      if (transactions.isError || closed.isError) {
        const retrying = transactions.isFetching || closed.isFetching;
        return <ErrorState title={texts.fetchTransactionsFailed} onRetry={retry} retrying={retrying} />;
      }
      return phone ? loadingItems : loadingTable;
    }
    if (entries.length === 0) {
      const trade = (
        <ButtonLink to="/trading" tone="primary">
          Open the trading screen
        </ButtonLink>
      );
      return (
        <EmptyState title="No transactions" action={trade}>
          Deposits and the results of closed positions appear here.
        </EmptyState>
      );
    }
    if (found.length === 0) {
      const { type, from, to } = filter;
      const what = type === null ? 'transactions' : typeStyles[type].filter.toLowerCase();
      const isBackwards = from !== null && to !== null && from > to;
      return (
        <EmptyState
          title={from === null && to === null ? `No ${what} yet` : `No ${what} in these days`}
          action={<Button onClick={() => choose({ type: null, from: null, to: null })}>Show all</Button>}
        >
          {isBackwards ? 'The first day is after the last one.' : null}
        </EmptyState>
      );
    }
    return (
      <>
        {phone ? (
          <Items entries={shown} />
        ) : (
          <Table caption="Transaction History" head={head}>
            <Rows entries={shown} />
          </Table>
        )}
        {found.length > shown.length ? (
          <div className="flex justify-center border-t border-line p-2">
            <Button tone="quiet" onClick={() => setLimit(limit + pageRows)}>
              Show more
            </Button>
          </div>
        ) : null}
        <HistoryFooter
          shown={shown.length}
          matching={found}
          filtered={isFiltered(filter)}
          entries={entries}
          truncated={truncated}
        />
      </>
    );
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
            hasFees={filter.type === 'fee' || entries.some((entry) => entry.type === 'fee')}
            count={found.length}
            onExport={save}
          />
        ) : null}
      </div>
      {content()}
    </section>
  );
}
