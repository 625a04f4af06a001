/** The jobs of programs as a second process on the same database runs them. */
import { createMarketProof } from '../../src/features/market/index.ts';
import { createPrograms } from '../../src/features/programs/index.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { realTimers } from '../../src/platform/clock/index.ts';
import { allDuties } from '../../src/platform/duties/shared-duties.ts';
import { testLog } from '../harness/database.ts';
import type { TradingServer } from '../trading/trading-server.ts';

export function createSecondPrograms(floor: Pick<TradingServer, 'db' | 'clock' | 'server'>) {
  const { market, trading, secrets } = floor.server;
  const marketProof = createMarketProof({
    config: { priceFeed: { kind: 'simulated', seed: null }, sessions: null },
    marketKey: Buffer.from(secrets.marketKey, 'base64url'),
  });
  return createPrograms({
    ...{ db: floor.db, clock: floor.clock, timers: realTimers(floor.clock), bus: createBus(testLog) },
    ...{
      log: testLog,
      duties: allDuties,
      config: { tradingFeeRate: 0n },
      market,
      marketProof,
      trading,
      secrets,
    },
  });
}
