/** An engine in memory with so many armed triggers, over a hub: what `ticks.ts` and `feed.ts` show ticks to. */
import { randomUUID } from 'node:crypto';
import { asFeeRate, asPercent, asPrice, type MarketView, parseDecimal } from '@fulcrum/domain';
import type { Hub } from '../apps/server/src/features/market/hub.ts';
import { Engine } from '../apps/server/src/features/trading/engine/engine.ts';
import { defaultLimits } from '../apps/server/src/features/trading/engine/limits.ts';
import type { Bus } from '../apps/server/src/platform/bus/index.ts';
import { systemClock } from '../apps/server/src/platform/clock/index.ts';
import { benchLog } from './cluster.ts';
import { triggersPerPosition, WaitingStore } from './waiting.ts';

/** As `features/trading` sees the market. */
const viewOf = (hub: Hub, now: number): MarketView => ({
  pair: () => undefined,
  quote: (wanted) => {
    const last = hub.price(wanted);
    if (!last) return undefined;
    return { price: asPrice(last.price), stale: hub.isStale(wanted, now), marketOpen: last.marketOpen };
  },
});

/** Resolves when all are armed. @throws Error when they are not */
export async function waitingEngine(hub: Hub, bus: Bus, triggers: number): Promise<Engine> {
  const users = Array.from({ length: 1000 }, () => randomUUID());
  const engine = new Engine({
    store: new WaitingStore(triggers / triggersPerPosition, users),
    clock: systemClock,
    bus,
    log: benchLog,
    newId: randomUUID,
    rules: 'standard',
    feeRate: asFeeRate(0n),
    priceTolerance: asPercent(parseDecimal('0.5')),
    limits: defaultLimits,
    marketAt: (now) => viewOf(hub, now),
  });
  await engine.start();
  const { armed } = engine.state();
  if (armed !== triggers) throw new Error(`${armed} of ${triggers} are armed`);
  return engine;
}
