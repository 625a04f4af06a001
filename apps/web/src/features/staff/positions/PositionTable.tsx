/** Positions for staff: one row each with the stored side (MGR-15). */
import { texts } from '@fulcrum/contract/texts';
import type { PositionStatus } from '@fulcrum/domain';
import SquarePen from 'lucide-react/icons/square-pen';
import UserPen from 'lucide-react/icons/user-pen';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { Percent, Pnl, Price, Size } from '../../../shared/numbers/index.ts';
import { getErrorMessage } from '../../../shared/supabase/index.ts';
import { type Column, DataTable, type DataTableProps } from '../../../shared/table/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { IconButton } from '../../../shared/ui/index.ts';
import { SideLabel } from '../../../shared/ui/SideLabel.tsx';
import type { PairSteps } from '../../market/index.ts';
import { LivePnl, LiveRoe, MarkPrice, toClosedRoe } from './live-figures.tsx';
import { getSorts, type Sort } from './positions-query.ts';
import type { StaffPosition } from './usePositions.ts';

/** What the columns depend on; each value is memoized, because the rows are live. */
interface ColumnOptions {
  readonly status: PositionStatus;
  /** `named` adds a column with each position's user and a link; `one` is a list of a single user. */
  readonly scope: 'named' | 'one';
  readonly stepsOf: (symbol: string) => PairSteps;
  /** Null where nothing can be edited. */
  readonly onEdit: ((position: StaffPosition) => void) | null;
}

/** In words, and short for the table of a narrow panel, where the words would push the time under the actions. */
const closeReasonLabels = {
  manual: null,
  liquidation: ['Liquidated', 'Liq.'],
  take_profit: ['Take profit', 'TP'],
  stop_loss: ['Stop loss', 'SL'],
  staff: ['By staff', 'Staff'],
  program_end: ['Contest or challenge ended', 'Ended'],
} as const satisfies Record<
  NonNullable<StaffPosition['close_reason']>,
  readonly [words: string, short: string] | null
>;

interface NotesProps {
  readonly position: StaffPosition;
  readonly isInTable?: boolean;
}

/** Notes: the reason of a close not made by the trader, and adjustments by staff. */
function Notes({ position, isInTable = false }: NotesProps) {
  const label = position.close_reason === null ? null : closeReasonLabels[position.close_reason];
  return (
    <>
      {label === null ? null : (
        <span title={label[0]} className="text-11 font-normal text-text-3">
          <span className={isInTable ? '@max-[860px]:sr-only' : ''}>{label[0]}</span>
          {isInTable ? (
            <span aria-hidden="true" className="hidden @max-[860px]:inline">
              {label[1]}
            </span>
          ) : null}
        </span>
      )}
      {position.edited_at === null ? null : (
        <span title="Adjusted by staff" className="text-text-3">
          <UserPen size={13} aria-hidden="true" />
          <span className="sr-only">Adjusted by staff</span>
        </span>
      )}
    </>
  );
}

type PositionColumn = Column<StaffPosition, Sort>;

const toEditColumn = (onEdit: (position: StaffPosition) => void): PositionColumn => ({
  head: 'Actions',
  width: '16px',
  numeric: true,
  isPinned: true,
  className: 'w-10 !pr-3',
  card: 'edge',
  cell: (position) => (
    <IconButton
      label={`Edit position ${position.symbol} of ${position.username}`}
      className="text-text-3 group-hover/row:text-text md:!size-7"
      onClick={() => onEdit(position)}
    >
      <SquarePen size={15} aria-hidden="true" />
    </IconButton>
  ),
});

/** Where the surrounding panel is narrow; Edit Position shows all of it. */
const narrowHidden = '@max-[960px]:hidden';

