/** Orders and account: their handlers share what reads orders and knows symbols. */
import type { accountRoutes, orderRoutes } from '@fulcrum/contract/exchange';
import { createAccountHandlers } from './account/index.ts';
import type { HandlersOf } from './handlers.ts';
import { createArrivals } from './orders/arrivals.ts';
import { createCountdowns } from './orders/countdowns.ts';
import type { OrderDependencies, TradingServices } from './orders/dependencies.ts';
import { createOrderHandlers } from './orders/index.ts';
import { createOrderReads } from './orders/order-reads.ts';
import type { Symbols } from './symbols.ts';

type Handlers = HandlersOf<typeof accountRoutes> & HandlersOf<typeof orderRoutes>;

export function createTradingHandlers(services: TradingServices & { readonly symbols: Symbols }): {
  readonly handlers: Handlers;
  start(): void;
  stop(): Promise<void>;
} {
  const { db, clock, bus, timers } = services;
  const arrivals = createArrivals(bus, timers);
  const deps: OrderDependencies = {
    ...services,
    reads: createOrderReads(db, () => clock.now()),
    arrivals,
  };
  const countdowns = createCountdowns(deps);
  return {
    handlers: { ...createAccountHandlers(deps), ...createOrderHandlers(deps, countdowns) },
    start: () => countdowns.start(),
    stop: async () => {
      arrivals.stop();
      await countdowns.stop();
    },
  };
}
