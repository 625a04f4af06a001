/**
 * Finds live keys, with the account and the user behind them. Invariants: a found key was live at the call, because what ends a key in
 * this process empties the cache, and a read that began before is repeated; what ends it in another process counts within
 * `ttlMs`; keys in use are proven live before that, beside the requests, so these do not wait for it; a text that has not the form of a key reaches no database.
 */
import type { ApiKeyScope, SignedIn } from '@fulcrum/contract';
import type { RuleSetName } from '@fulcrum/domain';
import { createTtlCache } from '../../platform/cache/ttl-cache.ts';
import type { QueueLimits } from '../../platform/fair-queue.ts';
import { createGather } from '../../platform/gather.ts';
import { createAddressCheck } from './addresses.ts';
import { isWellFormed, type SecretBox } from './credentials.ts';
import type { ApiKey, ApiKeyDependencies } from './dependencies.ts';

export const ttlMs = 2_000;
const proveEveryMs = ttlMs / 2;
const keysMax = 10_000;
/** Keys of one statement. */
const gatheredMax = 200;

/** Of a door that looks keys up: one statement reads what waits, so many calls cost few connections. Fair to addresses. */
export const lookupLimits: QueueLimits = {
  runningMax: gatheredMax,
  runningOfOneMax: gatheredMax / 2,
  waitingMax: 600,
  waitingOfOneMax: 200,
};

interface StoredKey {
  readonly apiKey: string;
  readonly id: string;
  readonly secret: Buffer;
  readonly scopes: readonly ApiKeyScope[];
  readonly addresses: readonly string[];
  readonly expiresAt: Date | null;
  readonly accountId: string;
  readonly userId: string;
  readonly rules: RuleSetName | null;
}

interface FoundKey {
  readonly key: ApiKey;
  readonly expiresAtMs: number;
}

/** Of the keys of $1. What else a key is read with never changes. */
const liveKeysSql = `from app.api_keys k join app.trading_accounts a on a.id = k.account_id join app.users u on u.id = a.owner_id
       where k.api_key = any($1) and k.revoked_at is null and a.status = 'active' and u.role = 'trader'`;

export function createLookup(
  { db, clock, timers, log, config }: Pick<ApiKeyDependencies, 'db' | 'clock' | 'timers' | 'log' | 'config'>,
  box: SecretBox,
) {
  const cache = createTtlCache<FoundKey | null>(clock, { ttlMs, max: keysMax });
  /** Counts the endings, so that a read that one of them overtook is noticed. */
  let endings = 0;
  /** Live keys that were asked for since they were last proven. */
  let inUse = new Set<string>();

  const read = createGather(
    async (apiKeys: readonly string[]): Promise<(FoundKey | null)[]> => {
      const { rows } = await db.query<StoredKey>(
        `select k.api_key as "apiKey", k.id, k.secret, k.scopes, k.addresses, k.expires_at as "expiresAt", a.id as "accountId",
              a.owner_id as "userId", a.rules
       ${liveKeysSql}`,
        [apiKeys],
        'find_api_keys',
      );
      const stored = new Map(rows.map((row) => [row.apiKey, row]));
      return apiKeys.map((apiKey) => toFound(stored.get(apiKey)));
    },
    { itemsMax: gatheredMax },
  );

  function toFound(stored: StoredKey | undefined): FoundKey | null {
    const secret = stored && openSecret(stored);
    if (!stored || secret === undefined) return null;
    const { apiKey, id, accountId, userId, rules, addresses, expiresAt } = stored;
    const scopes: ReadonlySet<ApiKeyScope> = new Set(stored.scopes);
    const caller: SignedIn = {
      role: 'trader',
      userId,
      accountId,
      actorId: userId,
      sessionId: id,
      impersonationId: null,
      apiKey: { id, scopes },
    };
    return {
      key: {
        id,
        apiKey,
        secret,
        scopes,
        accountId,
        userId,
        rules: rules ?? config.rules,
        caller,
        allows: createAddressCheck(addresses),
      },
      expiresAtMs: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    };
  }

  /** Undefined for a secret of another installation: the database was restored without its `secrets.json`. */
  function openSecret({ id, secret }: StoredKey): string | undefined {
    try {
      return box.open(id, secret);
    } catch {
      log.warn({ api_key_id: id }, 'the secret of an API key cannot be decrypted; make a new key');
      return undefined;
    }
  }

  let isProving = false;
  async function proveInUse(): Promise<void> {
    // A slow database gets no second statement; keys that are not proven in time are read again.
    if (isProving) return;
    const requested = [...inUse];
    inUse = new Set();
    if (requested.length === 0) return;
    const [before, atMs] = [endings, clock.now()];
    isProving = true;
    try {
      const { rows } = await db.query<{ api_key: string }>(
        `select k.api_key ${liveKeysSql}`,
        [requested],
        'live_api_keys',
      );
      if (before === endings)
        cache.renew(
          rows.map((row) => row.api_key),
          atMs,
        );
    } catch (error) {
      // They are read again when they are asked for.
      log.debug({ err: error }, 'the API keys in use could not be proven live');
    } finally {
      isProving = false;
    }
  }
  let stopProving: () => void = () => undefined;

  return {
    start(): void {
      stopProving = timers.every(proveEveryMs, () => void proveInUse());
    },
    stop: () => stopProving(),
    /** Null for a text of another form, and for a key that is unknown or has ended. */
    async find(apiKey: string): Promise<ApiKey | null> {
      if (!isWellFormed(apiKey)) return null;
      for (;;) {
        const before = endings;
        const found = await cache.get(apiKey, () => read(apiKey));
        if (before !== endings) continue;
        if (found === null || found.expiresAtMs <= clock.now()) return null;
        inUse.add(apiKey);
        return found.key;
      }
    },
    /** After the commit of what ended a key. */
    invalidate(): void {
      endings += 1;
      cache.clear();
    },
  };
}
