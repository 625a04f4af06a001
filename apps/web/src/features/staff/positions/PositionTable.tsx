/** Positions for staff: one row each with the stored side (MGR-15); on a phone one block each. */
import SquarePen from 'lucide-react/icons/square-pen';
import UserPen from 'lucide-react/icons/user-pen';
import { memo, type ReactNode } from 'react';
import { Link } from 'react-router';
import { Percent, Pnl, Price, Size } from '../../../shared/numbers/index.ts';
import { SortHead } from '../../../shared/table/SortHead.tsx';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { IconButton, Skeleton, SkeletonRows, Table, Td, Th, Tr } from '../../../shared/ui/index.ts';
import { SideLabel } from '../../../shared/ui/SideLabel.tsx';
import { LivePnl, LiveRoe, MarkPrice, toClosedRoe } from './live-figures.tsx';
import { getSorts, type PositionsQuery, type Sort, type Status } from './positions-query.ts';
import type { StaffPosition } from './usePositions.ts';

export interface PairSteps {
  readonly tickSize: number;
  readonly stepSize: number;
}
export type GetPairSteps = (symbol: string) => PairSteps;

interface PositionTableProps {
  readonly status: Status;
  readonly caption: string;
  /** `named` adds a column with each position's user and a link; `one` is a list of a single user. */
  readonly scope: 'named' | 'one';
  /** Undefined while they are being read. */
  readonly rows: readonly StaffPosition[] | undefined;
  readonly query: PositionsQuery;
  readonly onSort: (column: Sort) => void;
  readonly stepsOf: GetPairSteps;
  readonly onEdit: (position: StaffPosition) => void;
}

const closeReasonLabels = {
  manual: null,
  liquidation: 'Liquidated',
  take_profit: 'Take profit',
  stop_loss: 'Stop loss',
  staff: 'By staff',
} as const satisfies Record<NonNullable<StaffPosition['close_reason']>, string | null>;

