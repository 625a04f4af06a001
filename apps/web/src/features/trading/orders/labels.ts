/** Labels of orders. */
import type { Order } from '../../../shared/supabase/index.ts';
import { orderTypeNames } from '../ticket/useTicket.ts';

/** `Limit buy`. */
export const getOrderLabel = ({ type, side }: Pick<Order, 'type' | 'side'>): string =>
  `${orderTypeNames[type]} ${side === 'BUY' ? 'buy' : 'sell'}`;

export const statusLabels = {
  NEW: 'New',
  FILLED: 'Filled',
  REJECTED: 'Rejected',
  CANCELED: 'Canceled',
} as const satisfies Record<Order['status'], string>;
