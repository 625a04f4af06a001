/**
 * Changes the price of a waiting order. The same checks apply as to a new order at that price; after a refusal the
 * order waits on unchanged. The check returns the order's own reserve first. It uses the rules of the placement and
 * the current fee rate, as the fill will. Invariant: a waiting order has reserved the cost of its fill at its own
 * price.
 *
 * A LIMIT that is amended through the market is not filled here: it is armed at its new price and fills as a new one
 * does.
 */

import { Changes } from './changes.ts';
import { type AmendCommand, type Context, type Decision, refuse } from './commands.ts';
import { openingCost } from './opening.ts';
import { checkPlacement, pendingRefusal } from './place.ts';
import { bookReserve, releaseReserve } from './reserves.ts';
import type { Account } from './types.ts';

export function decideAmend(account: Account, command: AmendCommand, context: Context): Decision {
  const { orderId, price, size = null } = command;
  const order = account.order(orderId);
  if (!order) return refuse({ code: 'order_not_found' });
  if (order.status !== 'NEW') return refuse({ code: 'order_final', status: order.status });
  if (size !== null && size !== order.size) return refuse({ code: 'not_perpetual' });
  const checked = checkPlacement({ ...order, price }, context.market);
  if ('refusal' in checked) return refuse(checked.refusal);
  const { placement } = checked;
  // A MARKET order is filled by the batch that places it, so none waits for a price.
  if (placement.type === 'MARKET') return refuse({ code: 'order_type_invalid', types: ['LIMIT', 'STOP'] });

  const changes = new Changes(account.wallet, context);
  if (order.boundPositionId !== null) {
    const moved = changes.setOrder(order, { ...order, price });
    return { outcome: 'accepted', subject: { kind: 'order', order: moved }, effects: changes.effects() };
  }
  releaseReserve(changes, order);
  const refusal = pendingRefusal(placement, changes.wallet.available, { ...context, rules: order.rules });
  if (refusal) return refuse(refusal);
  if (account.restricted) return refuse({ code: 'account_restricted' });
  const { total: reserved } = openingCost(price, order.size, order.leverage, context.feeRate);
  const amended = changes.setOrder(order, { ...order, price, reserved });
  bookReserve(changes, amended);
  return { outcome: 'accepted', subject: { kind: 'order', order: amended }, effects: changes.effects() };
}
