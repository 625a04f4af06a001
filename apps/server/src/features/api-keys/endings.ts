/**
 * Announces the end of keys: revoked here or elsewhere, expired, or gone with their account or user. Invariants: the bus carries every
 * end of this process right after its commit, and every other one within `pollEveryMs`; a row of the database says what ended,
 * except for a deleted account.
 */
import { BoundedMap } from '../../platform/cache/bounded-map.ts';
import type { ApiKeyDependencies } from './dependencies.ts';

const pollEveryMs = 2_000;
/** Longer than the database may be away without this process giving up. */
const lookbackMs = 120_000;
const announcedMax = 10_000;
const deletionsMax = 1_000;

export function createEndings(
  { db, bus, clock, timers, log }: Pick<ApiKeyDependencies, 'db' | 'bus' | 'clock' | 'timers' | 'log'>,
  invalidate: () => void,
) {
  const announced = new BoundedMap<string, true>(announcedMax);
  /** Keys of users whose deletion is under way. */
  const ofDeleted = new BoundedMap<string, readonly string[]>(deletionsMax);
  const pending = new Set<Promise<void>>();
  let startedAtMs = 0;

  function announce(keyIds: readonly string[]): void {
    invalidate();
    for (const keyId of keyIds) {
      if (announced.has(keyId)) continue;
      announced.set(keyId, true);
      bus.publish('api_key.ended', { keyId });
    }
  }

  async function announceRead(condition: string, values: readonly unknown[], name: string): Promise<void> {
    try {
      const { rows } = await db.query<{ id: string }>(
        `select k.id from app.api_keys k join app.trading_accounts a on a.id = k.account_id where ${condition}`,
        values,
        name,
      );
      if (rows.some(({ id }) => !announced.has(id))) announce(rows.map(({ id }) => id));
    } catch (error) {
      // The keys are refused already; the next poll reaches back far enough.
      log.debug({ err: error }, 'reading ended API keys failed');
    }
  }

  /** Keeps the work that no request waits for, so that a stop can. */
  function track(work: Promise<void>): void {
    pending.add(work);
    void work.finally(() => pending.delete(work));
  }

  const poll = (): void =>
    track(
      announceRead(
        'k.revoked_at > $1 or (k.revoked_at is null and k.expires_at > $1 and k.expires_at <= $2)',
        [new Date(Math.max(startedAtMs, clock.now() - lookbackMs)), new Date(clock.now())],
        'ended_api_keys',
      ),
    );

  const unsubscribe = [
    bus.subscribe('account.archived', ({ accountId }) => {
      invalidate();
      track(announceRead('k.account_id = $1 and k.revoked_at is not null', [accountId], 'keys_of_account'));
    }),
    bus.subscribe('role.changed', ({ userId }) => {
      invalidate();
      track(announceRead('a.owner_id = $1 and k.revoked_at is not null', [userId], 'keys_of_user'));
    }),
  ];
  let stopPolling: () => void = () => undefined;

  return {
    announce,
    /** The deletion of a user takes the rows along, so they are read before. */
    deletions: {
      async prepare(userId: string): Promise<void> {
        const { rows } = await db.query<{ id: string }>(
          'select k.id from app.api_keys k join app.trading_accounts a on a.id = k.account_id where a.owner_id = $1',
          [userId],
        );
        ofDeleted.setNewest(
          userId,
          rows.map(({ id }) => id),
        );
      },
      announce(userId: string): void {
        announce(ofDeleted.get(userId) ?? []);
        ofDeleted.delete(userId);
      },
    },
    start(): void {
      startedAtMs = clock.now();
      stopPolling = timers.every(pollEveryMs, poll);
    },
    async stop(): Promise<void> {
      stopPolling();
      for (const end of unsubscribe) end();
      await Promise.all(pending);
    },
  };
}
