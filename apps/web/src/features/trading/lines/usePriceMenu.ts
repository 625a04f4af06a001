/**
 * Orders from the chart at a price. An entry fills the order form and presses its button, so that the form's rules and
 * its confirmation apply; without an amount it only fills the form and goes to the amount. Invariant: the entry is
 * applied to the form as it shows it, never to a former one.
 */
import { type BasicOrderType, formatFixed, priceDecimals, type Side, toNumber } from '@fulcrum/domain';
import { useEffect, useRef } from 'react';
import { snapToGrid } from '../../../shared/decimals/snap-to-grid.ts';
import { formatPrice } from '../../../shared/numbers/index.ts';
import { type PriceMenuEntries, usePriceStream } from '../../market/index.ts';
import { orderTypeNames } from '../ticket/order-types.ts';
import type { Ticket } from '../ticket/useTicket.ts';

interface RequestedOrder {
  readonly side: Side;
  readonly type: Exclude<BasicOrderType, 'MARKET'>;
  /** As typed in the form. */
  readonly price: string;
}

/**
 * The orders of the offered types that wait at a price: below the market one buys by limit and sells by stop, above the other way
 * round.
 */
export function waitingOrdersAt(
  price: number,
  market: number,
  offeredTypes: readonly BasicOrderType[],
): readonly Omit<RequestedOrder, 'price'>[] {
  if (price === market) return [];
  const [limitSide, stopSide] = price < market ? (['BUY', 'SELL'] as const) : (['SELL', 'BUY'] as const);
  const orders = [
    { side: limitSide, type: 'LIMIT' },
    { side: stopSide, type: 'STOP' },
  ] as const;
  return orders.filter(({ type }) => offeredTypes.includes(type));
}

export function usePriceMenu(ticket: Ticket, showForm: () => void): PriceMenuEntries {
  const stream = usePriceStream();
  const { pair, state, dispatch, amountField, offeredTypes } = ticket;
  const requested = useRef<RequestedOrder | null>(null);
  useEffect(() => {
    const order = requested.current;
    if (!order || state.type !== order.type || state.typed.price !== order.price) return;
    requested.current = null;
    if (state.typed.amount.trim() === '') amountField.current?.focus();
    else ticket.submit(order.side);
  });
  return (price) => {
    const market = stream.latest(pair.symbol)?.price;
    const snapped = snapToGrid(price, pair.limits);
    if (market === undefined) return [];
    const amount = state.typed.unit === 'base' ? state.typed.amount.trim() : '';
    return waitingOrdersAt(toNumber(snapped), market, offeredTypes).map(({ side, type }) => ({
      id: `${side}-${type}`,
      label: [
        side === 'BUY' ? 'Buy' : 'Sell',
        orderTypeNames[type].toLowerCase(),
        ...(amount === '' ? [] : [amount]),
        `@ ${formatPrice(toNumber(snapped), pair.tickSize)}`,
      ].join(' '),
      perform: () => {
        const text = formatFixed(snapped, priceDecimals(pair.limits));
        requested.current = { side, type, price: text };
        showForm();
        dispatch({ type: 'orderType', orderType: type, price: text });
        dispatch({ type: 'set', field: 'price', text });
      },
    }));
  };
}
