/**
 * 'Reset account' (A102): cancels, closes, and books the account to its start balance. The history stays. A
 * restricted account cannot be reset, because that would undo what staff froze.
 */
import { asMoney } from '../money.ts';
import { ownPayments } from '../states.ts';
import { Changes } from './changes.ts';
import { closeOutAccount } from './closing.ts';
import { type Context, type Decision, type ResetCommand, refuse } from './commands.ts';
import { bookFunds, isReason } from './funds.ts';
import { endingRefusal } from './price-hold.ts';
import type { Account } from './types.ts';

export function decideReset(
  account: Account,
  { startBalance, reason }: ResetCommand,
  context: Context,
): Decision {
  if (reason !== undefined && !isReason(reason)) return refuse({ code: 'reason_required' });
  if (account.restricted) return refuse({ code: 'account_restricted' });
  const refusal = endingRefusal(account, context.market);
  if (refusal) return refuse(refusal);
  const changes = new Changes(account.wallet, context);
  closeOutAccount(account, changes, 'manual', context);
  bookFunds(changes, asMoney(startBalance - changes.wallet.available), ownPayments.reset);
  if (reason !== undefined) changes.notify('account_reset');
  return { outcome: 'accepted', subject: { kind: 'account' }, effects: changes.effects() };
}
