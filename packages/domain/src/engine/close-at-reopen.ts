/**
 * Requests a close at the next price that trades, or withdraws that request. The next price is that of the reopening
 * while the market is closed (A98), or the one that ends a hold (A110). Invariants: a request is accepted only while
 * one of the two prevents an immediate close; nothing is booked before that price. A repeated request is accepted and
 * changes nothing.
 */

import { Changes } from './changes.ts';
import { type CloseAtReopenCommand, type Context, type Decision, refuse } from './commands.ts';
import type { Account } from './types.ts';

export function decideCloseAtReopen(
  account: Account,
  { positionId, requested }: CloseAtReopenCommand,
  context: Context,
): Decision {
  const position = account.position(positionId);
  if (!position) return refuse({ code: 'position_not_found' });
  if (position.closing) return refuse({ code: 'position_closed' });
  const changes = new Changes(account.wallet, context);
  if (position.closeAtReopen === requested) {
    return { outcome: 'accepted', subject: { kind: 'position', position }, effects: changes.effects() };
  }
  // Without any price the market's state is unknown, and a close books the entry at once (RULE-21).
  const quote = context.market.quote(position.symbol);
  const waits = quote !== undefined && (!quote.marketOpen || quote.held);
  if (requested && !waits) return refuse({ code: 'market_open' });
  const after = changes.setPosition(position, { ...position, closeAtReopen: requested });
  return { outcome: 'accepted', subject: { kind: 'position', position: after }, effects: changes.effects() };
}
