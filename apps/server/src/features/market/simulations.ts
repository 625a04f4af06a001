/**
 * Makes simulated feeds that go on from what was known before: a market that takes over from a live one begins at its last
 * price, by a factor on the whole path, which is kept for the starts that follow.
 * Invariant: as long as the last price is a simulated one, its factor stays, so a restart moves no price.
 */
import { toNumber } from '@fulcrum/domain';
import type { Timers } from '../../platform/clock/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { ListedPair } from './catalogue/index.ts';
import { createSimulatedFeed, type SimulatedFeed } from './feeds/simulated/index.ts';
import type { MarketPrice } from './price.ts';
import { isProvider } from './price-state.ts';
import { readScales, readShocks, writeScales } from './simulation-store.ts';
import { createTurns } from './turns.ts';

export interface SimulationOptions {
  readonly db: Database;
  readonly seed: string;
  readonly sessions: Config['sessions'];
  readonly timers: Timers;
  /** The last known price, of whatever source. */
  readonly lastPriceOf: (symbol: string) => MarketPrice | undefined;
}

export type Simulate = (pairs: readonly ListedPair[]) => Promise<SimulatedFeed>;

export function createSimulations({ db, seed, sessions, timers, lastPriceOf }: SimulationOptions): Simulate {
  // Several feeds of one market are as costly as one.
  const turns = createTurns();

  return async (pairs) => {
    const shocks = await readShocks(db);
    const make = (scaled: readonly ListedPair[], scales: ReadonlyMap<string, number>) =>
      createSimulatedFeed({ seed, sessions, pairs: scaled, timers, shocks, scales, turns });
    const lasts = new Map(
      pairs.flatMap((pair) => {
        const last = lastPriceOf(pair.symbol);
        return last ? [[pair.symbol, last] as const] : [];
      }),
    );
    const scales = new Map(
      [...(await readScales(db))].filter(([symbol]) => lasts.get(symbol)?.source === 'simulated'),
    );
    const takenOver = pairs.filter(({ symbol }) => {
      const last = lasts.get(symbol);
      return last !== undefined && isProvider(last.source);
    });
    const now = timers.now();
    const unscaled = make(takenOver, new Map());
    const fresh = new Map<string, number>();
    for (const { symbol } of takenOver) {
      const last = lasts.get(symbol);
      const simulated = unscaled.priceAt(symbol, now);
      if (last && simulated !== null) fresh.set(symbol, toNumber(last.price) / simulated);
    }
    await writeScales(db, fresh, now);
    return make(pairs, new Map([...scales, ...fresh]));
  };
}
