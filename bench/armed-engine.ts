/** An engine in memory with so many armed triggers, behind a hub: the target of the ticks of `ticks.ts` and `feed.ts`. */
import { randomUUID } from 'node:crypto';
import { asPercent, asPrice, type MarketView, parseDecimal } from '@fulcrum/domain';
import type { Hub } from '../apps/server/src/features/market/hub.ts';
import { Engine } from '../apps/server/src/features/trading/engine/engine.ts';
import { defaultLimits } from '../apps/server/src/features/trading/engine/limits.ts';
import type { Store } from '../apps/server/src/features/trading/engine/store.ts';
import type { Bus } from '../apps/server/src/platform/bus/index.ts';
import { systemClock } from '../apps/server/src/platform/clock/index.ts';
import { ArmedPositionStore, triggersPerPosition } from './armed-positions.ts';
import { benchLog } from './cluster.ts';

/** As `features/trading` sees the market. */
const viewOf = (hub: Hub, now: number): MarketView => ({
  pair: () => undefined,
  quote: (symbol) => {
    const last = hub.price(symbol);
    if (!last) return undefined;
    const { price, held, marketOpen } = last;
    return { price: asPrice(price), stale: hub.isStale(symbol, now), held, marketOpen };
  },
});

/** An engine in memory that has started, with the limits of production. */
export async function startEngine(
  store: Store,
  bus: Bus,
  marketAt: (now: number) => MarketView,
): Promise<Engine> {
  const engine = new Engine({
    ...{ store, clock: systemClock, bus, log: benchLog, newId: randomUUID, marketAt },
    ...{ rules: 'standard', priceTolerance: asPercent(parseDecimal('0.5')), limits: defaultLimits },
  });
  await engine.start();
  return engine;
}

/** Resolves when all are armed. @throws Error when they are not */
export async function createArmedEngine(hub: Hub, bus: Bus, triggers: number): Promise<Engine> {
  const users = Array.from({ length: 1000 }, () => randomUUID());
  const store = new ArmedPositionStore(triggers / triggersPerPosition, users);
  const engine = await startEngine(store, bus, (now) => viewOf(hub, now));
  const { armed } = engine.state();
  if (armed !== triggers) throw new Error(`${armed} of ${triggers} are armed`);
  return engine;
}
