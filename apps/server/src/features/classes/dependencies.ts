/** What the parts of the classes need; they import it from here and never `index.ts`. */
import type { Config } from '../../platform/config/index.ts';
import type { FairQueue } from '../../platform/fair-queue.ts';
import type { Services } from '../../platform/services.ts';
import type { Market } from '../market/index.ts';

export interface ClassesDependencies extends Pick<Services, 'db' | 'clock' | 'bus' | 'log'> {
  readonly config: Pick<Config, 'tradingFeeRate'>;
  /** Reads these accounts again, after a change from outside the engine. */
  readonly reload: (accountIds: Iterable<string>) => void;
  /** Called when mails were queued. */
  readonly wakeMails: () => void;
  readonly market: Pick<Market, 'price' | 'pair'>;
  /** Limits concurrent large reads. */
  readonly withReadSlot: FairQueue;
}
