/**
 * Open or closed positions of one person or of everybody (ADMIN-74 to ADMIN-77, MGR-09 to MGR-16). Filter, order and page stand in
 * the address. Invariant: nothing moves while the pointer or the focus is on the rows; what came or went waits behind a button.
 *
 * Known limitation: no more than the first ten thousand of an order can be paged to; the file has them all.
 */
import { texts } from '@fulcrum/contract/texts';
import { useCallback, useId, useMemo, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { formatFigure, Pnl } from '../../../shared/numbers/index.ts';
import { messageOf } from '../../../shared/supabase/index.ts';
import { Button, EmptyState, ErrorState, usePhone } from '../../../shared/ui/index.ts';
import { OutOfDate } from '../../../shared/ui/OutOfDate.tsx';
import { passFocusOn } from '../../../shared/widget/index.ts';
import { usePairs } from '../../market/index.ts';
import { Pager } from '../rows/Pager.tsx';
import { usePaused } from '../rows/pause.ts';
import { useHold } from '../rows/useHeldRows.ts';
import { WaitingChanges } from '../rows/WaitingChanges.tsx';
import { EditPosition } from './EditPosition.tsx';
import { FollowedPrices, LiveSum } from './figures.tsx';
import { PositionFilters } from './PositionFilters.tsx';
import { PositionBlocks, PositionTable, type Steps } from './PositionTable.tsx';
import {
  answerable,
  filterArgs,
  filtered,
  isFiltered,
  type PositionsQuery,
  pageRowsOf,
  type Sort,
  type Status,
  sortedBy,
} from './positions-query.ts';
import { useExport } from './useExport.ts';
import { type StaffPosition, usePositions, useReadPositionsAgain } from './usePositions.ts';
import { usePositionsAddress } from './usePositionsAddress.ts';

export interface StaffPositionsProps {
  readonly status: 'open' | 'closed';
  /** Null: of everybody whom the caller reaches; then a column names whose each is. */
  readonly user: { readonly id: string; readonly username: string } | null;
  /** Left out: 'Open Positions', 'Closed Positions', with ' - {username}' where there is a user. */
  readonly title?: string;
  /** Of its parameters in the address, so that several tables share a page: `open_`, `closed_`. */
  readonly prefix: string;
}

const words = {
  open: { title: 'Open Positions', what: 'open positions', one: 'open position', empty: 'No open positions' },
  closed: {
    title: 'Closed Positions',
    what: 'closed positions',
    one: 'closed position',
    empty: texts.noClosedPositions,
  },
} as const satisfies Record<Status, object>;
const emptyTexts = {
  open: 'What traders open appears here by itself.',
  closed: 'Positions appear here once they are closed.',
} as const satisfies Record<Status, string>;

const orderWords: Readonly<Record<Sort, string>> = {
  time: 'time',
  symbol: 'symbol',
  size: 'size',
  leverage: 'leverage',
  pnl: 'PnL',
};

/** All its decimals, for a pair that left the catalogue. */
const finest: Steps = { tickSize: 1e-8, stepSize: 1e-8 };

function useSteps() {
  const { data: pairs } = usePairs();
  return useMemo(() => {
    const known = new Map<string, Steps>(pairs?.map((pair) => [pair.symbol, pair]));
    return (symbol: string) => known.get(symbol) ?? finest;
  }, [pairs]);
}

interface NoRowsProps {
  readonly status: Status;
  readonly query: PositionsQuery;
  readonly total: number;
  readonly onClear: () => void;
  readonly onFirst: () => void;
}

function NoRows({ status, query, total, onClear, onFirst }: NoRowsProps) {
  if (total > 0) {
    return (
      <EmptyState
        title="No positions on this page"
        action={
          <span ref={passFocusOn}>
            <Button onClick={onFirst}>First page</Button>
          </span>
        }
      />
    );
  }
  if (!isFiltered(query)) return <EmptyState title={words[status].empty}>{emptyTexts[status]}</EmptyState>;
  const { from, to } = query;
  return (
    <EmptyState
      title={words[status].empty}
      action={
        <span ref={passFocusOn}>
          <Button onClick={onClear}>Clear filters</Button>
        </span>
      }
    >
      {from !== null && to !== null && from > to
        ? 'The first day is after the last one.'
        : 'None matches the filters.'}
    </EmptyState>
  );
}

interface SumProps {
  readonly status: Status;
  readonly rows: readonly StaffPosition[];
  readonly read: { readonly total: number; readonly is_more: boolean; readonly realized_pnl: number | null };
}

/** Of all that the filter shows; nothing where only a part of it is known. */
function Sum({ status, rows, read }: SumProps) {
  if (status === 'closed') {
    return read.realized_pnl === null ? (
      <span>Narrow the range for its sum</span>
    ) : (
      <span>
        Realized PnL <Pnl value={read.realized_pnl} unit="USDT" className="ml-1 font-semibold" />
      </span>
    );
  }
  if (rows.length < read.total || rows.length === 0) return null;
  return (
    <span>
      Unrealized PnL <LiveSum positions={rows} /> USDT
    </span>
  );
}

export function StaffPositions({ status, user, title, prefix }: StaffPositionsProps) {
  const heading = useId();
  const { query: asked, change } = usePositionsAddress(prefix);
  const people = user === null ? 'named' : 'one';
  const query = answerable(asked, status, people);
  const { isHeld, handlers } = useHold();
  const [edited, setEdited] = useState<StaffPosition | null>(null);
  const userId = user?.id ?? null;
  const { rows, waiting, show, read, reading } = usePositions(
    { status, userId, query },
    isHeld || edited !== null,
  );
  const readAgain = useReadPositionsAgain();
  const { isExporting, exportAll } = useExport();
  const stepsOf = useSteps();
  const isPaused = usePaused();
  const phone = usePhone();

  const { what, one } = words[status];
  const name = title ?? `${words[status].title}${user === null ? '' : ` - ${user.username}`}`;
  const onSymbol = useCallback((symbol: string) => change((held) => filtered(held, { symbol })), [change]);
  const onSort = useCallback((column: Sort) => change((held) => sortedBy(held, column)), [change]);
  const onPage = (page: number) => change((held) => ({ ...held, page }));
  const retry = () => {
    reading.refetch().catch((cause: unknown) => log.error(`Reading ${what} again broke`, cause));
  };

  const content = () => {
    if (rows === undefined && reading.isError) {
      return (
        <ErrorState
          title={messageOf(reading.error, texts.fetchPositionsFailed)}
          onRetry={retry}
          retrying={reading.isFetching}
        />
      );
    }
    if (rows?.length === 0) {
      return (
        <NoRows
          status={status}
          query={query}
          total={read?.total ?? 0}
          onClear={() => change((held) => filtered(held, { symbol: '', from: null, to: null }))}
          onFirst={() => onPage(1)}
        />
      );
    }
    const shown = {
      caption: name,
      people,
      rows,
      stepsOf,
      onEdit: setEdited,
    } as const;
    return phone ? (
      <PositionBlocks {...shown} />
    ) : (
      <PositionTable {...shown} status={status} query={query} onSort={onSort} />
    );
  };

  return (
    <section
      aria-labelledby={heading}
      tabIndex={-1}
      className="panel @container min-w-0 overflow-hidden outline-none"
    >
      <div className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-2 border-b border-line px-4 py-2">
        {/* A long name is cut before the filters take a line of their own: whose positions they are stands above, too. */}
        <div className="flex min-w-0 flex-1 basis-56 items-center gap-2">
          <h2 id={heading} title={name} className="min-w-0 truncate text-14 leading-7 font-semibold">
            {name}
          </h2>
          {read === undefined ? null : (
            <span
              aria-hidden="true"
              className="figures rounded-full bg-line px-2 text-11 leading-[18px] text-text-2"
            >
              {`${formatFigure(read.total, 0)}${read.is_more ? '+' : ''}`}
            </span>
          )}
          <WaitingChanges count={waiting} onShow={show} />
        </div>
        <PositionFilters
          what={what}
          query={query}
          onSymbol={onSymbol}
          onDays={(days) => change((held) => filtered(held, days))}
          isExporting={isExporting}
          onExport={() => void exportAll(filterArgs(query, status, userId))}
        />
      </div>
      <div
        {...handlers}
        aria-busy={rows === undefined || reading.isPlaceholderData || undefined}
        className={`min-h-40 transition-opacity ${reading.isPlaceholderData ? 'opacity-60' : ''}`}
      >
        {content()}
      </div>
      <p role="status" className="sr-only">
        {query.sort === 'time' && query.order === 'descending'
          ? ''
          : `Sorted by ${orderWords[query.sort]}, ${query.order}`}
      </p>
      {read === undefined || rows === undefined ? null : (
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line px-4 py-1 text-12 text-text-2">
          <Pager
            what={read.total === 1 && !read.is_more ? one : what}
            page={query.page}
            pageRows={pageRowsOf(user?.id ?? null)}
            total={read.total}
            isMore={read.is_more}
            onPage={onPage}
          />
          {reading.isError ? (
            <OutOfDate onRetry={retry} retrying={reading.isFetching} />
          ) : (
            <Sum status={status} rows={rows} read={read} />
          )}
        </div>
      )}
      {status === 'open' && !isPaused ? <FollowedPrices /> : null}
      {edited === null ? null : (
        <EditPosition
          key={edited.id}
          positionId={edited.id}
          onClose={() => setEdited(null)}
          onDone={readAgain}
        />
      )}
    </section>
  );
}
