/**
 * Restricts an account or lifts the restriction (A72). A restricted account opens nothing, so its waiting orders are
 * cancelled in the same decision. Positions stay and can be closed.
 */

import { cancelOrder } from './cancel.ts';
import { Changes } from './changes.ts';
import { type Context, type Decision, type RestrictCommand, refuse } from './commands.ts';
import { isReason } from './funds.ts';
import type { Account } from './types.ts';

export function decideRestrict(account: Account, command: RestrictCommand, context: Context): Decision {
  const { restricted, reason } = command;
  if (!isReason(reason)) return refuse({ code: 'reason_required' });
  if (account.restricted === restricted) return refuse({ code: 'restriction_unchanged', restricted });

  const changes = new Changes(account.wallet, context);
  changes.restrict(restricted);
  changes.notify(restricted ? 'restricted' : 'restriction_lifted');
  if (restricted) {
    for (const waiting of account.openOrders()) {
      const order = cancelOrder(changes, waiting);
      changes.notify('order_canceled', { order });
    }
  }
  return { outcome: 'accepted', subject: { kind: 'account' }, effects: changes.effects() };
}
