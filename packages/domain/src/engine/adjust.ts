/**
 * Staff deposit or withdraw funds (A12). The caller has checked that the account is a trader's. Locked funds cannot
 * be withdrawn.
 */

import { Changes } from './changes.ts';
import { type AdjustCommand, type Context, type Decision, refuse } from './commands.ts';
import { bookFunds, isReason, MAX_FUNDS } from './funds.ts';
import type { Account } from './types.ts';

export function decideAdjust({ wallet }: Account, command: AdjustCommand, context: Context): Decision {
  const { amount, reason, description } = command;
  if (!isReason(reason)) return refuse({ code: 'reason_required' });
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
