/** Open positions (TRADE-46 to TRADE-49). Their live figures write text: a price renders no row. */
import { texts } from '@fulcrum/contract/texts';
import type { ReactNode } from 'react';
import { sideLabel } from '../../../shared/account/index.ts';
import { JournalLink } from '../../../shared/journal-link/JournalLink.tsx';
import { Amount, formatPrice, Price } from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import type { Column } from '../../../shared/table/index.ts';
import { Button, usePhone } from '../../../shared/ui/index.ts';
import { FillsPopover } from '../../order-book/index.ts';
import { CloseAtReopenMark, CloseButton, CloseMenu } from './CloseButton.tsx';
import { CardFigures, CardHead, CardSize } from './card-parts.tsx';
import { figureColumn, hiddenBelow, priceColumn, sideColumn, sizeColumn, symbolColumn } from './columns.tsx';
import { getMark, openFigures } from './figures.ts';
import { NewRowGlow } from './NewRowGlow.tsx';
import {
  AdjustedIcon,
  AdjustedMark,
  ClosingPnlNote,
  LiquidationPrice,
  LivePnl,
  LiveRoe,
  MarkPrice,
  MarkPriceStatus,
} from './PositionFigures.tsx';
import { fillsOf } from './PositionHistory.tsx';
import { ReverseButton, ReverseIcon } from './ReverseButton.tsx';
import type { PanelTable, RowOptions } from './RowList.tsx';

interface ProtectionButtonProps {
  readonly position: Position;
  readonly tickSize: number;
  readonly onPress: (position: Position) => void;
}

const narrow = { 'text-up': '@max-[1100px]:text-up', 'text-down': '@max-[1100px]:text-down' } as const;

/** Both prices, or a label for the missing ones; opens the dialog that sets them (A21). */
function ProtectionButton({ position, tickSize, onPress }: ProtectionButtonProps) {
  const { symbol, side, takeProfitPrice, stopLossPrice } = position;
  const parts = [
    { name: 'Take profit', short: 'TP', price: takeProfitPrice, colour: 'text-up' },
    { name: 'Stop loss', short: 'SL', price: stopLossPrice, colour: 'text-down' },
  ] as const;
  return (
    <button
      type="button"
      onClick={() => onPress(position)}
      className="figures inline-flex h-7 items-center gap-2 rounded-control border border-line px-2 text-12 @max-[1100px]:gap-1 @max-[1100px]:px-1.5 @min-[1100px]:grid @min-[1100px]:w-[214px] @min-[1100px]:grid-cols-[89px_1fr] @min-[1100px]:text-left text-text-3 transition-colors hover:border-text-3 hover:bg-raised"
    >
      {parts.map(({ name, short, price, colour }, index) => (
        <span key={short} className={index === 0 ? '' : 'border-l border-line pl-2 @max-[1100px]:pl-1'}>
          <span
            aria-hidden="true"
            className={price === null ? '' : `@max-[1100px]:font-medium ${narrow[colour]}`}
          >
            {short}{' '}
          </span>
          <span className="sr-only">{name} </span>
          {/* A narrow table shows which of them are set, without their prices. */}
          <span
            className={`@max-[1100px]:sr-only ${price === null ? 'text-text-2' : `font-medium ${colour}`}`}
          >
            {price === null ? 'Add' : formatPrice(price, tickSize)}
          </span>
        </span>
      ))}
      <span className="sr-only">{`, ${symbol} ${sideLabel(side).toLowerCase()}`}</span>
    </button>
  );
}

/** Where the table is wide; the actions take the rest, so that a surplus is at their right. */
const widths = [
  '@min-[1100px]:w-[116px]',
  '@min-[1100px]:w-[62px]',
  '@min-[1100px]:w-[100px]',
  '@min-[1100px]:w-[88px]',
  '@min-[1100px]:w-[92px]',
  '@min-[1100px]:w-[88px]',
  '@min-[1100px]:w-[74px]',
  '@min-[1100px]:w-[146px]',
] as const;

/** Of a net position the entry opens its fills and its funding. */
const fillsOr = (position: Position, entry: ReactNode): ReactNode =>
  position.entryValue === null ? entry : <FillsPopover of={fillsOf(position)}>{entry}</FillsPopover>;
const withFills = (column: Column<Position>): Column<Position> => ({
  ...column,
  cell: (position) => fillsOr(position, column.cell(position)),
});

