/**
 * The leader's voice: what its market takes over goes out as numbered frames, and whoever missed some, or begins, asks here. Invariants:
 * every price is in one frame, in the order in which the hub took it over, those of before the term in its first one; a number is given
 * once a term; after `stop` nothing is published or answered.
 */
import { AppError, type Timeframe, texts } from '@fulcrum/contract';
import type { MarketTrade, StreamedBook } from '@fulcrum/domain';
import type { Bus } from '../../../platform/bus/index.ts';
import type { Timers } from '../../../platform/clock/index.ts';
import type { ClusterLink } from '../../../platform/cluster/link.ts';
import type { Log } from '../../../platform/log/index.ts';
import { withinRequest } from '../../../platform/request/index.ts';
import type { CandleQuery } from '../feed.ts';
import type { LeadingMarket } from '../index.ts';
import type { PriceNumber } from '../price.ts';
import { PriceError, toLogLine, userMessages } from '../price-error.ts';
import { createDemands } from './demands.ts';
import { RecentFrames } from './frames.ts';
import {
  type Answer,
  type Frame,
  type FramesSince,
  type MarketStatus,
  type Snapshot,
  subjects,
  toAnswerOf,
  toWireBook,
  toWireModel,
  toWirePair,
  toWirePrice,
  toWireTrade,
  type WireBook,
  type WirePrice,
} from './wire.ts';

const gatheredForMs = 20;
/** An empty frame where nothing moved, so that silence means something. */
const silentMsMax = 250;
const statusEveryMs = 1_000;
/** How often streamed books go out; prices do not wait for them. */
const streamedEveryMs = 100;

/** What a mirror asks with; the id leads from the audit log to the request at its gateway. */
export interface Call {
  readonly requestId: string | null;
  readonly args: readonly unknown[];
}

/** What a leader does for others, beside its procedures. */
export interface LeaderMethods {
  candles(symbol: string, timeframe: Timeframe, query: CandleQuery, depth?: 'stored' | 'whole'): unknown;
  /** Makes the price of a symbol as fresh as `ensureFresh` does, and says which frame has it. */
  freshen(symbol: string): Promise<PriceNumber>;
  sync_stored_prices(): Promise<void>;
}

interface PublisherDependencies {
  readonly term: number;
  readonly market: LeadingMarket;
  /** The market's own bus. */
  readonly bus: Bus;
  readonly link: ClusterLink;
  readonly timers: Timers;
  readonly log: Log;
}

export interface Publisher {
  /** Number of the last frame. */
  seq(): number;
  /** Ends all of it, at once. */
  stop(): void;
}

