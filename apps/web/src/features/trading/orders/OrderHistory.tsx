/** Final orders, the latest outcome first (A20). A rejected one shows its reason. */
import type { ReactNode } from 'react';
import { Price, Size } from '../../../shared/numbers/index.ts';
import type { Order } from '../../../shared/supabase/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { Badge, type BadgeTone, InstrumentMark, Table, Td, Th, Tr } from '../../../shared/ui/index.ts';
import { SideBadge, tableStyles } from '../positions/PositionFigures.tsx';
import type { StepsOf } from '../positions/steps.ts';
import { orderTypeNames } from '../ticket/useTicket.ts';
import { useFillPrices } from './fill-prices.ts';
import { statusLabels } from './labels.ts';
import { narrowHiddenStyles, ProtectionText } from './OpenOrders.tsx';

interface OrderHistoryProps {
  readonly orders: readonly Order[];
  readonly stepsOf: StepsOf;
}

const statusTones = {
  NEW: 'neutral',
  FILLED: 'up',
  REJECTED: 'down',
  CANCELED: 'neutral',
} as const satisfies Record<Order['status'], BadgeTone>;

function Status({ order }: { readonly order: Order }) {
  return <Badge tone={statusTones[order.status]}>{statusLabels[order.status]}</Badge>;
}

/** A Market order without a bound has no price of its own. */
function OrderPrice({ order, tickSize }: { readonly order: Order; readonly tickSize: number }): ReactNode {
  if (order.type === 'MARKET') return <span className="text-text-3">Market</span>;
  return <Price value={order.price} tickSize={tickSize} />;
}

export const orderHistoryHead = (
  <>
    <Th>Symbol</Th>
    <Th>Type</Th>
    <Th>Side</Th>
    <Th numeric>Size</Th>
    <Th numeric>Price</Th>
    <Th numeric>Fill Price</Th>
    <Th numeric className={narrowHiddenStyles}>
      TP / SL
    </Th>
    <Th>Status</Th>
    <Th numeric>Updated</Th>
  </>
);

export function OrderHistoryTable({ orders, stepsOf }: OrderHistoryProps) {
  const fillPrice = useFillPrices(orders);
  return (
    <Table caption="Order history, latest first" head={orderHistoryHead} className={tableStyles}>
      {orders.map((order) => {
        const { tickSize, stepSize } = stepsOf(order.symbol);
        return (
          <Tr key={order.id}>
            <Td>
              <span className="flex items-center gap-2.5 font-semibold">
                <InstrumentMark symbol={order.symbol} size={20} />
                {order.symbol}
              </span>
            </Td>
            <Td>{orderTypeNames[order.type]}</Td>
            <Td>
              <SideBadge side={order.side} />
            </Td>
            <Td numeric>
              <Size value={order.size} stepSize={stepSize} className="font-medium" />{' '}
              <span className="text-text-3">{order.leverage}×</span>
            </Td>
            <Td numeric>
              <OrderPrice order={order} tickSize={tickSize} />
            </Td>
            <Td numeric>
              <Price value={fillPrice(order)} tickSize={tickSize} className="font-medium" />
            </Td>
            <Td numeric className={narrowHiddenStyles}>
              <ProtectionText of={order} tickSize={tickSize} />
            </Td>
            <Td className="w-full max-w-0">
              <span className="flex items-center gap-2">
                <Status order={order} />
                {order.reason === null ? null : (
                  <span title={order.reason} className="truncate text-12 text-text-2">
                    {order.reason}
                  </span>
                )}
              </span>
            </Td>
            <Td numeric>
              <DateTime iso={order.updatedAt} />
            </Td>
          </Tr>
        );
      })}
    </Table>
  );
}

export function OrderHistoryCards({ orders, stepsOf }: OrderHistoryProps) {
  const fillPrice = useFillPrices(orders);
  return (
    <ul className="flex flex-col gap-2.5">
      {orders.map((order) => {
        const { tickSize, stepSize, baseAsset } = stepsOf(order.symbol);
        return (
          <li key={order.id} className="panel px-3.5 py-3">
            <div className="flex items-center justify-between gap-3">
              <span className="flex items-center gap-2.5 text-14 font-semibold">
                <InstrumentMark symbol={order.symbol} size={24} />
                {order.symbol}
                <SideBadge side={order.side} leverage={order.leverage} />
              </span>
              <Status order={order} />
            </div>
            <div className="mt-1.5 flex items-center justify-between gap-3 text-12 text-text-2">
              <span>
                <Size value={order.size} stepSize={stepSize} unit={baseAsset} />{' '}
                {orderTypeNames[order.type].toLowerCase()}
                {order.type === 'MARKET' ? null : (
                  <>
                    {' at '}
                    <Price value={order.price} tickSize={tickSize} />
                  </>
                )}
              </span>
              <DateTime iso={order.updatedAt} />
            </div>
            {order.status === 'FILLED' ? (
              <p className="mt-1.5 text-12 text-text-2">
                Filled at{' '}
                <Price value={fillPrice(order)} tickSize={tickSize} className="font-medium text-text" />
              </p>
            ) : null}
            {order.reason === null ? null : <p className="mt-1.5 text-12 text-text-2">{order.reason}</p>}
          </li>
        );
      })}
    </ul>
  );
}
