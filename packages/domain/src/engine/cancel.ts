/** Cancels a waiting order and releases its reserve (RULE-14, A20). */
import { NO_MONEY } from '../money.ts';
import { isWaiting } from '../states.ts';
import { Changes } from './changes.ts';
import { type CancelCommand, type Context, type Decision, refuse } from './commands.ts';
import { releaseReserve } from './reserves.ts';
import type { Account, Order } from './types.ts';

/** `order` waits. Returns its next state. */
export function cancelOrder(changes: Changes, order: Order): Order {
  releaseReserve(changes, order);
  return changes.setOrder(order, { ...order, status: 'CANCELED', reserved: NO_MONEY });
}

export function decideCancel(account: Account, { orderId }: CancelCommand, context: Context): Decision {
  const order = account.order(orderId);
  if (!order) return refuse({ code: 'order_not_found' });
  if (!isWaiting(order.status)) return refuse({ code: 'order_final', status: order.status });

  const changes = new Changes(account.wallet, context);
  const canceled = cancelOrder(changes, order);
  return { outcome: 'accepted', subject: { kind: 'order', order: canceled }, effects: changes.effects() };
}
