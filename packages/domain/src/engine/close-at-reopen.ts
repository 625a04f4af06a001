/**
 * A trader asks for a position of a shut market to be closed at the reopening, or takes that back (A98). Invariants: it is
 * asked for only while the market is shut, since an open one closes at once; nothing is booked before the reopening. What is
 * already as wanted is accepted and stays, so that the same wish may come twice.
 */
import type { Account } from './account.ts';
import { Changes } from './changes.ts';
import { type CloseAtReopenCommand, type Context, type Decision, refuse } from './commands.ts';

export function decideCloseAtReopen(
  account: Account,
  { positionId, wanted }: CloseAtReopenCommand,
  context: Context,
): Decision {
  const position = account.position(positionId);
  if (!position) return refuse({ code: 'position_not_found' });
  if (position.closing) return refuse({ code: 'position_closed' });
  const changes = new Changes(account.wallet, context);
  if (position.closeAtReopen === wanted) {
    return { outcome: 'accepted', subject: { kind: 'position', position }, effects: changes.effects() };
  }
  // Without any price there is no word of a shut market, and a close books the entry at once (RULE-21).
  if (wanted && context.market.quote(position.symbol)?.marketOpen !== false) {
    return refuse({ code: 'market_open' });
  }
  const after = changes.position(position, { ...position, closeAtReopen: wanted });
  return { outcome: 'accepted', subject: { kind: 'position', position: after }, effects: changes.effects() };
}
