/** Records the last use of keys, at most once a minute each, beside the request. */
import { minuteMs } from '@fulcrum/domain';
import { BoundedMap } from '../../platform/cache/bounded-map.ts';
import { createGather } from '../../platform/gather.ts';
import { bareAddress } from '../../platform/ip-addresses.ts';
import type { ApiKey, ApiKeyDependencies } from './dependencies.ts';

const keysMax = 10_000;

interface Use {
  readonly keyId: string;
  readonly at: Date;
  readonly address: string | null;
}

export function createUses({ db, clock, log }: Pick<ApiKeyDependencies, 'db' | 'clock' | 'log'>) {
  const recordedAtMs = new BoundedMap<string, number>(keysMax);
  const writing = new Set<Promise<void>>();

  const write = createGather(
    async (uses: readonly Use[]) => {
      // Another process may have written a use of this minute.
      await db.query(
        `update app.api_keys k set last_used_at = u.at, last_used_address = u.address
       from unnest($1::uuid[], $2::timestamptz[], $3::text[]) as u (id, at, address)
       where k.id = u.id and (k.last_used_at is null or k.last_used_at <= u.at - interval '1 minute')`,
        [uses.map(({ keyId }) => keyId), uses.map(({ at }) => at), uses.map(({ address }) => address)],
        'use_api_keys',
      );
      return uses.map(() => undefined);
    },
    { itemsMax: keysMax },
  );

  async function attempt(use: Use): Promise<void> {
    try {
      await write(use);
    } catch (error) {
      // The request goes on; the next use writes again.
      recordedAtMs.delete(use.keyId);
      log.warn({ err: error }, 'the last use of an API key could not be recorded');
    }
  }

  return {
    record({ id }: Pick<ApiKey, 'id'>, address: string): void {
      const nowMs = clock.now();
      const lastMs = recordedAtMs.get(id);
      if (lastMs !== undefined && Math.abs(nowMs - lastMs) < minuteMs) return;
      recordedAtMs.setNewest(id, nowMs);
      const work = attempt({ keyId: id, at: new Date(nowMs), address: bareAddress(address) });
      writing.add(work);
      void work.finally(() => writing.delete(work));
    },
    /** Resolves when nothing is being written. */
    idle: () => Promise.all(writing),
  };
}
