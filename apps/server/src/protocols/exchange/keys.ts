/** What the exchange's door needs of API keys. */
import type { SignedIn } from '@fulcrum/contract';
import type { RuleSetName } from '@fulcrum/domain';

export interface DoorKey {
  readonly id: string;
  readonly apiKey: string;
  /** In clear text: the signature needs it. */
  readonly secret: string;
  readonly scopes: ReadonlySet<'read' | 'trade'>;
  readonly accountId: string;
  readonly userId: string;
  /** Of the account. */
  readonly rules: RuleSetName;
  readonly caller: SignedIn;
  allows(address: string): boolean;
}

export interface DoorKeys {
  isWellFormed(apiKey: string): boolean;
  /** Null for one that is unknown, revoked, expired, or of an account that has ended. */
  find(apiKey: string): Promise<DoorKey | null>;
  markUsed(key: DoorKey, address: string): void;
  /** Calls `listener` with the id of each key that ends. Returns what ends that. */
  onRevoked(listener: (keyId: string) => void): () => void;
}
