/**
 * Ends an account (A73): cancels, closes, books the rest out so that it ends at zero, and has it removed in the same
 * transaction. Who may delete whom is proven by whoever asks.
 */
import { asMoney } from '../money.ts';
import type { Account } from './account.ts';
import { Changes } from './changes.ts';
import { endEverything } from './closing.ts';
import { type Context, type Decision, type DeleteCommand, refuse } from './commands.ts';
import { bookFunds, isReason } from './funds.ts';

export function decideDelete(account: Account, { reason }: DeleteCommand, context: Context): Decision {
  if (!isReason(reason)) return refuse({ code: 'reason_required' });
  const changes = new Changes(account.wallet, context);
  endEverything(account, changes, 'staff', context);
  bookFunds(changes, asMoney(-changes.wallet.available), 'Account closed');
  changes.deleteAccount();
  return { outcome: 'accepted', subject: { kind: 'account' }, effects: changes.effects() };
}
