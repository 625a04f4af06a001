/**
 * Listen keys (one for each API key): the id of the API key and a keyed checksum of it and a stored salt. Invariants: a listen key that was
 * closed or ran out is never valid again; it ends with its API key; the database alone does not yield one.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { streamRoutes } from '@fulcrum/contract/exchange';
import { hourMs } from '@fulcrum/domain';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { ExchangeError } from '../errors.ts';
import type { HandlersOf } from '../handlers.ts';
import type { DoorKey, DoorKeys } from '../keys.ts';

const validMs = hourMs;
const form = /^[0-9a-f]{96}$/;

const noListenKey = () => new ExchangeError(400, -1125, 'This listenKey does not exist.');

interface StoredListenKey {
  readonly salt: Buffer;
  readonly expiresAt: Date;
}

interface ListenKeysOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly keys: Pick<DoorKeys, 'find'>;
  readonly serverKey: string;
  /** Called when the listen keys of API keys end before their time. */
  readonly onClosed: (keyId: string) => void;
}

export function createListenKeys({ db, clock, keys, serverKey, onClosed }: ListenKeysOptions) {
  const key = Buffer.from(hkdfSync('sha256', serverKey, '', 'fulcrum listen keys', 32));

  function textOf(keyId: string, salt: Buffer): string {
    const mac = createHmac('sha256', key).update(keyId).update(salt).digest('hex');
    return keyId.replaceAll('-', '') + mac;
  }
  const inAnHour = () => new Date(clock.now() + validMs);

  const handlers: HandlersOf<typeof streamRoutes> = {
    async startUserStream({ key: { id } }) {
      const { rows } = await db.query<StoredListenKey>(
        `insert into app.listen_keys as k (key_id, salt, expires_at) values ($1, $2, $3)
         on conflict (key_id) do update set expires_at = excluded.expires_at,
           salt = case when k.expires_at > $4 then k.salt else excluded.salt end
         returning salt, expires_at as "expiresAt"`,
        [id, randomBytes(16), inAnHour(), new Date(clock.now())],
        'start_listen_key',
      );
      return { listenKey: textOf(id, rows[0]?.salt ?? Buffer.alloc(0)) };
    },
    async extendUserStream({ key: { id } }) {
      const { rows } = await db.query<StoredListenKey>(
        `update app.listen_keys set expires_at = $2 where key_id = $1 and expires_at > $3
         returning salt, expires_at as "expiresAt"`,
        [id, inAnHour(), new Date(clock.now())],
        'extend_listen_key',
      );
      const [stored] = rows;
      if (!stored) throw noListenKey();
      return { listenKey: textOf(id, stored.salt) };
    },
    async closeUserStream({ key: { id } }) {
      await db.query('delete from app.listen_keys where key_id = $1', [id], 'close_listen_key');
      onClosed(id);
      return {};
    },
  };

  return {
    handlers,
    /** The API key that a valid listen key stands for; null for any other text. */
    async find(listenKey: string): Promise<DoorKey | null> {
      if (!form.test(listenKey)) return null;
      const hex = listenKey.slice(0, 32);
      const keyId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
      const { rows } = await db.query<StoredListenKey & { readonly apiKey: string }>(
        `select l.salt, l.expires_at as "expiresAt", k.api_key as "apiKey"
         from app.listen_keys l join app.api_keys k on k.id = l.key_id where l.key_id = $1`,
        [keyId],
        'find_listen_key',
      );
      const [stored] = rows;
      if (!stored || stored.expiresAt.getTime() <= clock.now()) return null;
      const expected = Buffer.from(textOf(keyId, stored.salt));
      return timingSafeEqual(expected, Buffer.from(listenKey)) ? keys.find(stored.apiKey) : null;
    },
    /** The listen keys of `keyIds` that are valid now. */
    async filterValid(keyIds: readonly string[]): Promise<ReadonlySet<string>> {
      const { rows } = await db.query<{ readonly keyId: string; readonly salt: Buffer }>(
        `select key_id as "keyId", salt from app.listen_keys where key_id = any($1) and expires_at > $2`,
        [keyIds, new Date(clock.now())],
        'valid_listen_keys',
      );
      return new Set(rows.map(({ keyId, salt }) => textOf(keyId, salt)));
    },
  };
}
export type ListenKeys = ReturnType<typeof createListenKeys>;
