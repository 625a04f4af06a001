/** The columns that several tables of the panel have. */
import { formatPrice, noFigure, Price, Size } from '../../../shared/numbers/index.ts';
import type { Order } from '../../../shared/supabase/index.ts';
import type { Column } from '../../../shared/table/index.ts';
import { InstrumentMark } from '../../../shared/ui/index.ts';
import { SideBadge } from './PositionFigures.tsx';
import type { StepsOf } from './steps.ts';

/** What positions and orders have in common. */
export type PanelRow = Pick<Order, 'symbol' | 'side' | 'size' | 'leverage'>;

/** Columns that a narrow table hides first. */
export const narrowHiddenStyles = 'max-xl:hidden';

export const symbolColumn = (
  onSelect: ((symbol: string) => void) | null,
  markClassName = narrowHiddenStyles,
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

export const sizeColumn = (stepsOf: StepsOf) =>
  figureColumn<PanelRow>('Size', '64px', ({ symbol, size, leverage }) => (
    <>
      <Size value={size} stepSize={stepsOf(symbol).stepSize} className="font-medium" />{' '}
      <span className="text-text-3">{leverage}×</span>
    </>
  ));

export const priceColumn = <Row extends PanelRow>(
  head: string,
  stepsOf: StepsOf,
  priceOf: (row: Row) => number | null,
  className = '',
) =>
  figureColumn<Row>(head, '72px', (row) => (
    <Price value={priceOf(row)} tickSize={stepsOf(row.symbol).tickSize} className={className} />
  ));

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
