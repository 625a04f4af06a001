/** What the parts of the programs need; they import it from here and never `index.ts`. */
import type { Config } from '../../platform/config/index.ts';
import type { Secrets } from '../../platform/config/secrets.ts';
import type { Duties } from '../../platform/duties/shared-duties.ts';
import type { Services } from '../../platform/services.ts';
import type { Market, MarketProof } from '../market/index.ts';
import type { Trading } from '../trading/index.ts';

export interface ProgramsDependencies extends Services {
  readonly config: Pick<Config, 'tradingFeeRate'>;
  readonly secrets: Pick<Secrets, 'certificatesKey'>;
  readonly duties: Duties;
  readonly market: Pick<Market, 'price' | 'sourceOf' | 'pair' | 'pairs' | 'isStale'>;
  readonly marketProof: MarketProof;
  readonly trading: Pick<Trading, 'engine' | 'reload' | 'state'>;
}
