/** The columns that several tables of the panel have. */
import { formatPrice, noFigure, Price, Size } from '../../../shared/numbers/index.ts';
import type { Order } from '../../../shared/supabase/index.ts';
import type { Column } from '../../../shared/table/index.ts';
import { InstrumentMark } from '../../../shared/ui/index.ts';
import { SideBadge } from './PositionFigures.tsx';
import type { StepsOf } from './steps.ts';

/** What positions and orders have in common. */
export type PanelRow = Pick<Order, 'symbol' | 'side' | 'size' | 'leverage'>;

/** Hides a column in a table narrower than this, px: its own width counts, from which market list and order form take. */
export const hiddenBelow = {
  940: '@max-[940px]:hidden',
  800: '@max-[800px]:hidden',
  640: '@max-[640px]:hidden',
} as const;

export const symbolColumn = (
  onSelect: ((symbol: string) => void) | null,
  markClassName: string = hiddenBelow[940],
): Column<PanelRow> => ({
  head: 'Symbol',
  width: '96px',
  cell: ({ symbol }) => {
    const name = (
      <>
        <span className={markClassName}>
          <InstrumentMark symbol={symbol} size={20} />
        </span>
        {symbol}
      </>
    );
    if (onSelect === null) return <span className="flex items-center gap-2.5 font-semibold">{name}</span>;
    return (
      <button
        type="button"
        title={`Show ${symbol}`}
        onClick={() => onSelect(symbol)}
        className="flex h-6 items-center gap-2.5 font-semibold hover:text-accent"
      >
        {name}
      </button>
    );
  },
});

export const sideColumn: Column<PanelRow> = {
  head: 'Side',
  width: '44px',
  cell: ({ side }) => <SideBadge side={side} />,
};

export const figureColumn = <Row,>(
  head: string,
  width: string,
  cell: Column<Row>['cell'],
  className = '',
): Column<Row> => ({ head, width, numeric: true, cell, className });

export const sizeColumn = (stepsOf: StepsOf, className = '') =>
  figureColumn<PanelRow>(
    'Size',
    '64px',
    ({ symbol, size, leverage }) => (
      <>
        <Size value={size} stepSize={stepsOf(symbol).stepSize} className="font-medium" />{' '}
        <span className="text-text-3">{leverage}×</span>
      </>
    ),
    className,
  );

export const priceColumn = <Row extends PanelRow>(
  head: string,
  stepsOf: StepsOf,
  priceOf: (row: Row) => number | null,
  className = '',
  columnClassName = '',
) =>
  figureColumn<Row>(
    head,
    '72px',
    (row) => <Price value={priceOf(row)} tickSize={stepsOf(row.symbol).tickSize} className={className} />,
    columnClassName,
  );

/** Such as `98,400.00 / 96,100.00`; a dash for a missing price. */
export function ProtectionText({
  of: { takeProfitPrice, stopLossPrice },
  tickSize,
}: {
  readonly of: Pick<Order, 'takeProfitPrice' | 'stopLossPrice'>;
  readonly tickSize: number;
}) {
  const part = (price: number | null) => (
    <span className={price === null ? 'text-text-3' : ''}>{formatPrice(price, tickSize)}</span>
  );
  if (takeProfitPrice === null && stopLossPrice === null)
    return <span className="text-text-3">{noFigure}</span>;
  return (
    <span className="figures whitespace-nowrap">
      {part(takeProfitPrice)}
      <span className="text-text-3"> / </span>
      {part(stopLossPrice)}
    </span>
  );
}

export const protectionColumn = (stepsOf: StepsOf, className = '') =>
  figureColumn<Order>(
    'TP / SL',
    '100px',
    (order) => <ProtectionText of={order} tickSize={stepsOf(order.symbol).tickSize} />,
    className,
  );
