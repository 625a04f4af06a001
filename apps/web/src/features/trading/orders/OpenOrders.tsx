/** Open orders (A20). */
import { texts } from '@fulcrum/contract/texts';
import { Amount } from '../../../shared/numbers/index.ts';
import type { Order } from '../../../shared/supabase/index.ts';
import type { Column } from '../../../shared/table/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { Button } from '../../../shared/ui/index.ts';
import { CardFigures, CardHead, CardSize } from '../positions/card-parts.tsx';
import {
  figureColumn,
  hiddenBelow,
  ProtectionText,
  protectionColumn,
  sideColumn,
  sizeColumn,
  symbolColumn,
} from '../positions/columns.tsx';
import { MarkPrice } from '../positions/PositionFigures.tsx';
import type { PanelTable, RowOptions } from '../positions/RowList.tsx';
import type { StepsOf } from '../positions/steps.ts';
import { getFilledText, getOrderLabel, getTermsText, getTypeName, triggerOrLimit } from './labels.ts';
import { PriceEditor } from './PriceEditor.tsx';

const cancelLabel = (order: Order) => `Cancel ${order.symbol} ${getOrderLabel(order).toLowerCase()}`;

export const typeColumn: Column<Order> = {
  head: 'Type',
  width: '40px',
  cell: (order) => (
    <span className="flex flex-col leading-4">
      {getTypeName(order)}
      <span className="text-11 text-text-3 empty:hidden">{getTermsText(order)}</span>
    </span>
  ),
};

/** What closes the position has no size before it does. */
export const orderSizeColumn = (stepsOf: StepsOf): Column<Order> => {
  const column = sizeColumn(stepsOf);
  return {
    ...column,
    cell: (order) =>
      order.size === 0 ? (
        'All'
      ) : (
        <span className="flex flex-col leading-4">
          <span>{column.cell(order)}</span>
          <span className="text-11 text-text-3 empty:hidden">
            {getFilledText(order, stepsOf(order.symbol).stepSize)}
          </span>
        </span>
      ),
  };
};

const createColumns = ({ stepsOf, onSelect, onCancel }: RowOptions): readonly Column<Order>[] => [
  symbolColumn(onSelect),
  typeColumn,
  sideColumn,
  orderSizeColumn(stepsOf),
  figureColumn('Price', '104px', (order) => (
    <PriceEditor order={order} steps={stepsOf(order.symbol)} className="font-semibold" />
  )),
  figureColumn(
    'Mark Price',
    '72px',
    ({ symbol }) => <MarkPrice symbol={symbol} markPrice={null} tickSize={stepsOf(symbol).tickSize} />,
    hiddenBelow[940],
  ),
  protectionColumn(stepsOf),
  figureColumn('Reserved', '60px', ({ reserved }) =>
    reserved === 0 ? <span className="text-text-3">–</span> : <Amount value={reserved} />,
  ),
  figureColumn('Placed', '110px', ({ createdAt }) => <DateTime iso={createdAt} />, hiddenBelow[940]),
  figureColumn('Actions', '52px', (order) => (
    <Button size="compact" aria-label={cancelLabel(order)} onClick={() => onCancel(order)}>
      Cancel
    </Button>
  )),
];

function OrderCard({ row: order, stepsOf, onSelect, onCancel }: RowOptions & { readonly row: Order }) {
  const { symbol, reserved } = order;
  const steps = stepsOf(symbol);
  const { tickSize } = steps;
  return (
    <>
      <CardHead row={order} onSelect={onSelect}>
        <span className="text-right text-13 text-text-2">{getTypeName(order)}</span>
      </CardHead>
      <CardSize row={order} steps={steps} unit={reserved === 0 ? '' : 'reserved'}>
        {reserved === 0 ? null : <Amount value={reserved} className="font-medium text-text-2" />}
      </CardSize>
      <p className="text-12 text-text-2 empty:hidden">{getFilledText(order, steps.stepSize)}</p>
      <p className="text-12 text-text-2 empty:hidden">{getTermsText(order)}</p>
      <CardFigures
        className="grid-cols-[1fr_1fr_1.6fr] [&>div:last-child]:text-right"
        figures={{
          Price: <PriceEditor order={order} steps={steps} />,
          Mark: <MarkPrice symbol={symbol} markPrice={null} tickSize={tickSize} />,
          'TP / SL': <ProtectionText of={order} tickSize={tickSize} />,
        }}
      />
      <Button className="mt-3 w-full" aria-label={cancelLabel(order)} onClick={() => onCancel(order)}>
        Cancel
      </Button>
    </>
  );
}

export const openOrders: PanelTable<Order> = {
  caption: 'Open orders',
  failed: texts.fetchOrdersFailed,
  sortValues: {
    Symbol: ({ symbol }) => symbol,
    Type: getTypeName,
    Side: ({ side }) => side,
    Price: triggerOrLimit,
    'Mark Price': ({ symbol }, stream) => stream.latest(symbol)?.price ?? null,
    Reserved: ({ reserved }) => reserved,
    Placed: ({ createdAt }) => Date.parse(createdAt),
  },
  none: 'No open orders',
  hint: 'Limit, stop and conditional orders wait here until the market reaches their price.',
  createColumns,
  Card: OrderCard,
};