const cellsOf = ({ stepsOf, ...on }: RowOptions): readonly Column<Position>[] => [
  symbolColumn(on.onSelect),
  {
    ...sideColumn,
    cell: (position) => (
      <span className="inline-flex items-center gap-1">
        <NewRowGlow position={position} />
        {sideColumn.cell(position)}
        {position.editedAt === null ? null : <AdjustedIcon />}
      </span>
    ),
  },
  sizeColumn(stepsOf),
  withFills(
    priceColumn<Position>('Entry Price', stepsOf, ({ entryPrice }) => entryPrice, '', hiddenBelow[640]),
  ),
  figureColumn(
    'Mark Price',
    '72px',
    ({ symbol, markPrice }) => {
      const steps = stepsOf(symbol);
      const live = { symbol, markPrice, tickSize: steps.tickSize };
      return (
        <>
          <MarkPrice {...live} className="font-semibold" />
          <MarkPriceStatus symbol={symbol} steps={steps} className="block leading-3" />
        </>
      );
    },
    hiddenBelow[800],
  ),
  figureColumn(
    'Liq. Price',
    '72px',
    (position) => <LiquidationPrice position={position} tickSize={stepsOf(position.symbol).tickSize} />,
    hiddenBelow[640],
  ),
  figureColumn('Margin', '60px', ({ margin }) => <Amount value={margin} />, hiddenBelow[940]),
  figureColumn('PnL (ROE%)', '110px', (position) => (
    <>
      <LivePnl position={position} className="font-semibold" /> <LiveRoe position={position} bracketed />
      <ClosingPnlNote position={position} className="block leading-3" />
    </>
  )),
  {
    head: 'Actions',
    width: '150px',
    cell: (position) => (
      <span className="inline-flex items-center gap-1.5">
        <ProtectionButton
          position={position}
          tickSize={stepsOf(position.symbol).tickSize}
          onPress={on.onProtect}
        />
        <CloseAtReopenMark position={position} className="w-14 whitespace-normal leading-3" />
        <ReverseIcon position={position} onReverse={on.onReverse} />
        <span className="inline-flex gap-px">
          <CloseButton position={position} size="compact" onClose={on.onClose} />
          <CloseMenu
            position={position}
            steps={stepsOf(position.symbol)}
            size="compact"
            onClose={on.onClose}
          />
        </span>
        <span className={hiddenBelow[800]}>
          <JournalLink position={position} />
        </span>
      </span>
    ),
  },
];

const createColumns = (options: RowOptions): readonly Column<Position>[] =>
  cellsOf(options).map((column, index) => ({
    ...column,
    className: `${column.className ?? ''} ${widths[index] ?? ''}`,
  }));

function PositionCard({
  row: position,
  stepsOf,
  onSelect,
  onProtect,
  onClose,
  onReverse,
}: RowOptions & { readonly row: Position }) {
  const { symbol, side, markPrice, takeProfitPrice, stopLossPrice } = position;
  const steps = stepsOf(symbol);
  const price = (value: number | null, className = '') => (
    <Price value={value} tickSize={steps.tickSize} className={value === null ? '' : className} />
  );
  return (
    <>
      <NewRowGlow position={position} />
      <CardHead row={position} onSelect={onSelect}>
        <LivePnl position={position} className="text-16 font-semibold" />
      </CardHead>
      <CardSize row={position} steps={steps} unit="ROE">
        <LiveRoe position={position} className="font-medium" />
      </CardSize>
      <ClosingPnlNote position={position} className="mt-1 block text-right" />
      <CloseAtReopenMark position={position} className="mt-1 block text-right" />
      {position.editedAt === null ? null : (
        <div className="mt-1.5">
          <AdjustedMark />
        </div>
      )}
      <CardFigures
        className="grid-cols-3 max-[359px]:grid-cols-2 min-[360px]:[&>div:nth-child(3n)]:text-right"
        marks={{ Mark: <MarkPriceStatus symbol={symbol} steps={steps} className="ml-1" /> }}
        figures={{
          Entry: fillsOr(position, price(position.entryPrice)),
          Mark: <MarkPrice symbol={symbol} markPrice={markPrice} tickSize={steps.tickSize} />,
          'Liq.': <LiquidationPrice position={position} tickSize={steps.tickSize} />,
          Margin: <Amount value={position.margin} />,
          'Take Profit': price(takeProfitPrice, 'text-up'),
          'Stop Loss': price(stopLossPrice, 'text-down'),
        }}
      />
      <div className="mt-3 flex flex-wrap gap-1">
        <Button
          className="flex-1"
          aria-label={`TP / SL, ${symbol} ${sideLabel(side).toLowerCase()}`}
          onClick={() => onProtect(position)}
        >
          TP / SL
        </Button>
        <ReverseButton position={position} onReverse={onReverse} />
        {/* A narrow phone moves these to a row of their own, together. */}
        <span className="flex flex-1 gap-1">
          <CloseButton position={position} className="flex-1" onClose={onClose} />
          <CloseMenu position={position} steps={steps} onClose={onClose} />
          <JournalLink position={position} />
        </span>
      </div>
    </>
  );
}

function Hint() {
  const start = usePhone() ? 'Show the order form, enter an amount,' : 'Enter an amount,';
  return `${start} then choose Buy/Long or Sell/Short.`;
}

export const openPositions: PanelTable<Position> = {
  caption: 'Open positions',
  fixedWidths: true,
  sortValues: {
    Symbol: ({ symbol }) => symbol,
    Side: ({ side }) => sideLabel(side),
    'Entry Price': ({ entryPrice }) => entryPrice,
    'Mark Price': (position, stream) => getMark(stream, position),
    'Liq. Price': ({ liquidationPrice }) => liquidationPrice,
    Margin: ({ margin }) => margin,
    'PnL (ROE%)': (position, stream) => {
      const mark = getMark(stream, position);
      return mark === null ? null : openFigures(position).pnl(mark);
    },
  },
  failed: texts.fetchPositionsFailed,
  none: 'No open positions',
  hint: <Hint />,
  createColumns,
  Card: PositionCard,
};
