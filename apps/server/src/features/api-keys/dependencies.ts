/** What the parts of the feature share; they import it from here and never `index.ts`. */
import type { ApiKeyGrant, SignedIn } from '@fulcrum/contract';
import type { RuleSetName } from '@fulcrum/domain';
import type { Config } from '../../platform/config/index.ts';
import type { Secrets } from '../../platform/config/secrets.ts';
import type { Services } from '../../platform/services.ts';
import type { Identity } from '../identity/index.ts';

export interface ApiKeyDependencies extends Services {
  readonly config: Pick<Config, 'rules' | 'demo'>;
  readonly secrets: Pick<Secrets, 'apiKeysKey'>;
  readonly identity: Pick<Identity, 'findDemoUser'>;
}

/** A live key. */
export interface ApiKey extends ApiKeyGrant {
  readonly apiKey: string;
  /** In clear: for a signature, and for nothing that leaves the process. */
  readonly secret: string;
  readonly accountId: string;
  readonly userId: string;
  /** The rule set of the key's account. */
  readonly rules: RuleSetName;
  /** Ready for procedures and writes. */
  readonly caller: SignedIn;
  /** Whether it works from an address, in any notation. */
  allows(address: string): boolean;
}
