/**
 * 'Reset account' (A102): cancels, closes, and books the account to its start balance. The history stays. A restricted
 * trader may not: it would undo what staff hold.
 */
import { asMoney } from '../money.ts';
import type { Account } from './account.ts';
import { Changes } from './changes.ts';
import { endEverything } from './closing.ts';
import { type Context, type Decision, type ResetCommand, refuse } from './commands.ts';
import { bookFunds } from './funds.ts';

export function decideReset(account: Account, { startBalance }: ResetCommand, context: Context): Decision {
  if (account.restricted) return refuse({ code: 'account_restricted' });
  const changes = new Changes(account.wallet, context);
  endEverything(account, changes, 'manual', context);
  bookFunds(changes, asMoney(startBalance - changes.wallet.available), 'Account reset');
  return { outcome: 'accepted', subject: { kind: 'account' }, effects: changes.effects() };
}
