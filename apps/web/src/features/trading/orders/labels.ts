/** Labels of orders. */
import type { Order } from '../../../shared/supabase/index.ts';
import { orderTypeNames } from '../ticket/useTicket.ts';

/** `Limit buy`. */
export const getOrderLabel = ({ type, side }: Pick<Order, 'type' | 'side'>): string =>
  `${orderTypeNames[type]} ${side === 'BUY' ? 'buy' : 'sell'}`;

/** `Partially filled`. */
export const getStatusLabel = (status: Order['status']): string =>
  status.charAt(0) + status.slice(1).toLowerCase().replace('_', ' ');