function toColumns({ status, scope, stepsOf, onEdit }: ColumnOptions): readonly PositionColumn[] {
  const isOpen = status === 'open';
  // Beside the user, closed positions would hide the last figures under the actions.
  const spared = !isOpen && scope === 'named' ? narrowHidden : '';
  const sorts = getSorts(status, scope);
  const offered = (sort: Sort) => (sorts.includes(sort) ? sort : undefined);
  const user: PositionColumn = {
    head: 'User',
    width: '84px',
    cellClassName: 'max-w-40 truncate font-medium !text-text',
    card: 'line',
    cardCell: ({ username }) => <bdi>{username}</bdi>,
    tooltip: ({ username }) => username,
    cell: ({ user_id: id, username }) => (
      <Link
        to={`/admin/users/${id}?section=positions`}
        className="inline-flex min-h-6 items-center hover:text-accent hover:underline"
      >
        <bdi>{username}</bdi>
      </Link>
    ),
  };
  const liquidation: PositionColumn = {
    head: 'Liq. Price',
    width: '64px',
    numeric: true,
    card: 'line',
    cardLabel: 'Liq.',
    cell: ({ symbol, liquidation_price: price }) => (
      <Price value={price} tickSize={stepsOf(symbol).tickSize} />
    ),
  };
  return [
    {
      head: 'Symbol',
      sort: offered('symbol'),
      width: '64px',
      card: '1 start',
      cardCell: (position) => (
        <span className="inline-flex min-h-11 min-w-0 items-center gap-2 font-semibold">
          {position.symbol}
          <SideLabel side={position.side} />
          <Notes position={position} />
        </span>
      ),
      cell: (position) => (
        <span className="flex w-fit items-center gap-2 font-semibold text-text">
          {position.symbol}
          <Notes position={position} isInTable />
        </span>
      ),
    },
    ...(scope === 'named' ? [user] : []),
    { head: 'Side', width: '40px', cell: ({ side }) => <SideLabel side={side} /> },
    {
      head: 'Entry Price',
      width: '72px',
      numeric: true,
      className: spared,
      card: 'line',
      cardLabel: 'Entry',
      cell: ({ symbol, entry_price: price }) => <Price value={price} tickSize={stepsOf(symbol).tickSize} />,
    },
    {
      head: isOpen ? 'Mark Price' : 'Close Price',
      width: '72px',
      numeric: true,
      card: 'line',
      cardLabel: isOpen ? 'Mark' : 'Close',
      cell: (position) => {
        const { tickSize } = stepsOf(position.symbol);
        return isOpen ? (
          <MarkPrice position={position} tickSize={tickSize} />
        ) : (
          <Price value={position.close_price} tickSize={tickSize} />
        );
      },
    },
    {
      head: 'Size',
      sort: offered('size'),
      width: '44px',
      numeric: true,
      card: 'line',
      cardCell: ({ symbol, size, leverage }) => (
        <>
          <Size value={size} stepSize={stepsOf(symbol).stepSize} />{' '}
          <span className="text-text-3">{leverage}×</span>
        </>
      ),
      cell: ({ symbol, size }) => <Size value={size} stepSize={stepsOf(symbol).stepSize} />,
    },
    {
      head: 'Leverage (x)',
      sort: offered('leverage'),
      width: '28px',
      numeric: true,
      className: spared,
      cell: ({ leverage }) => leverage,
    },
    {
      head: 'PnL (USDT)',
      sort: offered('pnl'),
      width: '64px',
      numeric: true,
      card: '1 end',
      cell: (position) =>
        isOpen ? (
          <LivePnl position={position} className="font-semibold" />
        ) : (
          <Pnl value={position.realized_pnl} className="font-semibold" />
        ),
    },
    {
      head: 'ROE%',
      width: '52px',
      numeric: true,
      card: 'line',
      cardLabel: 'ROE',
      cell: (position) =>
        isOpen ? <LiveRoe position={position} /> : <Percent value={toClosedRoe(position)} />,
    },
    ...(isOpen ? [liquidation] : []),
    {
      head: isOpen ? 'Opened At' : 'Closed At',
      sort: offered('time'),
      width: '120px',
      numeric: true,
      className: isOpen ? narrowHidden : '',
      card: 'line',
      cardLabel: isOpen ? 'Opened' : 'Closed',
      cell: ({ created_at: opened, closed_at: closed }) => <DateTime iso={isOpen ? opened : closed} />,
    },
    ...(onEdit === null ? [] : [toEditColumn(onEdit)]),
  ];
}

/** Narrow panels put the columns closer together. */
const compact =
  '@max-[1080px]:[&_:is(th,td):not(:first-child)]:!pl-2 @max-[1080px]:[&_:is(th,td):not(:last-child)]:!pr-2 @max-[860px]:[&_:is(th,td):not(:first-child)]:!pl-1 @max-[860px]:[&_:is(th,td):not(:last-child)]:!pr-1';

type PositionTableProps = ColumnOptions &
  Omit<DataTableProps<StaffPosition, Sort>, 'columns' | 'failed'> & { readonly error: Error | null };

export function PositionTable({ status, scope, stepsOf, onEdit, error, ...table }: PositionTableProps) {
  const columns = useMemo(
    () => toColumns({ status, scope, stepsOf, onEdit }),
    [status, scope, stepsOf, onEdit],
  );
  return (
    <DataTable
      {...table}
      columns={columns}
      failed={getErrorMessage(error, texts.fetchPositionsFailed)}
      placeholders={6}
      rowHeight={32}
      cardHeight={108}
      className="min-h-40"
      tableClassName={`whitespace-nowrap ${compact}`}
    />
  );
}
