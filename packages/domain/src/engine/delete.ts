/**
 * Ends an account (A73): cancels, closes, books the rest out to a balance of zero, and removes the account in the
 * same transaction. The caller checks the permission.
 */
import { asMoney } from '../money.ts';
import { ownPayments } from '../states.ts';
import { Changes } from './changes.ts';
import { closeOutAccount } from './closing.ts';
import { type Context, type Decision, type DeleteCommand, refuse } from './commands.ts';
import { bookFunds, isReason } from './funds.ts';
import { endingRefusal } from './price-hold.ts';
import type { Account } from './types.ts';

export function decideDelete(account: Account, { reason }: DeleteCommand, context: Context): Decision {
  if (!isReason(reason)) return refuse({ code: 'reason_required' });
  const refusal = endingRefusal(account, context.market);
  if (refusal) return refuse(refusal);
  const changes = new Changes(account.wallet, context);
  closeOutAccount(account, changes, 'staff', context);
  bookFunds(changes, asMoney(-changes.wallet.available), ownPayments.close);
  changes.deleteAccount();
  return { outcome: 'accepted', subject: { kind: 'account' }, effects: changes.effects() };
}
