/**
 * A tick reached a trigger of a position (A05, A21, A98, A104). The armed level is a hint: the current position
 * decides whether the price fires it. Invariant: whichever of several crossings of one tick arrives first, the
 * outcome is that of the first in the order of `triggersOf`. A position beyond its liquidation price therefore ends
 * by liquidation. Where the account holds both sides, everything that this price exhausts is liquidated with the
 * first (A111).
 */

import { Changes } from './changes.ts';
import { PositionCloser } from './closing.ts';
import { type Context, type Decision, refuse, type TriggerCommand } from './commands.ts';
import { fires, type PositionTriggerKind, triggersOf } from './protection.ts';
import type { Account, Position } from './types.ts';

export function decideTrigger(account: Account, command: TriggerCommand, context: Context): Decision {
  const position = account.position(command.positionId);
  if (!position) return refuse({ code: 'position_not_found' });
  if (position.closing) return refuse({ code: 'position_closed' });
  const { price, trigger } = command;
  const fired = triggersOf(position).filter((armed) => fires(armed, price));
  const [first] = fired;
  if (!first || !fired.some(({ kind }) => kind === trigger)) return refuse({ code: 'not_crossed' });

  const changes = new Changes(account.wallet, context);
  const closer = new PositionCloser(account, changes, context);
  const after = applyTrigger(closer, changes, position, { ...command, trigger: first.kind });
  return { outcome: 'accepted', subject: { kind: 'position', position: after }, effects: changes.effects() };
}

/** The close is booked at the price of the tick, however far beyond the trigger it lies. */
function applyTrigger(
  closer: PositionCloser,
  changes: Changes,
  position: Position,
  { trigger, price }: { readonly trigger: PositionTriggerKind } & Pick<TriggerCommand, 'price'>,
): Position {
  switch (trigger) {
    case 'liquidation':
    case 'stop_loss':
    case 'take_profit':
    case 'close_at_reopen': {
      // The trader requested that close in advance.
      const reason = trigger === 'close_at_reopen' ? 'manual' : trigger;
      closer.liquidateExhausted(position.symbol, { price, source: 'live' });
      const latest = changes.latest(position);
      if (latest.closing) return latest;
      const closed = closer.close(latest, { price, source: 'live', reason });
      changes.notify(trigger, { position: closed, price });
      return closed;
    }
    case 'margin_warning': {
      const warned = changes.setPosition(position, { ...position, marginWarned: true });
      changes.notify('margin_warning', { position: warned, price });
      return warned;
    }
    case 'margin_recovered':
      return changes.setPosition(position, { ...position, marginWarned: false });
  }
}
