/** Final orders, the latest outcome first (A20). A rejected one shows its reason. */
import { texts } from '@fulcrum/contract/texts';
import { useMemo } from 'react';
import { Price } from '../../../shared/numbers/index.ts';
import type { Order } from '../../../shared/supabase/index.ts';
import type { Column } from '../../../shared/table/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { Badge, type BadgeTone } from '../../../shared/ui/index.ts';
import { FillsPopover } from '../../order-book/index.ts';
import { CardHead, RowSize } from '../positions/card-parts.tsx';
import {
  figureColumn,
  hiddenBelow,
  priceColumn,
  protectionColumn,
  sideColumn,
  symbolColumn,
} from '../positions/columns.tsx';
import { type PanelTable, RowList, type RowListProps, type RowOptions } from '../positions/RowList.tsx';
import { useFillPrices } from './fill-prices.ts';
import {
  getFilledText,
  getPriceText,
  getStatusLabel,
  getTermsText,
  getTypeName,
  triggerOrLimit,
} from './labels.ts';
import { orderSizeColumn, typeColumn } from './OpenOrders.tsx';

const fillsOf = ({ id, createdAt, updatedAt }: Order) => ({
  orderId: id,
  from: createdAt,
  until: updatedAt,
});

interface PastOptions extends Pick<RowOptions, 'stepsOf'> {
  readonly fillPrice: (order: Order) => number | null;
}

const statusTones: Readonly<Partial<Record<Order['status'], BadgeTone>>> = { FILLED: 'up', REJECTED: 'down' };

function Status({ order }: { readonly order: Order }) {
  return <Badge tone={statusTones[order.status] ?? 'neutral'}>{getStatusLabel(order.status)}</Badge>;
}

const createColumns = ({ stepsOf, fillPrice }: PastOptions): readonly Column<Order>[] => {
  const price = priceColumn<Order>('Price', stepsOf, triggerOrLimit);
  const filled = priceColumn<Order>('Fill Price', stepsOf, fillPrice, 'font-medium');
  return [
    symbolColumn(null, ''),
    typeColumn,
    sideColumn,
    orderSizeColumn(stepsOf),
    {
      ...price,
      className: hiddenBelow[640],
      // A Market order without a bound has no price of its own, and a trailing stop had many.
      cell: (order) =>
        order.type === 'MARKET' ? (
          <span className="text-text-3">Market</span>
        ) : order.trailRate === null ? (
          price.cell(order)
        ) : (
          `${order.trailRate} %`
        ),
    },
    {
      ...filled,
      cell: (order) =>
        order.filledSize > 0 ? (
          <FillsPopover of={fillsOf(order)}>{filled.cell(order)}</FillsPopover>
        ) : (
          filled.cell(order)
        ),
    },
    protectionColumn(stepsOf, hiddenBelow[940]),
    {
      head: 'Status',
      width: '120px',
      cellClassName: 'w-full max-w-0',
      cell: (order) => (
        <span className="flex items-center gap-2">
          <Status order={order} />
          {order.reason === null ? null : (
            <span title={order.reason} className="truncate text-12 text-text-2">
              {order.reason}
            </span>
          )}
        </span>
      ),
    },
    figureColumn('Updated', '110px', ({ updatedAt }) => <DateTime iso={updatedAt} />),
  ];
};

function PastOrderCard({ row: order, stepsOf, fillPrice }: PastOptions & { readonly row: Order }) {
  const { symbol, type, reason, updatedAt } = order;
  const steps = stepsOf(symbol);
  const { tickSize } = steps;
  return (
    <>
      <CardHead row={order}>
        <Status order={order} />
      </CardHead>
      <div className="mt-1.5 flex items-center justify-between gap-3 text-12 text-text-2">
        <span>
          <RowSize row={order} steps={steps} /> {getTypeName(order).toLowerCase()}
          <span className="figures">
            {type === 'MARKET' || order.trailRate !== null ? '' : ` at ${getPriceText(order, tickSize)}`}
            {order.trailRate === null ? '' : `, ${order.trailRate} %`}
          </span>
        </span>
        <DateTime iso={updatedAt} />
      </div>
      {order.status === 'FILLED' || order.filledSize > 0 ? (
        <p className="mt-1.5 text-12 text-text-2">
          {'Filled at '}
          <FillsPopover of={fillsOf(order)}>
            <Price value={fillPrice(order)} tickSize={tickSize} className="font-medium text-text" />
          </FillsPopover>
        </p>
      ) : null}
      <p className="mt-1.5 text-12 text-text-2 empty:hidden">{getFilledText(order, steps.stepSize)}</p>
      <p className="mt-1.5 text-12 text-text-2 empty:hidden">{getTermsText(order)}</p>
      {reason === null ? null : <p className="mt-1.5 text-12 text-text-2">{reason}</p>}
    </>
  );
}

const orderHistory: PanelTable<Order, PastOptions> = {
  caption: 'Order history, latest first',
  failed: texts.fetchOrdersFailed,
  none: 'No past orders',
  hint: 'Filled, rejected, canceled and expired orders appear here.',
  createColumns,
  Card: PastOrderCard,
};

const noOrders: readonly Order[] = [];

export function OrderHistory({
  stepsOf,
  ...props
}: Pick<RowOptions, 'stepsOf'> & Omit<RowListProps<Order>, 'table' | 'options'>) {
  const fillPrice = useFillPrices(props.list.rows ?? noOrders);
  const options = useMemo(() => ({ stepsOf, fillPrice }), [stepsOf, fillPrice]);
  return <RowList {...props} table={orderHistory} options={options} />;
}
