/**
 * The engine's core: what a command does to an account, as a pure function. Whoever calls it (the server's engine, a
 * simulator, a replay) writes the effects, all or none, before it answers.
 */
import type { Account } from './account.ts';
import { decideClose } from './close.ts';
import type { Command, Context, Decision } from './commands.ts';
import { assertSound } from './effects.ts';
import { decideOpen } from './open.ts';

function decideBy(account: Account, command: Command, context: Context): Decision {
  switch (command.kind) {
    case 'open':
      return decideOpen(account, command, context);
    case 'close':
      return decideClose(account, command, context);
  }
}

/** @throws InvariantViolation when the decision would leave an unsound account; nothing of it may then be written. */
export function decide(account: Account, command: Command, context: Context): Decision {
  const decision = decideBy(account, command, context);
  if (decision.outcome === 'accepted') assertSound(account.wallet, decision.effects);
  return decision;
}
