/** Processes of a cluster as far as the market goes: each with its own bus and link, on one database. */
import type { Tick } from '@fulcrum/contract';
import { expect, onTestFinished } from 'vitest';
import { type ClusterMarket, createClusterMarket } from '../../src/features/market/cluster/index.ts';
import type { MarketDependencies } from '../../src/features/market/index.ts';
import { type Bus, createBus } from '../../src/platform/bus/index.ts';
import { realTimers, systemClock } from '../../src/platform/clock/index.ts';
import { loadConfig } from '../../src/platform/config/index.ts';
import { createTestNetwork, type TestLink } from '../harness/cluster.ts';
import { eventually } from '../harness/eventually.ts';
import { createTestDatabase, type TestDatabase, testLog } from '../harness/index.ts';
import { killable } from '../harness/killable-database.ts';

export interface ClusterProcess {
  readonly market: ClusterMarket;
  readonly link: TestLink;
  readonly bus: Bus;
  /** Everything that the market published here, oldest first. */
  readonly ticks: Tick[];
  /** As `kill -9` of a process that leads: nothing of it reaches PostgreSQL or the others any more, and its session ends. */
  kill(): Promise<void>;
}

export interface ClusterOptions extends Partial<Pick<MarketDependencies, 'feed'>> {
  readonly mayLead?: boolean;
  readonly priceFeed?: string;
}

export async function openCluster(): Promise<{
  readonly db: TestDatabase;
  start(options?: ClusterOptions): Promise<ClusterProcess>;
  /** The process that leads, once there is one. */
  leader(): Promise<ClusterProcess>;
}> {
  const db = await createTestDatabase();
  const network = createTestNetwork();
  const running = new Set<ClusterProcess>();
  onTestFinished(async () => {
    for (const { market, link } of running) {
      link.mend();
      await market.stop();
    }
    await db.close();
  });
  return {
    db,
    async start({ feed, mayLead = true, priceFeed = 'simulated' } = {}) {
      const link = network.link();
      const bus = createBus(testLog);
      const ticks: Tick[] = [];
      bus.subscribe('market.tick', (tick) => void ticks.push(tick));
      const mortal = killable(db);
      const market = createClusterMarket({
        ...{ db: mortal.db, timers: realTimers(systemClock), bus, log: testLog, link, mayLead },
        config: loadConfig({ PRICE_FEED: priceFeed }),
        marketKey: Buffer.alloc(32, 'cluster'),
        ...(feed && { feed }),
      });
      const started: ClusterProcess = {
        ...{ market, link, bus, ticks },
        async kill() {
          link.cut(true);
          mortal.kill();
          await db.asOwner(
            `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = $1
               and database = (select oid from pg_database where datname = current_database())`,
            [0x44555401],
          );
        },
      };
      running.add(started);
      await market.start();
      return started;
    },
    leader: () =>
      eventually(() => {
        const leading = [...running].filter(({ market }) => market.leads() !== null);
        // A killed one believes in its term for a while.
        const found = leading.toSorted((a, b) => (b.market.leads() ?? 0) - (a.market.leads() ?? 0))[0];
        expect(found).toBeDefined();
        return found as ClusterProcess;
      }),
  };
}
