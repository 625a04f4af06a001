/** Open orders, as a table, or as cards on a phone (A20). */
import { memo } from 'react';
import { Amount, formatPrice, noFigure, Price, Size } from '../../../shared/numbers/index.ts';
import type { Order } from '../../../shared/supabase/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { Button, InstrumentMark, Table, Td, Th, Tr } from '../../../shared/ui/index.ts';
import { MarkPrice, SideBadge, tableStyles } from '../positions/PositionFigures.tsx';
import type { Steps, StepsOf } from '../positions/steps.ts';
import { orderTypeNames } from '../ticket/useTicket.ts';
import { getOrderLabel } from './labels.ts';

interface OpenOrdersProps {
  readonly orders: readonly Order[];
  readonly stepsOf: StepsOf;
  readonly onSelect: (symbol: string) => void;
  readonly onCancel: (order: Order) => void;
}
interface RowProps extends Omit<OpenOrdersProps, 'orders' | 'stepsOf'> {
  readonly order: Order;
  readonly steps: Steps;
}

const cancelLabel = (order: Order) => `Cancel ${order.symbol} ${getOrderLabel(order).toLowerCase()}`;
/** Columns that a narrow table hides first. */
export const narrowHiddenStyles = 'max-xl:hidden';

/** Such as `98,400.00 / 96,100.00`; a dash for a missing price. */
export function ProtectionText({
  of: { takeProfitPrice, stopLossPrice },
  tickSize,
}: {
  readonly of: Pick<Order, 'takeProfitPrice' | 'stopLossPrice'>;
  readonly tickSize: number;
}) {
  if (takeProfitPrice === null && stopLossPrice === null)
    return <span className="text-text-3">{noFigure}</span>;
  return (
    <span className="figures whitespace-nowrap">
      <span className={takeProfitPrice === null ? 'text-text-3' : ''}>
        {formatPrice(takeProfitPrice, tickSize)}
      </span>
      <span className="text-text-3"> / </span>
      <span className={stopLossPrice === null ? 'text-text-3' : ''}>
        {formatPrice(stopLossPrice, tickSize)}
      </span>
    </span>
  );
}

const OrderRow = memo(function OrderRow({ order, steps, onSelect, onCancel }: RowProps) {
  const { symbol, type, side, size, leverage, price, reserved, createdAt } = order;
  const { tickSize, stepSize } = steps;
  return (
    <Tr>
      <Td>
        <button
          type="button"
          title={`Show ${symbol}`}
          onClick={() => onSelect(symbol)}
          className="flex h-6 items-center gap-2.5 font-semibold hover:text-accent"
        >
          <span className="max-xl:hidden">
            <InstrumentMark symbol={symbol} size={20} />
          </span>
          {symbol}
        </button>
      </Td>
      <Td>{orderTypeNames[type]}</Td>
      <Td>
        <SideBadge side={side} />
      </Td>
      <Td numeric>
        <Size value={size} stepSize={stepSize} className="font-medium" />{' '}
        <span className="text-text-3">{leverage}×</span>
      </Td>
      <Td numeric>
        <Price value={price} tickSize={tickSize} className="font-semibold" />
      </Td>
      <Td numeric className={narrowHiddenStyles}>
        <MarkPrice symbol={symbol} markPrice={null} tickSize={tickSize} />
      </Td>
      <Td numeric>
        <ProtectionText of={order} tickSize={tickSize} />
      </Td>
      <Td numeric>
        <Amount value={reserved} />
      </Td>
      <Td numeric className={narrowHiddenStyles}>
        <DateTime iso={createdAt} />
      </Td>
      <Td numeric>
        <Button size="compact" aria-label={cancelLabel(order)} onClick={() => onCancel(order)}>
          Cancel
        </Button>
      </Td>
    </Tr>
  );
});

export const openOrdersHead = (
  <>
    <Th>Symbol</Th>
    <Th>Type</Th>
    <Th>Side</Th>
    <Th numeric>Size</Th>
    <Th numeric>Price</Th>
    <Th numeric className={narrowHiddenStyles}>
      Mark Price
    </Th>
    <Th numeric>TP / SL</Th>
    <Th numeric>Reserved</Th>
    <Th numeric className={narrowHiddenStyles}>
      Placed
    </Th>
    <Th numeric>Actions</Th>
  </>
);

export function OpenOrdersTable({ orders, stepsOf, ...actions }: OpenOrdersProps) {
  return (
    <Table caption="Open orders" head={openOrdersHead} className={tableStyles}>
      {orders.map((order) => (
        <OrderRow key={order.id} order={order} steps={stepsOf(order.symbol)} {...actions} />
      ))}
    </Table>
  );
}

const OrderCard = memo(function OrderCard({ order, steps, onSelect, onCancel }: RowProps) {
  const { symbol, type, side, size, leverage, price, reserved } = order;
  const { tickSize, stepSize, baseAsset } = steps;
  return (
    <li className="panel px-3.5 py-3">
      <div className="flex items-center justify-between gap-3">
        <button
          type="button"
          onClick={() => onSelect(symbol)}
          className="-my-2 flex h-11 min-w-0 items-center gap-2.5 text-14 font-semibold"
        >
          <InstrumentMark symbol={symbol} size={24} />
          {symbol}
          <SideBadge side={side} leverage={leverage} />
        </button>
        <span className="text-13 text-text-2">{orderTypeNames[type]}</span>
      </div>
      <div className="mt-1 flex justify-between text-12">
        <Size value={size} stepSize={stepSize} unit={baseAsset} className="text-text-2" />
        <span className="text-text-2">
          <Amount value={reserved} className="font-medium" /> <span className="text-text-3">reserved</span>
        </span>
      </div>
      <dl className="mt-2.5 grid grid-cols-[1fr_1fr_1.6fr] gap-x-2 gap-y-1.5 text-13 [&_dt]:text-12 [&_dt]:text-text-3">
        <div>
          <dt>Price</dt>
          <dd className="font-medium">
            <Price value={price} tickSize={tickSize} />
          </dd>
        </div>
        <div>
          <dt>Mark</dt>
          <dd className="font-medium">
            <MarkPrice symbol={symbol} markPrice={null} tickSize={tickSize} />
          </dd>
        </div>
        <div className="text-right">
          <dt>TP / SL</dt>
          <dd className="font-medium">
            <ProtectionText of={order} tickSize={tickSize} />
          </dd>
        </div>
      </dl>
      <Button className="mt-3 w-full" aria-label={cancelLabel(order)} onClick={() => onCancel(order)}>
        Cancel
      </Button>
    </li>
  );
});

export function OpenOrderCards({ orders, stepsOf, ...actions }: OpenOrdersProps) {
  return (
    <ul className="flex flex-col gap-2.5">
      {orders.map((order) => (
        <OrderCard key={order.id} order={order} steps={stepsOf(order.symbol)} {...actions} />
      ))}
    </ul>
  );
}
