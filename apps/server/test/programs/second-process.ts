/** The jobs of programs as a second process on the same database runs them. */
import { createMarketProof } from '../../src/features/market/index.ts';
import type { ProgramsDependencies } from '../../src/features/programs/dependencies.ts';
import { createPrograms } from '../../src/features/programs/index.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { realTimers } from '../../src/platform/clock/index.ts';
import { allDuties } from '../../src/platform/duties/shared-duties.ts';
import { testLog } from '../harness/database.ts';
import type { TradingServer } from '../trading/trading-server.ts';

type Floor = Pick<TradingServer, 'db' | 'clock' | 'server'>;

export function secondProcess({ db, clock, server }: Floor): ProgramsDependencies {
  const { market, trading, secrets } = server;
  const marketProof = createMarketProof({
    config: { priceFeed: { kind: 'simulated', seed: null }, sessions: null },
    marketKey: Buffer.from(secrets.marketKey, 'base64url'),
  });
  return {
    ...{ db, clock, timers: realTimers(clock), bus: createBus(testLog), log: testLog, duties: allDuties },
    ...{ config: { tradingFeeRate: 0n }, market, marketProof, trading, secrets },
  };
}

export const createSecondPrograms = (floor: Floor) => createPrograms(secondProcess(floor));
