/**
 * Moves the price of an order that waits. What a new order at that price would be refused for refuses this too, and the
 * order then waits on as it was: it is judged with its own reserve given back, under the rules that it was placed under and
 * at the fee rate of now, as its fill will be. Invariant: what waits has reserved what its fill at its own price costs.
 *
 * A LIMIT that is amended through the market is not filled here: it is armed at its new price, and its turn comes as that
 * of a new one does.
 */
import type { Account } from './account.ts';
import { Changes } from './changes.ts';
import { type AmendCommand, type Context, type Decision, refuse } from './commands.ts';
import { openingCost } from './opening.ts';
import { checkPlacement, waitingRefusal } from './place.ts';
import { bookReserve, releaseReserve } from './reserves.ts';

export function decideAmend(account: Account, { orderId, price }: AmendCommand, context: Context): Decision {
  const order = account.order(orderId);
  if (!order) return refuse({ code: 'order_not_found' });
  if (order.status !== 'NEW') return refuse({ code: 'order_final', status: order.status });
  const checked = checkPlacement({ ...order, price }, context.market);
  if ('refusal' in checked) return refuse(checked.refusal);
  const { placement } = checked;
  // A MARKET order is filled by the batch that places it: none of that type waits for a price.
  if (placement.type === 'MARKET') return refuse({ code: 'order_type_invalid' });

  const changes = new Changes(account.wallet, context);
  releaseReserve(changes, order);
  const refusal = waitingRefusal(placement, changes.wallet.available, { ...context, rules: order.rules });
  if (refusal) return refuse(refusal);
  if (account.restricted) return refuse({ code: 'account_restricted' });
  const { total: reserved } = openingCost(price, order.size, order.leverage, context.feeRate);
  const amended = changes.order(order, { ...order, price, reserved });
  bookReserve(changes, amended);
  return { outcome: 'accepted', subject: { kind: 'order', order: amended }, effects: changes.effects() };
}
