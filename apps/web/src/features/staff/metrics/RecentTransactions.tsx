/** The transactions of all traders in the range, fifty a page; every page costs the same (METR-04 to METR-15). */
import ChevronFirst from 'lucide-react/icons/chevron-first';
import ChevronLast from 'lucide-react/icons/chevron-last';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useRef } from 'react';
import { ExportButton } from '../../../shared/download/ExportButton.tsx';
import { formatFigure } from '../../../shared/numbers/index.ts';
import { PageButton, WaitingChanges } from '../../../shared/table/index.ts';
import { Button, EmptyState } from '../../../shared/ui/index.ts';
import { StaleNotice } from '../../../shared/ui/StaleNotice.tsx';
import { useUrlState } from '../../../shared/url-state/index.ts';
import { type Cursor, type PageCursor, pageCursorUrlState, toValidPageCursor } from './page-cursor.ts';
import { TransactionRows } from './TransactionRows.tsx';
import { pageRows, useTransactions } from './useTransactions.ts';

interface RecentTransactionsProps {
  /** ISO 8601; null for no bound. */
  readonly since: string | null;
  /** The number of transactions in the range; undefined while loading. */
  readonly total: number | undefined;
  readonly onShowAll: (() => void) | null;
}

export function RecentTransactions({ since, total, onShowAll }: RecentTransactionsProps) {
  const [urlState, change] = useUrlState(pageCursorUrlState);
  const pageCursor = toValidPageCursor(urlState);
  const { page, waiting } = useTransactions(since, pageCursor, total);
  const heading = useRef<HTMLHeadingElement>(null);
  const { data: rows } = page;

  const go = (to: PageCursor) => {
    change(to, { step: 'new' });
    heading.current?.scrollIntoView({ block: 'nearest' });
  };
  const refetch = () => void page.refetch();
  const at = (kind: 'older' | 'newer', row: { created_at: string; id: string } | undefined): Cursor =>
    row ? { kind, at: row.created_at, id: row.id } : { kind: 'newest' };

  const pages = total === undefined ? undefined : Math.max(1, Math.ceil(total / pageRows));
  const isFirst = pageCursor.page === 1;
  // The count may be older than the page.
  const isLast =
    rows === undefined || rows.length < pageRows || (pages !== undefined && pageCursor.page >= pages);
  const { page: number } = pageCursor;
  const newest = isFirst ? null : () => go({ page: 1, cursor: { kind: 'newest' } });
  const newer =
    isFirst || rows === undefined
      ? null
      : () => go({ page: number - 1, cursor: number === 2 ? { kind: 'newest' } : at('newer', rows[0]) });
  const older = isLast ? null : () => go({ page: number + 1, cursor: at('older', rows?.at(-1)) });
  const oldest = isLast || pages === undefined ? null : () => go({ page: pages, cursor: { kind: 'oldest' } });

  const empty =
    onShowAll === null ? (
      <EmptyState title="No transactions yet">
        Deposits, withdrawals and closed positions of all traders appear here.
      </EmptyState>
    ) : (
      <EmptyState
        title="No transactions in this range"
        action={<Button onClick={onShowAll}>Show all time</Button>}
      >
        No balance changed on these days.
      </EmptyState>
    );
  const begin = (number - 1) * pageRows;
  const shown = rows?.length ?? 0;
  return (
    <section aria-labelledby="recent-transactions" className="panel flex min-w-0 flex-col">
      <div className="flex min-h-11 flex-wrap items-center gap-3 border-b border-line px-4 py-2">
        <h2
          id="recent-transactions"
          ref={heading}
          tabIndex={-1}
          className="scroll-mt-32 text-14 font-semibold outline-none"
        >
          Recent Transactions
        </h2>
        {total === undefined ? null : (
          <span className="figures rounded-badge bg-line px-1.5 text-11 leading-5 font-medium text-text-2">
            {formatFigure(total, 0)}
          </span>
        )}
        {page.isError && rows !== undefined ? <StaleNotice /> : null}
        <WaitingChanges
          count={waiting}
          what={['new transaction', 'new transactions']}
          onShow={refetch}
          pending={page.isRefetching}
          className="ml-auto"
        />
        <ExportButton
          what="transactions"
          className={waiting === 0 ? 'ml-auto' : ''}
          args={{ p_list: 'transactions', p_from: since }}
        />
      </div>
      <TransactionRows rows={rows} reading={page} empty={empty} />
      <div className="sticky bottom-0 z-10 flex min-h-11 flex-wrap items-center justify-between gap-x-3 rounded-b-panel border-t border-line bg-surface px-4 text-12 text-text-2 max-md:gap-x-1 max-md:px-2 max-md:bottom-[var(--bar-height,0px)]">
        <span role="status" className="figures whitespace-nowrap">
          {shown === 0
            ? ''
            : `${formatFigure(begin + 1, 0)}–${formatFigure(begin + shown, 0)}${total === undefined ? '' : ` of ${formatFigure(Math.max(total, begin + shown), 0)}`}`}
        </span>
        <nav aria-label="Pages of transactions" className="ml-auto flex items-center gap-1">
          <PageButton label="Newest page" Icon={ChevronFirst} onPress={newest} />
          <PageButton label="Previous page" Icon={ChevronLeft} onPress={newer} />
          <span className="figures px-1 whitespace-nowrap">
            {`Page ${formatFigure(number, 0)}${pages === undefined ? '' : ` of ${formatFigure(Math.max(pages, number), 0)}`}`}
          </span>
          <PageButton label="Next page" Icon={ChevronRight} onPress={older} />
          <PageButton label="Oldest page" Icon={ChevronLast} onPress={oldest} />
        </nav>
      </div>
    </section>
  );
}
