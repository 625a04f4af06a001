/** Records the last use of keys, at most once a minute each, beside the request. */
import { minuteMs } from '@fulcrum/domain';
import { BoundedMap } from '../../platform/cache/bounded-map.ts';
import { bareAddress } from '../../platform/ip-addresses.ts';
import type { ApiKey, ApiKeyDependencies } from './dependencies.ts';

const keysMax = 10_000;

export function createUses({ db, clock, log }: Pick<ApiKeyDependencies, 'db' | 'clock' | 'log'>) {
  const recordedAtMs = new BoundedMap<string, number>(keysMax);
  const writing = new Set<Promise<void>>();

  async function write(keyId: string, address: string, nowMs: number): Promise<void> {
    try {
      // Another process may have written it within this minute.
      await db.query(
        `update app.api_keys set last_used_at = $2, last_used_address = $3
         where id = $1 and (last_used_at is null or last_used_at <= $4)`,
        [keyId, new Date(nowMs), bareAddress(address), new Date(nowMs - minuteMs)],
        'use_api_key',
      );
    } catch (error) {
      // The request goes on; the next use writes again.
      recordedAtMs.delete(keyId);
      log.warn({ err: error }, 'the last use of an API key could not be recorded');
    }
  }

  return {
    record({ id }: Pick<ApiKey, 'id'>, address: string): void {
      const nowMs = clock.now();
      const lastMs = recordedAtMs.get(id);
      if (lastMs !== undefined && Math.abs(nowMs - lastMs) < minuteMs) return;
      recordedAtMs.setNewest(id, nowMs);
      const work = write(id, address, nowMs);
      writing.add(work);
      void work.finally(() => writing.delete(work));
    },
    /** Resolves when nothing is being written. */
    idle: () => Promise.all(writing),
  };
}
