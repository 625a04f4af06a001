/** A whole market on real sockets to loopback providers and a real PostgreSQL, with its time under the test's control. */
import type { Tick } from '@fulcrum/contract';
import { onTestFinished } from 'vitest';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import { createMarket, type Market, type MarketDependencies } from '../../src/features/market/index.ts';
import { type Bus, createBus } from '../../src/platform/bus/index.ts';
import { loadConfig } from '../../src/platform/config/index.ts';
import type { Database } from '../../src/platform/database/index.ts';
import { createOutbound } from '../../src/platform/outbound/index.ts';
import { createTestDatabase, type TestDatabase, testLog } from '../harness/index.ts';
import { killable } from '../harness/killable-database.ts';
import { createManualTimers, type ManualTimers } from '../harness/manual-timers.ts';
import { type ExchangeServer, startExchange } from './exchange-server.ts';
import { listPairs, type QuoteServer, startQuoteServer, withSettling } from './quote-server.ts';

/** A Friday on which everything is open: 10:00 in New York, 15:00 in London. */
const fridayMorning = Date.UTC(2026, 10, 20, 15, 0);

export interface KillableMarket extends Market {
  /** Ends it like `kill -9`: nothing more is stored. */
  kill(): Promise<void>;
}

export interface MarketServer {
  readonly exchange: ExchangeServer;
  readonly quotes: QuoteServer;
  readonly timers: ManualTimers;
  readonly db: TestDatabase;
  /** A start of the market with what is set to differ; an earlier one has to be stopped. */
  open(
    more?: Partial<MarketDependencies['config']>,
    bus?: Bus,
    options?: Pick<MarketDependencies, 'retainsSources'>,
  ): Promise<KillableMarket>;
  /** Everything published so far, oldest first. */
  readonly ticks: Tick[];
  rows<Row>(text: string): Promise<Row[]>;
}

/** Both providers list every pair of the catalogue at its typical price. */
export async function openMarketServer(): Promise<MarketServer> {
  let settle = async (): Promise<void> => {};
  const timers = createManualTimers(fridayMorning, () => settle());
  const [exchange, quotes, db] = [
    await startExchange(timers),
    await startQuoteServer(timers.now),
    await createTestDatabase(),
  ];
  for (const { type, symbol, typical } of catalogue) {
    if (type === 'crypto') exchange.set(symbol, (typical?.price ?? 100).toFixed(8));
  }
  listPairs(quotes, catalogue);

  const outbound = createOutbound({ allowPrivate: true, timers, log: testLog });
  const toExchange = exchange.through(outbound);
  const toQuotes = withSettling(outbound, quotes.held);
  const counted = counting(db);
  settle = async () => {
    await exchange.settled();
    await toQuotes.settle();
    await counted.settle();
  };

  const ticks: Tick[] = [];
  const running = new Set<Market>();
  onTestFinished(async () => {
    for (const market of running) await market.stop();
    await outbound.close();
    await exchange.close();
    await quotes.stop();
    await db.close();
  });

  return {
    exchange,
    quotes,
    timers,
    db,
    ticks,
    rows: async <Row>(text: string) => (await db.query(text)).rows as Row[],
    async open(more = {}, bus = createBus(testLog), options = {}) {
      bus.subscribe('market.tick', (tick) => ticks.push(tick));
      const config = loadConfig({
        PRICE_FEED: 'auto',
        BINANCE_URL: exchange.url,
        BINANCE_STREAM_URL: exchange.streamUrl,
        YAHOO_URL: quotes.url,
        QUOTES_PER_S: '100',
        ALLOW_PRIVATE_PROVIDERS: 'true',
      });
      const mortal = killable(counted.db);
      const market = createMarket({
        db: mortal.db,
        config: { ...config, ...more },
        ...options,
        marketKey: Buffer.alloc(32, 'market setting'),
        timers,
        bus,
        log: testLog,
        // Stays open for the next start.
        outbound: {
          get: (url, options) =>
            url.startsWith(exchange.url) ? toExchange.get(url, options) : toQuotes.outbound.get(url, options),
          post: outbound.post,
          connect: toExchange.connect,
          close: async () => {},
        },
      });
      running.add(market);
      await market.start();
      const stop = async (): Promise<void> => {
        running.delete(market);
        await market.stop();
      };
      return {
        ...market,
        stop,
        async kill() {
          mortal.kill();
          await stop();
        },
      };
    },
  };
}

/** The database, with a way to wait until it has no running statement. */
function counting(db: TestDatabase): { readonly db: Database; settle(): Promise<void> } {
  let underWay = 0;
  const counted = async <Result>(statement: Promise<Result>): Promise<Result> => {
    underWay += 1;
    try {
      return await statement;
    } finally {
      underWay -= 1;
    }
  };
  return {
    db: {
      ...db,
      query: (...of) => counted(db.query(...of)) as never,
      transaction: (work) => counted(db.transaction(work)),
    },
    async settle() {
      for (let quiet = 0; quiet < 3; ) {
        await new Promise((resolve) => setImmediate(resolve));
        quiet = underWay === 0 ? quiet + 1 : 0;
      }
    },
  };
}
