/** What the handlers of orders and of the account need besides the routes. */
import type { Market } from '../../../features/market/index.ts';
import type { Trading } from '../../../features/trading/index.ts';
import type { Duties } from '../../../platform/duties/shared-duties.ts';
import type { FairQueue } from '../../../platform/fair-queue.ts';
import type { Services } from '../../../platform/services.ts';
import type { Symbols } from '../symbols.ts';
import type { Arrivals } from './arrivals.ts';
import type { OrderReads } from './order-reads.ts';

/** What the door takes of the server for them. */
export interface TradingServices extends Services {
  readonly market: Pick<Market, 'pair' | 'pairs' | 'isListed' | 'price' | 'isStale'>;
  readonly trading: Pick<Trading, 'procedures' | 'writes' | 'engine' | 'state'>;
  readonly withReadSlot: FairQueue;
  /** Left out: this server is alone on its database. */
  readonly duties?: Duties;
}

export interface OrderDependencies extends TradingServices {
  readonly symbols: Symbols;
  readonly reads: OrderReads;
  readonly arrivals: Arrivals;
}
