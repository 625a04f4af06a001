/**
 * Decides the challenge of an account at the marks of one instant: it goes on, or it ends with the account. Invariants: the verdict is of the
 * account as it is here, so a command that came first counts; everything closes at the marks that decided; without a verdict
 * nothing changes.
 */
import { judgeChallenge } from '../programs/challenge.ts';
import { Changes } from './changes.ts';
import { closeOutAccount } from './closing.ts';
import { type Context, type Decision, type JudgeCommand, refuse } from './commands.ts';
import { equityOf } from './equity.ts';
import { type Account, balanceOf } from './types.ts';

export function decideJudge(
  account: Account,
  { at, step, state, endsDay }: JudgeCommand,
  context: Context,
): Decision {
  if (context.limits?.setBy !== 'challenge') return refuse({ code: 'not_due' });
  const { wallet } = account;
  const equity = equityOf(wallet, account.openPositions(), context.market);
  const verdict = judgeChallenge(step, state, { at, balance: balanceOf(wallet), equity }, endsDay);
  if (!verdict) return refuse({ code: 'not_due' });
  const changes = new Changes(wallet, context);
  closeOutAccount(account, changes, 'program_end', context);
  changes.judge(verdict);
  changes.notify(verdict.outcome === 'passed' ? 'challenge_passed' : 'challenge_failed');
  return { outcome: 'accepted', subject: { kind: 'account' }, effects: changes.effects() };
}