/** Notes: the reason of a close not made by the trader, and adjustments by staff. */
function Notes({ position }: { readonly position: StaffPosition }) {
  const closeReasonLabel = position.close_reason === null ? null : closeReasonLabels[position.close_reason];
  return (
    <>
      {closeReasonLabel === null ? null : (
        <span className="text-11 font-normal text-text-3">{closeReasonLabel}</span>
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

const EditButton = ({
  position,
  onEdit,
  className = '',
}: Pick<PositionTableProps, 'onEdit'> & {
  readonly position: StaffPosition;
  readonly className?: string;
}) => (
  <IconButton
    label={`Edit position ${position.symbol} of ${position.username}`}
    className={`text-text-3 group-hover:text-text ${className}`}
    onClick={() => onEdit(position)}
  >
    <SquarePen size={15} aria-hidden="true" />
  </IconButton>
);

/** Hidden in narrow panels; the surrounding panel is the container. */
const hiddenWhenNarrow = '@max-[960px]:hidden';
/** Pins the actions column in a table that scrolls sideways. */
const stickyColumn = 'sticky right-0 bg-surface';
const compactCell =
  '@max-[1080px]:not-first:!pl-2 @max-[1080px]:not-last:!pr-2 @max-[860px]:not-first:!pl-1 @max-[860px]:not-last:!pr-1';
const cell = `!text-12 text-text-2 ${compactCell}`;

interface RowProps extends Pick<PositionTableProps, 'scope' | 'onEdit'> {
  readonly position: StaffPosition;
  readonly steps: PairSteps;
}

const PositionRow = memo(function PositionRow({ position, scope, steps, onEdit }: RowProps) {
  const { tickSize, stepSize } = steps;
  const isOpen = position.status === 'open';
  return (
    <Tr className="group !h-8">
      <Td className={cell}>
        <span className="flex w-fit items-center gap-2 font-semibold text-text">
          {position.symbol}
          <Notes position={position} />
        </span>
      </Td>
      {scope === 'named' ? (
        <Td title={position.username} className={`${cell} max-w-40 truncate font-medium !text-text`}>
          <Link
            to={`/admin/users/${position.user_id}?section=positions`}
            className="inline-flex min-h-6 items-center hover:text-accent hover:underline"
          >
            <bdi>{position.username}</bdi>
          </Link>
        </Td>
      ) : null}
      <Td className={cell}>
        <SideLabel side={position.side} />
      </Td>
      <Td numeric className={cell}>
        <Price value={position.entry_price} tickSize={tickSize} />
      </Td>
      <Td numeric className={cell}>
        {isOpen ? (
          <MarkPrice position={position} tickSize={tickSize} />
        ) : (
          <Price value={position.close_price} tickSize={tickSize} />
        )}
      </Td>
      <Td numeric className={cell}>
        <Size value={position.size} stepSize={stepSize} />
      </Td>
      <Td numeric className={cell}>
        {position.leverage}
      </Td>
      <Td numeric className={cell}>
        {isOpen ? (
          <LivePnl position={position} className="font-semibold" />
        ) : (
          <Pnl value={position.realized_pnl} className="font-semibold" />
        )}
      </Td>
      <Td numeric className={cell}>
        {isOpen ? <LiveRoe position={position} /> : <Percent value={toClosedRoe(position)} />}
      </Td>
      {isOpen ? (
        <Td numeric className={cell}>
          <Price value={position.liquidation_price} tickSize={tickSize} />
        </Td>
      ) : null}
      <Td numeric className={`${cell} ${isOpen ? hiddenWhenNarrow : ''}`}>
        <DateTime iso={isOpen ? position.created_at : position.closed_at} />
      </Td>
      <Td numeric className={`${cell} ${stickyColumn} w-10 !pr-3`}>
        <EditButton position={position} onEdit={onEdit} className="!size-7" />
      </Td>
    </Tr>
  );
});

function Head({
  status,
  scope,
  query,
  onSort,
}: Pick<PositionTableProps, 'status' | 'scope' | 'query' | 'onSort'>) {
  const isOpen = status === 'open';
  const plainHeader = (word: string, side: 'left' | 'right', className = '') => (
    <Th numeric={side === 'right'} className={`${compactCell} ${className}`}>
      {word}
    </Th>
  );
  const offered = getSorts(status, scope);
  const sortableHeader = (column: Sort, word: string, className = '') =>
    offered.includes(column) ? (
      <SortHead
        column={column}
        label={word}
        sorted={query}
        onSort={onSort}
        numeric={column !== 'symbol'}
        className={`${compactCell} ${className}`}
      />
    ) : (
      plainHeader(word, column === 'symbol' ? 'left' : 'right', className)
    );
  return (
    <>
      {sortableHeader('symbol', 'Symbol')}
      {scope === 'named' ? plainHeader('User', 'left') : null}
      {plainHeader('Side', 'left')}
      {plainHeader('Entry Price', 'right')}
      {plainHeader(isOpen ? 'Mark Price' : 'Close Price', 'right')}
      {sortableHeader('size', 'Size')}
      {sortableHeader('leverage', 'Leverage (x)')}
      {sortableHeader('pnl', 'PnL (USDT)')}
      {plainHeader('ROE%', 'right')}
      {isOpen ? plainHeader('Liq. Price', 'right') : null}
      {sortableHeader('time', isOpen ? 'Opened At' : 'Closed At', isOpen ? hiddenWhenNarrow : '')}
      <Th className={`${stickyColumn} w-10`}>
        <span className="sr-only">Actions</span>
      </Th>
    </>
  );
}

const widths = ['64px', '40px', '72px', '72px', '44px', '28px', '64px', '52px', '120px'] as const;

export function PositionTable(props: PositionTableProps) {
  const { status, caption, scope, rows, stepsOf, onEdit } = props;
  const columns = [
    ...(scope === 'named' ? ['84px', ...widths] : widths),
    ...(status === 'open' ? ['64px'] : []),
  ];
  const firstFigure = scope === 'named' ? 3 : 2;
  return (
    <div className="overflow-x-auto">
      <Table caption={caption} head={<Head {...props} />} className="whitespace-nowrap">
        {rows === undefined ? (
          <SkeletonRows
            rows={6}
            widths={columns}
            numeric={columns.flatMap((_, index) => (index < firstFigure ? [] : [index]))}
            height={32}
          />
        ) : (
          rows.map((position) => (
            <PositionRow
              key={position.id}
              position={position}
              scope={scope}
              steps={stepsOf(position.symbol)}
              onEdit={onEdit}
            />
          ))
        )}
      </Table>
    </div>
  );
}

const Line = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="flex gap-1.5">
    <dt className="text-text-3">{name}</dt>
    <dd className="figures">{children}</dd>
  </div>
);

/** The phone layout. */
export function PositionBlocks({
  caption,
  scope,
  rows,
  stepsOf,
  onEdit,
}: Pick<PositionTableProps, 'caption' | 'scope' | 'rows' | 'stepsOf' | 'onEdit'>) {
  if (rows === undefined) {
    return ['a', 'b', 'c'].map((block) => (
      <div
        key={block}
        className="flex h-[108px] flex-col justify-center gap-2.5 border-b border-line/65 px-4"
      >
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-3 w-3/4" />
        <Skeleton className="h-3 w-1/2" />
      </div>
    ));
  }
  return (
    <ul aria-label={caption}>
      {rows.map((position) => {
        const { tickSize, stepSize } = stepsOf(position.symbol);
        const isOpen = position.status === 'open';
        return (
          <li key={position.id} className="border-b border-line/65 py-2 pr-1 pl-4 last:border-b-0">
            <div className="flex min-h-11 items-center gap-2 text-14">
              <span className="inline-flex min-w-0 items-center gap-2 font-semibold">
                {position.symbol}
                <SideLabel side={position.side} />
                <Notes position={position} />
              </span>
              <span className="ml-auto font-semibold">
                {isOpen ? <LivePnl position={position} /> : <Pnl value={position.realized_pnl} />}
              </span>
              <EditButton position={position} onEdit={onEdit} />
            </div>
            <dl className="flex flex-wrap gap-x-4 gap-y-0.5 pr-3 text-12 text-text-2">
              {scope === 'named' ? (
                <Line name="User">
                  <bdi>{position.username}</bdi>
                </Line>
              ) : null}
              <Line name="Size">
                <Size value={position.size} stepSize={stepSize} />{' '}
                <span className="text-text-3">{position.leverage}×</span>
              </Line>
              <Line name="ROE">
                {isOpen ? <LiveRoe position={position} /> : <Percent value={toClosedRoe(position)} />}
              </Line>
              <Line name="Entry">
                <Price value={position.entry_price} tickSize={tickSize} />
              </Line>
              <Line name={isOpen ? 'Mark' : 'Close'}>
                {isOpen ? (
                  <MarkPrice position={position} tickSize={tickSize} />
                ) : (
                  <Price value={position.close_price} tickSize={tickSize} />
                )}
              </Line>
              {isOpen ? (
                <Line name="Liq.">
                  <Price value={position.liquidation_price} tickSize={tickSize} />
                </Line>
              ) : null}
              <Line name={isOpen ? 'Opened' : 'Closed'}>
                <DateTime iso={isOpen ? position.created_at : position.closed_at} />
              </Line>
            </dl>
          </li>
        );
      })}
    </ul>
  );
}
