/** Positions as staff read them: one row each, with the stored words of a side (MGR-15); on a phone one block each. */
import SquarePen from 'lucide-react/icons/square-pen';
import UserPen from 'lucide-react/icons/user-pen';
import { memo, type ReactNode } from 'react';
import { Link } from 'react-router';
import { Percent, Pnl, Price, Size } from '../../../shared/numbers/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { IconButton, Skeleton, SkeletonRows, Table, Td, Th, Tr } from '../../../shared/ui/index.ts';
import { SideWord } from '../../../shared/ui/SideWord.tsx';
import { SortHead } from '../rows/SortHead.tsx';
import { closedRoe, LivePnl, LiveRoe, MarkPrice } from './figures.tsx';
import { type PositionsQuery, type Sort, type Status, sortsOf } from './positions-query.ts';
import type { StaffPosition } from './usePositions.ts';

export interface Steps {
  readonly tickSize: number;
  readonly stepSize: number;
}
export type StepsOf = (symbol: string) => Steps;

interface PositionTableProps {
  readonly status: Status;
  readonly caption: string;
  /** Whose each one is, where they are not all one person's: an admin's list, with the way to their page. */
  readonly people: 'named' | 'one';
  /** Undefined while they are being read. */
  readonly rows: readonly StaffPosition[] | undefined;
  readonly query: PositionsQuery;
  readonly onSort: (column: Sort) => void;
  readonly stepsOf: StepsOf;
  readonly onEdit: (position: StaffPosition) => void;
}

const closings = {
  manual: null,
  liquidation: 'Liquidated',
  take_profit: 'Take profit',
  stop_loss: 'Stop loss',
  staff: 'By staff',
} as const satisfies Record<NonNullable<StaffPosition['close_reason']>, string | null>;

/** Why it closed where that was not the trader's own hand, and that staff changed it. */
function Notes({ position }: { readonly position: StaffPosition }) {
  const closing = position.close_reason === null ? null : closings[position.close_reason];
  return (
    <>
      {closing === null ? null : <span className="text-11 font-normal text-text-3">{closing}</span>}
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

/** Only where the table has the room; the panel around is the container. */
const whenWide = '@max-[960px]:hidden';
/** What can be done stays in view where not all columns do. */
const stays = 'sticky right-0 bg-surface';
const tight =
  '@max-[1080px]:not-first:!pl-2 @max-[1080px]:not-last:!pr-2 @max-[860px]:not-first:!pl-1 @max-[860px]:not-last:!pr-1';
const cell = `!text-12 text-text-2 ${tight}`;

interface RowProps extends Pick<PositionTableProps, 'people' | 'onEdit'> {
  readonly position: StaffPosition;
  readonly steps: Steps;
}

const PositionRow = memo(function PositionRow({ position, people, steps, onEdit }: RowProps) {
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
      {people === 'named' ? (
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
        <SideWord side={position.side} />
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
        {isOpen ? <LiveRoe position={position} /> : <Percent value={closedRoe(position)} />}
      </Td>
      {isOpen ? (
        <Td numeric className={cell}>
          <Price value={position.liquidation_price} tickSize={tickSize} />
        </Td>
      ) : null}
      <Td numeric className={`${cell} ${isOpen ? whenWide : ''}`}>
        <DateTime iso={isOpen ? position.created_at : position.closed_at} />
      </Td>
      <Td numeric className={`${cell} ${stays} w-10 !pr-3`}>
        <EditButton position={position} onEdit={onEdit} className="!size-7" />
      </Td>
    </Tr>
  );
});

function Head({
  status,
  people,
  query,
  onSort,
}: Pick<PositionTableProps, 'status' | 'people' | 'query' | 'onSort'>) {
  const isOpen = status === 'open';
  const plain = (word: string, side: 'left' | 'right', className = '') => (
    <Th numeric={side === 'right'} className={`${tight} ${className}`}>
      {word}
    </Th>
  );
  const offered = sortsOf(status, people);
  const sorted = (column: Sort, word: string, className = '') =>
    offered.includes(column) ? (
      <SortHead
        column={column}
        label={word}
        sorted={query}
        onSort={onSort}
        numeric={column !== 'symbol'}
        className={`${tight} ${className}`}
      />
    ) : (
      plain(word, column === 'symbol' ? 'left' : 'right', className)
    );
  return (
    <>
      {sorted('symbol', 'Symbol')}
      {people === 'named' ? plain('User', 'left') : null}
      {plain('Side', 'left')}
      {plain('Entry Price', 'right')}
      {plain(isOpen ? 'Mark Price' : 'Close Price', 'right')}
      {sorted('size', 'Size')}
      {sorted('leverage', 'Leverage (x)')}
      {sorted('pnl', 'PnL (USDT)')}
      {plain('ROE%', 'right')}
      {isOpen ? plain('Liq. Price', 'right') : null}
      {sorted('time', isOpen ? 'Opened At' : 'Closed At', isOpen ? whenWide : '')}
      <Th className={`${stays} w-10`}>
        <span className="sr-only">Actions</span>
      </Th>
    </>
  );
}

const widths = ['64px', '40px', '72px', '72px', '44px', '28px', '64px', '52px', '120px'] as const;

export function PositionTable(props: PositionTableProps) {
  const { status, caption, people, rows, stepsOf, onEdit } = props;
  const columns = [
    ...(people === 'named' ? ['84px', ...widths] : widths),
    ...(status === 'open' ? ['64px'] : []),
  ];
  const firstFigure = people === 'named' ? 3 : 2;
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
              people={people}
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

/** The same on a phone. */
export function PositionBlocks({
  caption,
  people,
  rows,
  stepsOf,
  onEdit,
}: Pick<PositionTableProps, 'caption' | 'people' | 'rows' | 'stepsOf' | 'onEdit'>) {
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
                <SideWord side={position.side} />
                <Notes position={position} />
              </span>
              <span className="ml-auto font-semibold">
                {isOpen ? <LivePnl position={position} /> : <Pnl value={position.realized_pnl} />}
              </span>
              <EditButton position={position} onEdit={onEdit} />
            </div>
            <dl className="flex flex-wrap gap-x-4 gap-y-0.5 pr-3 text-12 text-text-2">
              {people === 'named' ? (
                <Line name="User">
                  <bdi>{position.username}</bdi>
                </Line>
              ) : null}
              <Line name="Size">
                <Size value={position.size} stepSize={stepSize} />{' '}
                <span className="text-text-3">{position.leverage}×</span>
              </Line>
              <Line name="ROE">
                {isOpen ? <LiveRoe position={position} /> : <Percent value={closedRoe(position)} />}
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