/** Begins to publish and to answer; the market has started. */
export function createPublisher({ term, market, bus, link, timers, log }: PublisherDependencies): Publisher {
  const recent = new RecentFrames();
  const demands = createDemands({ market, timers });
  let seq = 0;
  let cancelFlush: (() => void) | null = null;
  let publishedAt = timers.now();
  let statusAt = -Infinity;
  let pairs = market.pairs();
  const readPrices = (): WirePrice[] =>
    pairs.flatMap(({ symbol }) => {
      const price = market.price(symbol);
      return price ? toWirePrice(price) : [];
    });
  /**
   * The first frame has what the term begins with, for who records the series. A mirror never applies it: it begins with a snapshot, which
   * is of this frame or a later one.
   */
  let ticks = readPrices();
  let pairsNumber = 1;
  let newOrderBooks: WireBook[] = [];
  const sentOrderBooks = new Map<string, StreamedBook>();
  const sentTrades = new Map<string, readonly MarketTrade[]>();

  const readStatus = (): MarketStatus => ({
    state: market.state(),
    sources: market.sourceStates(),
    recordedSymbols: market.recordedSymbols(),
    isPolled: market.isPolled(),
    withHours: pairs.flatMap(({ symbol }) => (market.honoursHours(symbol) ? symbol : [])),
    pairs: pairsNumber,
  });

  /** Whether it is time for one; its next one is a second later. */
  function isStatusDue(now: number): boolean {
    const hasOtherPairs = pairs !== market.pairs();
    if (hasOtherPairs) {
      pairs = market.pairs();
      pairsNumber += 1;
    }
    if (!hasOtherPairs && Math.abs(now - statusAt) < statusEveryMs) return false;
    statusAt = now;
    return true;
  }

  /** The books and trades that came since the last ones were sent. */
  function takeNewOrderBooks(now: number): WireBook[] {
    return [...demands.booked()].flatMap((symbol) => {
      const { book, trades } = market.streamed(symbol, now);
      const isNewBook = book !== undefined && sentOrderBooks.get(symbol) !== book;
      const areNewTrades = trades.length > 0 && sentTrades.get(symbol) !== trades;
      if (isNewBook) sentOrderBooks.set(symbol, book);
      if (areNewTrades) sentTrades.set(symbol, trades);
      if (!isNewBook && !areNewTrades) return [];
      return {
        symbol,
        ...(isNewBook && { book: toWireBook(book) }),
        ...(areNewTrades && { trades: trades.map(toWireTrade) }),
      };
    });
  }

  function flush(): void {
    cancelFlush?.();
    cancelFlush = null;
    const now = timers.now();
    seq += 1;
    const frame: Frame = {
      ...{ term, seq, at: now, ticks },
      ...(isStatusDue(now) && { status: readStatus() }),
      ...(newOrderBooks.length > 0 && { orderBooks: newOrderBooks }),
    };
    [ticks, newOrderBooks] = [[], []];
    publishedAt = now;
    recent.push(frame);
    link.publish(subjects.frames, frame);
  }

  function readSnapshot(): Snapshot {
    // What was taken over but not sent yet is in the snapshot, so its frame has to be before it.
    flush();
    return {
      ...{ term, seq },
      pairs: pairs.map(toWirePair),
      delisted: pairs.flatMap(({ symbol }) => (market.isListed(symbol) ? [] : symbol)),
      prices: readPrices(),
      models: market.quotes.observed().map(toWireModel),
      status: readStatus(),
    };
  }

  const methods: LeaderMethods = {
    candles: market.candles,
    async freshen(symbol) {
      await market.ensureFresh(symbol);
      if (ticks.length > 0) flush();
      return { term, seq };
    },
    sync_stored_prices: market.syncStoredPrices,
  };

  async function answer(name: string, { requestId, args }: Call): Promise<Answer> {
    const served = { ...market.procedures, ...market.controls, ...methods };
    // The names come from this table, the arguments from a mirror that called it with the same types.
    const run = served[name as keyof typeof served] as (...args: readonly unknown[]) => Promise<unknown>;
    try {
      const work = () => run(...args);
      return { ok: await (requestId === null ? work() : withinRequest(requestId, work)) };
    } catch (error) {
      if (error instanceof AppError) return toAnswerOf(error);
      if (error instanceof PriceError) {
        log.debug({ why: toLogLine(error) }, 'a provider did not deliver the requested data');
        const details = userMessages(error).join(': ');
        return toAnswerOf(new AppError('source_unavailable', texts.chartUnavailable, { details }));
      }
      log.error({ err: error, method: name, request_id: requestId }, 'the leader of the market failed');
      return { fault: true };
    }
  }

  const names = Object.keys({ ...market.procedures, ...market.controls, ...methods });
  const cancels = [
    bus.subscribe('market.tick', ({ symbol }) => {
      const price = market.price(symbol);
      if (!price) return;
      ticks.push(toWirePrice(price));
      cancelFlush ??= timers.after(gatheredForMs, flush);
    }),
    timers.every(streamedEveryMs, () => {
      newOrderBooks.push(...takeNewOrderBooks(timers.now()));
      if (newOrderBooks.length > 0) cancelFlush ??= timers.after(gatheredForMs, flush);
    }),
    timers.every(silentMsMax / 2, () => {
      if (cancelFlush === null && Math.abs(timers.now() - publishedAt) >= silentMsMax / 2) flush();
    }),
    link.serve(subjects.since, (payload): FramesSince => {
      const { term: requestedTerm, seq: after } = payload as PriceNumber;
      return { term, frames: requestedTerm === term ? recent.after(after) : null };
    }),
    link.serve(subjects.all, readSnapshot),
    ...names.map((name) =>
      link.serve(subjects.method(term, name), (payload) => answer(name, payload as Call)),
    ),
    link.subscribe(subjects.demands, demands.receive),
    demands.stop,
  ];

  return {
    seq: () => seq,
    stop() {
      cancelFlush?.();
      for (const cancel of cancels.splice(0)) cancel();
    },
  };
}
