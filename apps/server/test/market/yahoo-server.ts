/** A Yahoo feed on real sockets to the loopback provider, with its time under the test's control. */
import { onTestFinished } from 'vitest';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import type { FeedTick } from '../../src/features/market/feed.ts';
import { createYahooFeed, type YahooFeed } from '../../src/features/market/feeds/live/yahoo.ts';
import { createRoutes } from '../../src/features/market/providers/routes.ts';
import { createOutbound } from '../../src/platform/outbound/index.ts';
import { testLog } from '../harness/index.ts';
import { createManualTimers, type ManualTimers } from '../harness/manual-timers.ts';
import { listPairs, type QuoteServer, startQuoteServer, withSettling } from './quote-server.ts';

/** A Friday on which everything is open: 10:00 in New York, 15:00 in London. */
export const fridayMorning = Date.UTC(2026, 10, 20, 15, 0);

export interface Setting {
  readonly server: QuoteServer;
  readonly timers: ManualTimers;
  readonly feed: YahooFeed;
  readonly ticks: FeedTick[];
  readonly missing: string[];
  readonly inUse: Set<string>;
  readonly shown: Set<string>;
  /** Starts the feed and waits for what that begins. */
  start(): Promise<void>;
  /** Requested tickers since the last call. */
  takeTickers(): string[];
  settle(): Promise<void>;
  /** Sets the clock, and the provider's, without anything falling due. */
  setClock(byMs: number): void;
}

/** A feed of these symbols; every listed ticker answers 100 in its own unit until the test says otherwise. */
export async function openSetting(
  symbols: readonly string[],
  options: {
    quotesPerS?: number;
    at?: number;
    proxies?: readonly string[];
    sessions?: 'honour' | '24x7';
    /** Whether another source takes over symbols that the provider does not know. */
    standsIn?: boolean;
  } = {},
): Promise<Setting> {
  let held = () => 0;
  let settle = async () => {};
  const moved = createManualTimers(options.at ?? fridayMorning, () => settle());
  let setMs = 0;
  const timers: ManualTimers = { ...moved, now: () => moved.now() + setMs };
  const server = await startQuoteServer(timers.now);
  held = server.held;
  const outbound = createOutbound({ allowPrivate: true, timers, log: testLog });
  const settling = withSettling(outbound, () => held());
  settle = settling.settle;
  const pairs = symbols.map((symbol) => {
    const pair = catalogue.find((one) => one.symbol === symbol);
    if (!pair) throw new Error(`${symbol} is not listed`);
    return pair;
  });
  listPairs(server, pairs, () => 100);
  const inUse = new Set<string>();
  const shown = new Set<string>();
  const ticks: FeedTick[] = [];
  const missing: string[] = [];
  const feed = createYahooFeed({
    url: server.url,
    routes: createRoutes({
      outbound: settling.outbound,
      proxies: options.proxies ?? [],
      timers,
      log: testLog,
    }),
    pairs,
    interest: { inUse: () => inUse, shown: () => shown },
    sessions: options.sessions ?? null,
    quotesPerS: options.quotesPerS ?? 1,
    timers,
    log: testLog,
    onMissing: (options.standsIn ?? true) ? (symbol) => missing.push(symbol) : undefined,
  });
  onTestFinished(async () => {
    await feed.stop();
    await outbound.close();
    await server.stop();
  });
  let seen = 0;
  return {
    server,
    timers,
    feed,
    ticks,
    missing,
    inUse,
    shown,
    async start() {
      await feed.start((tick) => ticks.push(tick));
      await settle();
    },
    takeTickers() {
      const tickers = server.requests.slice(seen).map(({ ticker }) => ticker);
      seen = server.requests.length;
      return tickers;
    },
    settle: () => settle(),
    setClock(byMs) {
      setMs += byMs;
    },
  };
}
