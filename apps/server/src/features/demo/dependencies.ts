/** What the parts of the demo share. */
import type { Config } from '../../platform/config/index.ts';
import type { Services } from '../../platform/services.ts';
import type { Market } from '../market/index.ts';
import type { Trading } from '../trading/index.ts';

export interface DemoDependencies extends Pick<Services, 'db' | 'clock' | 'bus' | 'log'> {
  readonly config: Pick<Config, 'tradingFeeRate'>;
  readonly market: Pick<Market, 'candles' | 'pair'>;
  readonly trading: Pick<Trading, 'beginPast'>;
}
