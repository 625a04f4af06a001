/**
 * Staff deposit or withdraw funds, or set the balance (A12). The caller has checked that the account is a trader's. Locked funds cannot
 * be withdrawn.
 */

import { asMoney } from '../money.ts';
import { Changes } from './changes.ts';
import { type AdjustCommand, type Context, type Decision, refuse } from './commands.ts';
import { bookFunds, isReason, MAX_FUNDS } from './funds.ts';
import { type Account, balanceOf } from './types.ts';

export function decideAdjust({ wallet }: Account, command: AdjustCommand, context: Context): Decision {
  const { reason, description, sets } = command;
  if (!isReason(reason)) return refuse({ code: 'reason_required' });
  const amount = sets === 'balance' ? asMoney(command.amount - balanceOf(wallet)) : command.amount;
  if (sets === 'balance' && command.amount < 0n) return refuse({ code: 'funds_amount_invalid' });
  if (sets === 'balance' && amount === 0n) return refuse({ code: 'funds_unchanged' });
  if (amount === 0n || amount > MAX_FUNDS || amount < -MAX_FUNDS) {
    return refuse({ code: 'funds_amount_invalid' });
  }
  const { available } = wallet;
  if (available + amount < 0n) return refuse({ code: 'funds_beyond_available', available });

  const changes = new Changes(wallet, context);
  bookFunds(changes, amount, description ?? (amount > 0n ? 'Deposit' : 'Withdrawal'));
  changes.notify('funds_changed', { amount });
  return { outcome: 'accepted', subject: { kind: 'account' }, effects: changes.effects() };
}
