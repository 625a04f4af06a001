/**
 * 'Reset account' (A102). It is one decision of the engine, and every other command waits for it. So it costs the
 * user's rate one unit for every position and order that it ends, and the resets of an account per hour are limited.
 * Invariant: a failed reset, and the repeat of a successful one, cost nothing.
 */

import { AppError, type ArgsOf, type SignedIn, texts } from '@fulcrum/contract';
import { type AccountKind, asMoney } from '@fulcrum/domain';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { isWaitingSql } from '../../platform/database/row-scope.ts';
import { defaultLimits } from '../../platform/limits/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { countAttempt, refundAttempt } from '../../platform/rate-limit/window-counter.ts';
import { refuseWhileImpersonating } from '../identity/index.ts';
import { findStartBalance } from '../wallet/index.ts';
import { toCommandOrigin } from './authority.ts';
import { createIdempotencyKey } from './command-input.ts';
import type { Engine } from './engine/engine.ts';
import type { Answer } from './engine/store.ts';
import { findStoredAnswer } from './stored-answer.ts';

const { resetOfAccount } = defaultLimits;

export interface ResetDependencies {
  readonly engine: Pick<Engine, 'submit'>;
  readonly db: Database;
  readonly config: Pick<Config, 'allowReset' | 'signupBalance'>;
  readonly now: () => Date;
  /** Charges a user for the actual cost of a request, in addition to the request. */
  readonly chargeRate: (userId: string, units: number) => void;
  readonly log: Log;
}

export function createReset({ engine, db, config, now, chargeRate, log }: ResetDependencies) {
  /**
   * Resets to the balance that the account was opened with, else to that of a new one.
   * @throws AppError `not_allowed` where the operator does not allow it, and during impersonation; TooManyAttempts. A practice
   * account is reset wherever it is.
   */
  return async (caller: SignedIn, args: ArgsOf<'reset_account'>): Promise<Answer> => {
    refuseWhileImpersonating(caller);
    const { accountId } = caller;
    const kind = await kindOf(db, accountId);
    // What belongs to a class or a program keeps its money and its history.
    if (kind !== 'practice' && kind !== 'main') {
      throw new AppError(
        'not_allowed',
        {
          class: texts.classResetNotAllowed,
          contest: texts.contestResetNotAllowed,
          challenge: texts.challengeResetNotAllowed,
        }[kind],
      );
    }
    if (!config.allowReset && kind !== 'practice') {
      throw new AppError('not_allowed', texts.resetNotAllowed);
    }
    const key = createIdempotencyKey(accountId, 'reset_account', args.p_client_id, []);
    const storedAnswer = await findStoredAnswer(db, key);
    if (storedAnswer) return storedAnswer;
    await countAttempt(db, resetOfAccount, accountId, now());
    try {
      const startBalance = asMoney((await findStartBalance(db, accountId)) ?? config.signupBalance);
      const units = await countEndedByReset(db, accountId);
      const answer = await engine.submit(toCommandOrigin(caller), { kind: 'reset', startBalance }, key);
      chargeRate(caller.userId, units);
      return answer;
    } catch (error) {
      await refundAttempt(db, log, resetOfAccount, accountId);
      throw error;
    }
  };
}

async function kindOf(db: Database, accountId: string): Promise<AccountKind> {
  const { rows } = await db.query<{ kind: AccountKind }>(
    'select kind from app.trading_accounts where id = $1',
    [accountId],
    'kind_of_account',
  );
  return rows[0]?.kind ?? 'main';
}

/** Open positions and waiting orders of the account. */
async function countEndedByReset(db: Database, accountId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select ((select count(*) from app.positions where user_id = $1 and status = 'open')
           + (select count(*) from app.orders where user_id = $1 and ${isWaitingSql('status')}))::int as count`,
    [accountId],
    'ended_by_reset',
  );
  return rows[0]?.count ?? 0;
}
