/**
 * A tick reached what a position waits for (A05, A21, A98, A104). What was armed is a hint: the position as it now is decides
 * whether that price fires it. Invariant: whichever of several crossings of one tick comes first, the outcome is that of the
 * first in the order of `triggersOf`, so a position that is past its liquidation price ends by liquidation.
 */
import type { Account, Position } from './account.ts';
import { Changes } from './changes.ts';
import { closePosition } from './closing.ts';
import { type Context, type Decision, refuse, type TriggerCommand } from './commands.ts';
import { fires, type PositionTriggerKind, triggersOf } from './protection.ts';

export function decideTrigger(account: Account, command: TriggerCommand, context: Context): Decision {
  const position = account.position(command.positionId);
  if (!position) return refuse({ code: 'position_not_found' });
  if (position.closing) return refuse({ code: 'position_closed' });
  const { price, trigger } = command;
  const fired = triggersOf(position).filter((armed) => fires(armed, price));
  const [first] = fired;
  if (!first || !fired.some(({ kind }) => kind === trigger)) return refuse({ code: 'not_crossed' });

  const changes = new Changes(account.wallet, context);
  const after = act(changes, position, { ...command, trigger: first.kind }, context);
  return { outcome: 'accepted', subject: { kind: 'position', position: after }, effects: changes.effects() };
}

/** The close is booked at the price of the tick, however far beyond the trigger it lies. */
function act(
  changes: Changes,
  position: Position,
  { trigger, price }: { readonly trigger: PositionTriggerKind } & Pick<TriggerCommand, 'price'>,
  context: Context,
): Position {
  switch (trigger) {
    case 'liquidation':
    case 'stop_loss':
    case 'take_profit':
    case 'close_at_reopen': {
      // That close is the trader's own, asked for in advance.
      const reason = trigger === 'close_at_reopen' ? 'manual' : trigger;
      const closed = closePosition(changes, position, { price, source: 'live', reason }, context);
      changes.notify(trigger, { position: closed, price });
      return closed;
    }
    case 'margin_warning': {
      const warned = changes.position(position, { ...position, marginWarned: true });
      changes.notify('margin_warning', { position: warned, price });
      return warned;
    }
    case 'margin_recovered':
      return changes.position(position, { ...position, marginWarned: false });
  }
}
