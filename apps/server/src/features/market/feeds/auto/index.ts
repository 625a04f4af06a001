/**
 * Live prices where a provider answers at the start, simulated ones everywhere else. The feed probes each market's provider
 * once, in the background, for two seconds, unless the choice of an earlier start is stored. Invariants: a decision holds until the next start, so a provider that fails later
 * leaves its market stale and never simulated; a symbol has one source during the life of the process. A symbol is simulated
 * if its provider has no ticker for it, or does not know it and never had a price of it.
 */
import type { MarketType } from '@fulcrum/domain';
import type { Services } from '../../../../platform/services.ts';
import { type ListedPair, unquotedError } from '../../catalogue/index.ts';
import type { Feed, FeedTick, ProviderState } from '../../feed.ts';
import { fetchFailedError, noPriceError, type PriceError, toLogLine } from '../../price-error.ts';
import type { BinanceFeed } from '../live/binance.ts';
import type { YahooFeed } from '../live/yahoo.ts';
import type { PriceShock, SimulatedFeed } from '../simulated/index.ts';

const probeMs = 2_000;
/** Simulated markets need their state from PostgreSQL; without it they wait. */
const retryAfterMs = 1_000;

const quotedMarkets = ['stock', 'forex', 'commodity', 'index'] as const satisfies readonly MarketType[];
const markets = ['crypto', ...quotedMarkets] as const;

interface AutoFeedOptions extends Pick<Services, 'timers' | 'log'> {
  /** What is listed now. */
  readonly pairs: () => readonly ListedPair[];
  readonly binance: BinanceFeed;
  /** Polls these pairs; calls `onMissing` for a symbol that the provider does not know and never had a price of. */
  readonly quotes: (pairs: readonly ListedPair[], onMissing: (symbol: string) => void) => YahooFeed;
  /** Simulates those of the pairs that can be, each going on from its last known price. */
  readonly simulate: (pairs: readonly ListedPair[]) => Promise<SimulatedFeed>;
  /** The exchange has answered: its pairs can be fetched. */
  readonly onExchange: () => void;
  /** Where the choice outlives this feed; left out, each start chooses. */
  readonly storedChoice?: StoredChoice | undefined;
}

/** Why each market is simulated, null where its provider serves it. */
type SourceChoice = ReadonlyMap<MarketType, string | null>;

export interface StoredChoice {
  /** Null before the first choice. */
  read(): Promise<SourceChoice | null>;
  write(choice: SourceChoice): Promise<void>;
}

interface AutoFeed extends Feed {
  /** Moves a simulated price, and what is made of it. */
  shock(shock: PriceShock): void;
}

