/** The feed of the exchange on real sockets to the loopback exchange, under timers that a test moves. */
import { onTestFinished } from 'vitest';
import type { FeedTick, Interest } from '../../src/features/market/feed.ts';
import { type BinanceFeed, createBinanceFeed } from '../../src/features/market/feeds/live/binance.ts';
import { createRoutes } from '../../src/features/market/providers/routes.ts';
import { createLog } from '../../src/platform/log/index.ts';
import { createOutbound } from '../../src/platform/outbound/index.ts';
import { createManualTimers, type ManualTimers } from '../harness/manual-timers.ts';
import { type ExchangeServer, startExchange } from './exchange-server.ts';

export const startedAt = Date.UTC(2026, 10, 21, 12, 0);

export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** Timers that also skip: time passes and no timer falls due in between. */
interface SkippingTimers extends ManualTimers {
  skip(ms: number): void;
}

function skipping(timers: ManualTimers): SkippingTimers {
  let skippedMs = 0;
  return {
    ...timers,
    now: () => timers.now() + skippedMs,
    skip(ms) {
      skippedMs += ms;
    },
  };
}

export interface BinanceSetup {
  readonly exchange: ExchangeServer;
  readonly timers: SkippingTimers;
  readonly feed: BinanceFeed;
  /** Everything emitted, oldest first. */
  readonly ticks: FeedTick[];
  readonly log: LogLine[];
  /** What is listed, watched, in use and traded on books; to be changed by the test. */
  readonly market: {
    pairs: readonly ListedSymbol[];
    shown: ReadonlySet<string>;
    inUse: ReadonlySet<string>;
    booked: ReadonlySet<string>;
  };
  start(): Promise<void>;
}

interface ListedSymbol {
  readonly symbol: string;
  readonly type: 'crypto' | 'stock';
}
export const listed = (...symbols: string[]): ListedSymbol[] =>
  symbols.map((symbol) => ({ symbol, type: 'crypto' }));

/** An exchange that lists `symbols` at 100, and a feed for them that has not been started. */
export async function setUpBinance(
  symbols: readonly string[] = ['BTCUSDT', 'ETHUSDT'],
): Promise<BinanceSetup> {
  const settling: { exchange: ExchangeServer | null } = { exchange: null };
  const timers = skipping(createManualTimers(startedAt, async () => settling.exchange?.settled()));
  const exchange = await startExchange(timers);
  settling.exchange = exchange;
  for (const symbol of symbols) exchange.set(symbol, '100.00000000');

  const lines: LogLine[] = [];
  const log = createLog({ logLevel: 'debug' }, { write: (line) => void lines.push(JSON.parse(line)) });
  const outbound = createOutbound({ allowPrivate: true, timers, log });
  const counted = exchange.through(outbound);
  const market: BinanceSetup['market'] = {
    pairs: listed(...symbols),
    shown: new Set(),
    inUse: new Set(),
    booked: new Set(),
  };
  const interest: Interest = {
    shown: () => market.shown,
    inUse: () => market.inUse,
    booked: () => market.booked,
  };
  const feed = createBinanceFeed({
    url: exchange.url,
    streamUrl: exchange.streamUrl,
    routes: createRoutes({ outbound: counted, proxies: [], timers, log }),
    outbound: counted,
    pairs: () => market.pairs,
    interest,
    timers,
    log,
  });
  const ticks: FeedTick[] = [];
  onTestFinished(async () => {
    await feed.stop();
    await outbound.close();
    await exchange.close();
  });
  return {
    exchange,
    timers,
    feed,
    ticks,
    log: lines,
    market,
    async start() {
      await feed.start((tick) => ticks.push(tick));
      await exchange.settled();
    },
  };
}

/** The message of an error and of all its causes. */
export async function reasons(promise: Promise<unknown>): Promise<string[]> {
  const failure: unknown = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  const messages: string[] = [];
  for (let one = failure; one instanceof Error; one = one.cause) messages.push(one.message);
  return messages;
}

/** The prices of one symbol in the order in which they were emitted. */
export const pricesOf = (ticks: readonly FeedTick[], symbol = 'BTCUSDT'): (number | string)[] =>
  ticks.filter((tick) => tick.symbol === symbol).map(({ price }) => price);
