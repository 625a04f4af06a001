/**
 * Open or closed positions of one user or of all users (ADMIN-74 to ADMIN-77, MGR-09 to MGR-16). The URL stores filter, order
 * and page. Invariant: rows do not move while the pointer or the focus is on them; added and removed rows wait behind a button.
 *
 * Known limitation: paging ends at the first ten thousand rows; the CSV export contains all.
 */
import { texts } from '@fulcrum/contract/texts';
import type { PositionStatus } from '@fulcrum/domain';
import { useCallback, useId, useState } from 'react';
import { useExport } from '../../../shared/download/useExport.ts';
import { formatFigure, Pnl } from '../../../shared/numbers/index.ts';
import {
  EmptyAction,
  EmptyPage,
  TableFooter,
  useRowFreeze,
  WaitingChanges,
} from '../../../shared/table/index.ts';
import { EmptyState } from '../../../shared/ui/index.ts';
import { useUrlState } from '../../../shared/url-state/index.ts';
import { usePairSteps } from '../../market/index.ts';
import { MainAccounts } from '../MainAccounts.tsx';
import { useRefreshPaused } from '../rows/refresh-paused.ts';
import { mainAccount, type ShownAccount, titleOf } from '../shown-account.ts';
import { EditPosition } from './EditPosition.tsx';
import { LiveSum, PriceSubscription } from './live-figures.tsx';
import { PositionFilters } from './PositionFilters.tsx';
import { PositionTable } from './PositionTable.tsx';
import {
  filterArgs,
  filterQuery,
  getPageRows,
  isFiltered,
  type PositionsQuery,
  positionsUrlState,
  type Sort,
  sortQuery,
  toSupportedQuery,
} from './positions-query.ts';
import { type StaffPosition, usePositions, useRefetchPositions } from './usePositions.ts';

export interface StaffPositionsProps {
  readonly status: PositionStatus;
  /** Null for all users visible to the caller; the table then has a user column. */
  readonly user: { readonly id: string; readonly username: string } | null;
  /** Of the user; the main one by default. */
  readonly account?: ShownAccount;
  /** Prefix of the table's URL parameters, so that several tables share a page: `open_`, `closed_`. */
  readonly prefix: string;
}

const labels = {
  open: {
    title: 'Open Positions',
    what: 'open positions',
    one: 'open position',
    empty: 'No open positions',
    next: 'New positions appear here automatically.',
  },
  closed: {
    title: 'Closed Positions',
    what: 'closed positions',
    one: 'closed position',
    empty: texts.noClosedPositions,
    next: 'Positions appear here once they are closed.',
  },
} as const satisfies Record<PositionStatus, object>;

const orderLabels: Readonly<Record<Sort, string>> = {
  time: 'time',
  symbol: 'symbol',
  size: 'size',
  leverage: 'leverage',
  pnl: 'PnL',
};

interface EmptyPositionsProps {
  readonly status: PositionStatus;
  readonly query: PositionsQuery;
  readonly total: number;
  readonly onClear: () => void;
  readonly onFirst: () => void;
}

function EmptyPositions({ status, query, total, onClear, onFirst }: EmptyPositionsProps) {
  if (total > 0) return <EmptyPage what="positions" onFirst={onFirst} />;
  const { empty, next } = labels[status];
  if (!isFiltered(query)) return <EmptyState title={empty}>{next}</EmptyState>;
  const { from, to } = query;
  return (
    <EmptyState title={empty} action={<EmptyAction onPress={onClear}>Clear filters</EmptyAction>}>
      {from !== null && to !== null && from > to
        ? 'The first day is after the last one.'
        : 'No positions match these filters.'}
    </EmptyState>
  );
}

interface PnlSumProps {
  readonly status: PositionStatus;
  readonly rows: readonly StaffPosition[];
  readonly read: { readonly total: number; readonly is_more: boolean; readonly realized_pnl: number | null };
}

