/**
 * API keys (A119): credentials of one trading account for programs, with scopes, addresses and an end. This file assembles the parts;
 * each states its own invariants: `credentials.ts`, `addresses.ts`, `lookup.ts`, `endings.ts`, `uses.ts`, `procedures.ts`.
 */
import { endDemoCredentials } from '../identity/index.ts';
import { createSecretBox, isWellFormed } from './credentials.ts';
import type { ApiKey, ApiKeyDependencies } from './dependencies.ts';
import { createEndings } from './endings.ts';
import { createLookup } from './lookup.ts';
import { createProcedures } from './procedures.ts';
import { createUses } from './uses.ts';

export { hasKeyPrefix, isSameSecret } from './credentials.ts';
export type { ApiKey } from './dependencies.ts';
export { lookupLimits } from './lookup.ts';

export interface ApiKeys {
  /** Null: unknown, malformed, revoked, expired, or its account has ended. The caller of it checks secret and address. */
  find(apiKey: string): Promise<ApiKey | null>;
  /** Whether the text has the form of a key. What has not is not ours: it is refused and never logged. */
  isWellFormed(apiKey: string): boolean;
  /** Records the use; at most one write a minute and key. */
  markUsed(key: ApiKey, address: string): void;
  readonly procedures: ReturnType<typeof createProcedures>;
  /** Calls the listener with the id of each key that ends in any way. The returned function ends that. */
  onRevoked(listener: (keyId: string) => void): () => void;
  /** What the deletion of a user means for their keys. */
  readonly deletions: { prepare(userId: string): Promise<void>; announce(userId: string): void };
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createApiKeys(deps: ApiKeyDependencies): ApiKeys {
  const { bus } = deps;
  const box = createSecretBox(deps.secrets.apiKeysKey);
  const lookup = createLookup(deps, box);
  const endings = createEndings(deps, lookup.invalidate);
  const uses = createUses(deps);
  return {
    find: lookup.find,
    isWellFormed,
    markUsed: uses.record,
    procedures: createProcedures(deps, box, endings.announce),
    onRevoked: (listener) => bus.subscribe('api_key.ended', ({ keyId }) => listener(keyId)),
    deletions: endings.deletions,
    async start() {
      if (!deps.config.demo) await endDemoCredentials(deps, 'app.api_keys');
      endings.start();
      lookup.start();
    },
    async stop() {
      lookup.stop();
      await endings.stop();
      await uses.idle();
    },
  };
}
