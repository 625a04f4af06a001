/** What the exchange's door needs of API keys. */
import type { ApiKey, ApiKeys } from '../../features/api-keys/index.ts';

export type DoorKey = ApiKey;
export type DoorKeys = Pick<ApiKeys, 'isWellFormed' | 'find' | 'markUsed' | 'onRevoked'>;
