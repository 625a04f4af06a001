/** What the parts of this feature share: the outside world, the hashes, and counted attempts. */
import { AppError } from '@fulcrum/contract';
import { checkNewPassword } from '@fulcrum/domain';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Secrets } from '../../platform/config/secrets.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { createAccessTokens } from './access-tokens.ts';
import { createAssignments } from './assignments.ts';
import { type AttemptLimit, countAttempt, forgiveAttempt } from './attempts.ts';
import { createAttendance } from './attendance.ts';
import { AccountError } from './errors.ts';
import { createPasswords } from './passwords.ts';
import { createRefreshTokens } from './refresh-tokens.ts';
import { createRevocations } from './revocations.ts';

export interface AccountsDependencies {
  readonly db: Database;
  readonly config: Pick<Config, 'signupBalance' | 'demo'>;
  readonly secrets: Pick<Secrets, 'jwtSecret' | 'anonKey'>;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Log;
}

export type Context = ReturnType<typeof createContext>;

export function createContext({ db, config, secrets, clock, bus, log }: AccountsDependencies) {
  const revocations = createRevocations({ db, bus, clock, log });
  return {
    db,
    config,
    anonKey: secrets.anonKey,
    bus,
    clock,
    log,
    assignments: createAssignments({ db, clock }),
    passwords: createPasswords(),
    accessTokens: createAccessTokens(secrets.jwtSecret, clock),
    refreshTokens: createRefreshTokens(secrets.jwtSecret),
    revocations,
    attendance: createAttendance(revocations),
    now: () => new Date(clock.now()),
    /**
     * Runs `work` as one attempt of `subject`. One that the server was too busy to look at is given back: nothing was
     * guessed, and the person will try again.
     * @throws TooManyAttempts, and what `work` throws
     */
    async attempt<T>(limit: AttemptLimit, subject: string, work: () => Promise<T>): Promise<T> {
      await countAttempt(db, limit, subject, new Date(clock.now()));
      try {
        return await work();
      } catch (error) {
        if (error instanceof AppError && error.code === 'busy') await forgiveAttempt(db, limit, subject);
        throw error;
      }
    },
  };
}

/** @throws AccountError `password_weak` */
export function requireStrong(password: string): void {
  const objection = checkNewPassword(password);
  if (objection !== null) throw new AccountError('password_weak', objection);
}