export function createAutoFeed(options: AutoFeedOptions): AutoFeed {
  const { pairs, binance, quotes, simulate, onExchange, storedChoice, timers, log } = options;
  /** The markets whose provider answered; null while the probes run. */
  let live: ReadonlySet<MarketType> | null = null;
  /** Why the others are simulated. */
  const unused = new Map<MarketType, string>();
  let yahoo = quotes(
    pairs().filter(({ type }) => type !== 'crypto'),
    giveUp,
  );
  const simulated: SimulatedFeed[] = [];
  const givenUp = new Set<string>();
  /** Symbols that the quote provider gave a price of. */
  const pricedSymbols = new Set<string>();
  let emit: ((tick: FeedTick) => void) | null = null;
  let decided: Promise<void> = Promise.resolve();
  let starting: Promise<unknown> = Promise.resolve();
  /** What is to be simulated further, one after the other. */
  let simulating: Promise<void> = Promise.resolve();
  /** Each ends a wait before its time. */
  const waits = new Set<() => void>();

  /** Resolves after `ms`, or at once when it is ended or the feed stops. */
  function wait(ms: number): { readonly over: Promise<void>; readonly end: () => void } {
    let end = (): void => {};
    const over = new Promise<void>((resolve) => {
      const cancel = timers.after(ms, () => end());
      end = () => {
        cancel();
        waits.delete(end);
        resolve();
      };
    });
    waits.add(end);
    return { over, end };
  }

  /** Why the provider of a market is not used; null: it answers in time. */
  async function getProbeFailure(market: MarketType): Promise<string | null> {
    const limit = wait(probeMs);
    const probe = market === 'crypto' ? binance.probe() : yahoo.probe(market);
    const answer = probe.then(
      () => null,
      (error: unknown) => toLogLine(error),
    );
    const why = await Promise.race([answer, limit.over.then(() => `no answer within ${probeMs / 1000} s`)]);
    limit.end();
    return why;
  }

  async function probeAll(): Promise<SourceChoice> {
    const reasons = await Promise.all(markets.map(getProbeFailure));
    return new Map(markets.map((market, index) => [market, reasons[index] ?? null]));
  }

  /** Tries until it succeeds; null when the feed stops before. */
  async function untilDone<Result>(work: () => Promise<Result>): Promise<Result | null> {
    while (emit) {
      try {
        return await work();
      } catch (error) {
        log.error({ err: error }, 'the choice of sources cannot be read or stored; trying again');
        await wait(retryAfterMs).over;
      }
    }
    return null;
  }

  async function choose(): Promise<SourceChoice> {
    if (!storedChoice) return probeAll();
    const stored = await untilDone(storedChoice.read);
    if (stored) return stored;
    const choice = await probeAll();
    await untilDone(() => storedChoice.write(choice));
    return choice;
  }

  async function decide(): Promise<void> {
    for (const [market, why] of await choose()) if (why !== null) unused.set(market, why);
    const found = new Set<MarketType>(markets.filter((market) => !unused.has(market)));
    live = found;
    const others = [...unused.keys()];
    if (!emit) return;
    for (const [market, why] of unused)
      log.warn({ market, why }, 'a market is simulated until the next start');
    log.info({ live: [...found], simulated: others }, 'the sources of prices are decided');
    starting = Promise.all([
      addSimulated(pairs().filter((pair) => !isLive(pair))),
      startExchange(),
      startQuotes(),
    ]);
    // What can fail in them is tried again where it happens; this is for what should not be.
    starting.catch((error: unknown) => log.error({ err: error }, 'a source of prices could not be started'));
  }

  async function startExchange(): Promise<void> {
    if (!live?.has('crypto')) return;
    onExchange();
    await binance.start((tick) => emit?.(tick));
  }

  async function startQuotes(): Promise<void> {
    const answered = quotedMarkets.filter((market) => live?.has(market));
    if (answered.length === 0) return;
    if (answered.length < quotedMarkets.length) {
      // The budget is for those that answered.
      await yahoo.stop();
      yahoo = quotes(
        pairs().filter(({ type }) => type !== 'crypto' && live?.has(type)),
        giveUp,
      );
    }
    await yahoo.start((tick) => {
      pricedSymbols.add(tick.symbol);
      emit?.(tick);
    });
  }

  const isLive = ({ symbol, type }: ListedPair): boolean =>
    live?.has(type) === true && (type === 'crypto' || (yahoo.hasTicker(symbol) && !givenUp.has(symbol)));

  function giveUp(symbol: string): void {
    const pair = pairs().find((listed) => listed.symbol === symbol);
    // While the probes run, the providers emit what they know again.
    if (!pair || live === null || pricedSymbols.has(symbol) || givenUp.has(symbol)) return;
    givenUp.add(symbol);
    log.info({ symbol }, 'a symbol that the quote provider does not know is simulated');
    void addSimulated([pair]);
  }

  /** Tries until it succeeds or the feed stops. */
  function addSimulated(requested: readonly ListedPair[]): Promise<void> {
    simulating = simulating.then(async () => {
      while (emit && requested.length > 0) {
        try {
          const feed = await simulate(requested);
          await feed.start((tick) => emit?.(tick));
          simulated.push(feed);
          return;
        } catch (error) {
          log.error({ err: error, symbols: requested.length }, 'prices cannot be simulated; trying again');
          await wait(retryAfterMs).over;
        }
      }
    });
    return simulating;
  }

  const simulatedOf = (symbol: string): SimulatedFeed | undefined =>
    simulated.find((feed) => feed.sourceOf(symbol) !== null);

  function providerOf(symbol: string): BinanceFeed | YahooFeed | null {
    if (live?.has('crypto') && binance.sourceOf(symbol) !== null) return binance;
    const pair = pairs().find((listed) => listed.symbol === symbol);
    return pair && pair.type !== 'crypto' && isLive(pair) ? yahoo : null;
  }

  /** FEED-64: only the quote provider's markets have symbols without a ticker. */
  const whyUnserved = (symbol: string): PriceError =>
    pairs().some((pair) => pair.symbol === symbol && pair.type === 'crypto')
      ? noPriceError(symbol)
      : unquotedError(symbol);

  return {
    sourceOf(symbol) {
      if (simulatedOf(symbol)) return 'simulated';
      if (pricedSymbols.has(symbol)) return 'yahoo';
      return live?.has('crypto') ? binance.sourceOf(symbol) : null;
    },
    async start(take) {
      emit = take;
      // In the background: the server is ready before its prices are.
      decided = decide();
    },
    async stop() {
      emit = null;
      for (const end of waits) end();
      await decided;
      await Promise.allSettled([starting, simulating]);
      await Promise.all([binance, yahoo, ...simulated].map((feed) => feed.stop()));
    },
    async candles(symbol, timeframe, query) {
      await decided;
      return (await (simulatedOf(symbol) ?? providerOf(symbol))?.candles(symbol, timeframe, query)) ?? [];
    },
    async fetch(symbol) {
      await decided;
      if (simulatedOf(symbol)) return;
      const provider = providerOf(symbol);
      if (!provider) throw fetchFailedError(symbol, whyUnserved(symbol));
      await provider.fetch(symbol);
    },
    book: (symbol, now) => (live?.has('crypto') ? binance.book(symbol, now) : undefined),
    trades: (symbol) => (live?.has('crypto') ? binance.trades(symbol) : []),
    emitCurrent: (symbol) => simulatedOf(symbol)?.emitCurrent(symbol),
    providers() {
      if (!live) return [];
      const isQuoted = quotedMarkets.some((market) => live?.has(market));
      return [
        ...(live.has('crypto')
          ? (binance.providers?.() ?? [])
          : unusedState('binance', unused.get('crypto'))),
        ...(isQuoted ? (yahoo.providers?.() ?? []) : unusedState('yahoo', unused.get('stock'))),
      ];
    },
    shock(shock) {
      // Pairs that are made of the same currency move with it, whichever feed they are in.
      for (const feed of simulated) feed.shock(shock);
    },
  };
}

/** A provider that did not answer at the start: it emits nothing until the next start. */
const unusedState = (source: ProviderState['source'], why = ''): ProviderState[] => [
  {
    source,
    ok: false,
    fault: `${why}; its markets are simulated until the next start`,
    receivedAt: null,
    symbols: 0,
  },
];
