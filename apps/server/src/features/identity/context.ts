/** Shared dependencies of this feature: clock, database, hashes, and counted attempts. */
import { AppError } from '@fulcrum/contract';
import { checkNewPassword } from '@fulcrum/domain';
import type { ClusterLink } from '../../platform/cluster/link.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Secrets } from '../../platform/config/secrets.ts';
import type { WindowLimit } from '../../platform/limits/declarations.ts';
import { defaultLimits } from '../../platform/limits/index.ts';
import { countAttempt, refundAttempt } from '../../platform/rate-limit/window-counter.ts';
import type { Services } from '../../platform/services.ts';
import { createAccessTokens } from './access-tokens.ts';
import { createActiveUsers } from './active-users.ts';
import { createAddressQueues } from './address-queues.ts';
import { createAssignmentCache } from './assignment-cache.ts';
import { IdentityError } from './errors.ts';
import { createPasswords, type PasswordCost } from './passwords.ts';
import { createRefreshTokens } from './refresh-tokens.ts';
import { createRevocations } from './revocations.ts';

export interface IdentityDependencies extends Pick<Services, 'db' | 'clock' | 'timers' | 'bus' | 'log'> {
  /** In a cluster. */
  readonly link?: Pick<ClusterLink, 'publish' | 'subscribe'> | undefined;
  /** `limits`: default, those of the table. */
  readonly config: Pick<Config, 'demo'> & Partial<Pick<Config, 'limits'>>;
  readonly secrets: Pick<Secrets, 'jwtSecret' | 'anonKey'>;
  readonly passwordCost?: PasswordCost;
}

export type Context = ReturnType<typeof createContext>;

export function createContext({ db, config, secrets, clock, bus, log, passwordCost }: IdentityDependencies) {
  const revocations = createRevocations({ db, bus, clock, log });
  const limits = config.limits ?? defaultLimits;
  return {
    db,
    config,
    limits,
    anonKey: secrets.anonKey,
    bus,
    clock,
    log,
    assignments: createAssignmentCache({ db, clock }),
    passwords: createPasswords(passwordCost),
    withAddressSlot: createAddressQueues(limits),
    accessTokens: createAccessTokens(secrets.jwtSecret, clock),
    refreshTokens: createRefreshTokens(secrets.jwtSecret),
    revocations,
    activeUsers: createActiveUsers(revocations),
    now: () => new Date(clock.now()),
    /**
     * Runs `work` as one attempt of `subject`. Refunds an attempt that failed with `busy`: nothing was guessed, and the user
     * will retry.
     * @throws TooManyAttempts, and what `work` throws
     */
    async attempt<T>(limit: WindowLimit, subject: string, work: () => Promise<T>): Promise<T> {
      await countAttempt(db, limit, subject, new Date(clock.now()));
      try {
        return await work();
      } catch (error) {
        if (error instanceof AppError && error.code === 'busy') await refundAttempt(db, log, limit, subject);
        throw error;
      }
    },
  };
}

/** @throws AccountError `password_weak` */
export function requireStrong(password: string): void {
  const objection = checkNewPassword(password);
  if (objection !== null) throw new IdentityError('password_weak', objection);
}
