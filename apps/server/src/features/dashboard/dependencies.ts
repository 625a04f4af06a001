/** What the parts of the dashboard need; they import it from here and never `index.ts`. */
import type { Services } from '../../platform/services.ts';
import type { Market } from '../market/index.ts';

export interface DashboardDependencies extends Pick<Services, 'db' | 'timers' | 'log'> {
  readonly market: Pick<Market, 'pairs' | 'isListed' | 'price' | 'candles' | 'ticks'>;
  /** Of this installation: the same seed and the same hours generate the same content. */
  readonly seed: string;
}