/** The PnL of all filtered positions; absent when not all of them are loaded. */
function PnlSum({ status, rows, read }: PnlSumProps) {
  if (status === 'closed') {
    return read.realized_pnl === null ? (
      <span>Narrow the range to see the sum</span>
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

export function StaffPositions({ status, user, account = mainAccount, prefix }: StaffPositionsProps) {
  const heading = useId();
  const [urlQuery, change] = useUrlState(positionsUrlState, prefix);
  const scope = user === null ? 'named' : 'one';
  const query = toSupportedQuery(urlQuery, status, scope);
  const { isFrozen, handlers } = useRowFreeze();
  const [edited, setEdited] = useState<StaffPosition | null>(null);
  const owner = user && { userId: user.id, accountId: account.id };
  const { rows, waiting, show, read, reading } = usePositions(
    { status, owner, query },
    isFrozen || edited !== null,
  );
  const refetchPositions = useRefetchPositions();
  const { isExporting, exportAll } = useExport('positions');
  const stepsOf = usePairSteps();
  const isPaused = useRefreshPaused();

  const { title, what, one } = labels[status];
  const name = user === null ? title : titleOf(`${title} - ${user.username}`, account);
  const onSymbol = useCallback((symbol: string) => change((held) => filterQuery(held, { symbol })), [change]);
  const onSort = useCallback((column: Sort) => change((held) => sortQuery(held, column)), [change]);
  const onPage = (page: number) => change({ page });
  return (
    <section
      aria-labelledby={heading}
      tabIndex={-1}
      className="panel @container min-w-0 overflow-hidden outline-none"
    >
      <div className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-2 border-b border-line px-4 py-2">
        {/* The filters go beneath before a name is truncated (MGR-10). */}
        <div className="flex max-w-full min-w-0 grow items-center gap-2">
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
          {user === null ? <MainAccounts /> : null}
          <WaitingChanges count={waiting} onShow={show} />
        </div>
        <PositionFilters
          what={what}
          query={query}
          onSymbol={onSymbol}
          onDays={(days) => change((held) => filterQuery(held, days))}
          isExporting={isExporting}
          onExport={(isWithIds) => {
            const p_time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
            const ids = isWithIds ? { p_with_ids: true } : {};
            const args = { ...filterArgs(query, status, owner), p_time_zone, ...ids };
            void exportAll({ procedure: 'export_positions', args });
          }}
        />
      </div>
      <PositionTable
        caption={name}
        status={status}
        scope={scope}
        stepsOf={stepsOf}
        // Staff edit positions of main accounts; in another one they act by impersonation.
        onEdit={account.id === null ? setEdited : null}
        rows={rows}
        reading={reading}
        error={reading.error}
        empty={
          <EmptyPositions
            status={status}
            query={query}
            total={read?.total ?? 0}
            onClear={() => change((held) => filterQuery(held, { symbol: '', from: null, to: null }))}
            onFirst={() => onPage(1)}
          />
        }
        sorted={query}
        onSort={onSort}
        freeze={handlers}
      />
      <p role="status" className="sr-only">
        {query.sort === 'time' && query.order === 'descending'
          ? ''
          : `Sorted by ${orderLabels[query.sort]}, ${query.order}`}
      </p>
      {read === undefined || rows === undefined ? null : (
        <TableFooter
          what={what}
          one={one}
          page={query.page}
          pageRows={getPageRows(owner)}
          total={read.total}
          isMore={read.is_more}
          onPage={onPage}
          reading={reading}
        >
          <PnlSum status={status} rows={rows} read={read} />
        </TableFooter>
      )}
      {status === 'open' && !isPaused ? <PriceSubscription /> : null}
      {edited === null ? null : (
        <EditPosition
          key={edited.id}
          positionId={edited.id}
          onClose={() => setEdited(null)}
          onDone={refetchPositions}
        />
      )}
    </section>
  );
}
