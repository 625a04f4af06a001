/**
 * The market of a process that does not run the feeds: a copy of the leader's prices, kept by its numbered frames. Invariants: prices
 * change in the leader's order, without a gap; each one is published on the process's bus, as the hub does; once nothing was applied
 * for 2 s, or a later term was heard of whose prices are not here yet, every price is stale. What changes the market is asked of
 * the leader of the term that is followed.
 *
 * Known limitations: books that an exchange streams come for symbols that somebody needs (positions, a book that was read in the last
 * minute); of others they are modelled. Modelled trades from before the snapshot are not shown. A recording waits for crossings
 * of the leader's own process alone.
 */
import { type ArgsOf, busy, type Caller, type PriceState } from '@fulcrum/contract';
import type { MarketTrade, StreamedBook, TradingPair } from '@fulcrum/domain';
import { createTtlCache } from '../../../platform/cache/ttl-cache.ts';
import { waitAtMost } from '../../../platform/clock/wait-at-most.ts';
import type { ClusterLink } from '../../../platform/cluster/link.ts';
import { readMark } from '../../../platform/duties/index.ts';
import { UseCounter } from '../../../platform/rate-limit/use-counter.ts';
import { currentRequestId } from '../../../platform/request/index.ts';
import { StartError } from '../../../platform/start-error.ts';
import { createBookedSymbols } from '../booked-symbols.ts';
import type { Market, MarketDependencies } from '../index.ts';
import { isFreshPolled, type MarketPrice, type PriceNumber, tickOf } from '../price.ts';
import { createPriceStates } from '../price-state.ts';
import { createQuotes } from '../quotes/index.ts';
import { recordedClockOf } from '../recorded-clock.ts';
import { FrameOrder } from './frames.ts';
import type { Call, LeaderMethods } from './publisher.ts';
import {
  type Answer,
  type Demand,
  type Frame,
  type FramesSince,
  fromWireBook,
  fromWireModel,
  fromWirePair,
  fromWirePrice,
  fromWireTrade,
  type MarketStatus,
  resultOf,
  type Snapshot,
  subjects,
  type WireBook,
} from './wire.ts';

const deafAfterMs = 2_000;
/** How often it is judged whether this process is deaf. */
const judgeEveryMs = 250;
/** How often the mark of a leader that is not heard is read. */
const markEveryMs = 1_000;
const demandEveryMs = 1_000;
/** Several symbols of a new screen are told together. */
const demandSoonMs = 20;
const repairTimeoutMs = 1_000;
const retryMs = 100;
const startWithinMs = 60_000;
/** A trade waits so long for a fresh price, and then so long for its frame. */
const freshenMsMax = 2_000;
/** The leader goes on with what it made fresh for longer than this (`requestedForMs` of `followed-symbols.ts`). */
const freshenedForMs = 1_000;
const reachMsMax = 200;
const syncMsMax = 500;
const candlesMs = 20_000;
/** Bars of one chart are asked of the leader once in this time. */
const barsTtlMs = 1_000;
const chartsMax = 100;

const procedureMs: Readonly<Record<keyof Market['procedures'], number>> = {
  get_candles: candlesMs,
  get_sparklines: 5_000,
  update_position_mark_prices: 10_000,
  fetch_price: 15_000,
};
const controlMs: Readonly<Record<keyof Market['controls'], number>> = {
  get_market_controls: 5_000,
  accept_price: 5_000,
  reject_price: 5_000,
  set_replay: 5_000,
  shock_price: 5_000,
};

/** States that a deaf process cannot vouch for. */
const expiring: ReadonlySet<PriceState> = new Set(['live', 'delayed', 'replay', 'simulated']);

export interface MarketMirror extends Market {
  /** Up to where this process has seen the market; null before the first snapshot. */
  priceNumber(): PriceNumber | null;
  /** Resolves once the prices up to that number are here, with true; with false after `withinMs`. A later term has all of an earlier one. */
  reach(number: PriceNumber, withinMs?: number): Promise<boolean>;
  /** Whether nothing has come from the leader for 2 s: every price is stale. */
  isDeaf(): boolean;
  /** Whether this process is deaf while the leader goes on, by PostgreSQL: it is cut off, and others trade. */
  isCutOff(): boolean;
}

interface MirrorDependencies
  extends Pick<MarketDependencies, 'db' | 'config' | 'timers' | 'bus' | 'log' | 'marketKey'> {
  readonly link: ClusterLink;
}

const isBefore = (position: PriceNumber | null, { term, seq }: PriceNumber): boolean =>
  position === null || position.term < term || (position.term === term && position.seq < seq);

const isSamePrice = (left: MarketPrice | undefined, right: MarketPrice): boolean =>
  left !== undefined &&
  left.price === right.price &&
  left.pricedAt === right.pricedAt &&
  left.state === right.state &&
  left.held === right.held;

export function createMirror(deps: MirrorDependencies): MarketMirror {
  const { db, config, timers, bus, log, link } = deps;
  const states = createPriceStates(config);
  const order = new FrameOrder();
  const prices = new Map<string, MarketPrice>();
  const orderBooks = new Map<string, StreamedBook>();
  const trades = new Map<string, readonly MarketTrade[]>();
  let pairs: readonly TradingPair[] = [];
  let pairOf: ReadonlyMap<string, TradingPair> = new Map();
  let delisted: ReadonlySet<string> = new Set();
  let pairsNumber = 0;
  let isSnapshotDue = false;
  let status: MarketStatus | null = null;
  let withHours: ReadonlySet<string> = new Set();
  let appliedAt = -Infinity;
  let wasDeaf = true;
  let isStopped = false;
  let repairing: Promise<void> | null = null;
  let wake = (): void => {};
  const reaching = new Set<() => void>();
  const cancels: (() => void)[] = [];

  const shown = new UseCounter();
  const showsAll = new UseCounter();
  let inUseNow: (() => ReadonlySet<string>) | null = null;
  let bookedNow = (): ReadonlySet<string> => new Set();
  const booked = createBookedSymbols(timers, () => bookedNow());
  let cancelDemand: (() => void) | null = null;

  let isCutOff = false;
  /** The leader's mark at the last look of a deaf process. */
  let lastMark: string | null = null;

  const isDeaf = (): boolean =>
    order.position === null ||
    order.position.term !== order.term ||
    Math.abs(timers.now() - appliedAt) > deafAfterMs;

  /** As it may be acted on now. */
  const asOfNow = (price: MarketPrice): MarketPrice =>
    isDeaf() && expiring.has(price.state) ? { ...price, state: 'stale' } : price;

  function isStale(symbol: string, now: number): boolean {
    const [pair, price] = [pairOf.get(symbol), prices.get(symbol)];
    if (!pair || !price || isDeaf()) return true;
    const { source, pricedAt, marketTime, state } = price;
    // The hub had its reasons for another state; a market that shut opens with the first price of the next session.
    const isWithheld = !expiring.has(state);
    return states.isStale(pair, { source, pricedAt, marketTime, isOpenBySource: true, isWithheld }, now);
  }

  const quotes = createQuotes({
    bus,
    key: deps.marketKey,
    pair: (symbol) => pairOf.get(symbol),
    price,
    live: {
      isStale,
      streamed(symbol, now) {
        const book = orderBooks.get(symbol);
        return book && Math.abs(now - book.receivedAt) <= deafAfterMs ? book : undefined;
      },
      trades: (symbol) => trades.get(symbol) ?? [],
      onRead(symbol) {
        const isNew = !booked.booked().has(symbol);
        booked.markRead(symbol);
        if (isNew) publishDemandSoon();
      },
    },
  });

  function price(symbol: string): MarketPrice | undefined {
    const known = prices.get(symbol);
    return known && asOfNow(known);
  }

  function setPrice(next: MarketPrice): void {
    prices.set(next.symbol, next);
    bus.publish('market.tick', tickOf(asOfNow(next)));
  }

  function takeBook({ symbol, book, trades: latest }: WireBook): void {
    if (book) orderBooks.set(symbol, fromWireBook(book));
    if (latest) trades.set(symbol, latest.map(fromWireTrade));
  }

  function setStatus(next: MarketStatus): void {
    status = next;
    withHours = new Set(next.withHours);
    if (next.pairs !== pairsNumber) isSnapshotDue = true;
  }

  function apply(frame: Frame): void {
    appliedAt = timers.now();
    if (frame.status) setStatus(frame.status);
    for (const book of frame.orderBooks ?? []) takeBook(book);
    for (const wire of frame.ticks) setPrice(fromWirePrice(wire));
  }

  function adopt(snapshot: Snapshot): void {
    const isOther = snapshot.term !== order.position?.term;
    const isAhead = order.jumpTo(snapshot);
    if (!isAhead && (isOther || snapshot.term < order.term)) return;
    pairs = snapshot.pairs.map(fromWirePair);
    pairOf = new Map(pairs.map((pair) => [pair.symbol, pair]));
    delisted = new Set(snapshot.delisted);
    pairsNumber = snapshot.status.pairs;
    isSnapshotDue = false;
    for (const known of [prices, orderBooks, trades, freshened]) {
      for (const symbol of known.keys()) if (!pairOf.has(symbol)) known.delete(symbol);
    }
    if (!isAhead) return;
    appliedAt = timers.now();
    setStatus(snapshot.status);
    for (const wire of snapshot.prices) {
      const next = fromWirePrice(wire);
      if (!isSamePrice(prices.get(next.symbol), next)) setPrice(next);
    }
    quotes.adopt(snapshot.models.map(fromWireModel));
    if (isOther) log.info({ term: snapshot.term, seq: snapshot.seq }, 'the market follows its leader');
  }

  /** Applies what is in order. A frame that this release cannot read costs its prices until the next snapshot. */
  function applyTaken(): void {
    for (let frame = order.take(); frame; frame = order.take()) {
      try {
        apply(frame);
      } catch (error) {
        log.warn({ err: error }, 'a frame of the market cannot be applied');
        isSnapshotDue = true;
      }
    }
    for (const check of reaching) check();
  }

  function drain(): void {
    applyTaken();
    if (order.isBehind() || isSnapshotDue) void repair();
  }

  /** Asks the leader for what is missing. */
  async function catchUp(): Promise<void> {
    const { position, term } = order;
    if (position?.term === term && !isSnapshotDue) {
      const answer = (await link.request(subjects.since, position, repairTimeoutMs)) as FramesSince;
      if (answer.term === term && answer.frames && answer.frames.length > 0) {
        for (const frame of answer.frames) order.offer(frame);
        return;
      }
    }
    adopt((await link.request(subjects.all, {}, repairTimeoutMs)) as Snapshot);
  }

  function repair(): Promise<void> {
    repairing ??= repairUntilCurrent().finally(() => {
      repairing = null;
    });
    return repairing;
  }

  async function repairUntilCurrent(): Promise<void> {
    for (;;) {
      const before = order.position;
      await catchUp().catch((error: unknown) => {
        log.debug({ err: error }, 'the leader of the market did not send what is missing');
      });
      if (isStopped) return;
      applyTaken();
      if (!order.isBehind() && !isSnapshotDue) return;
      if (order.position === before) await pause(retryMs);
    }
  }

  /** Ends early at the stop. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = timers.after(ms, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  }

  /** @throws as the leader does; AppError `busy` without one */
  async function ask<Result>(method: string, args: readonly unknown[], timeoutMs: number): Promise<Result> {
    const { position } = order;
    if (position === null) throw busy();
    const call: Call = { requestId: currentRequestId(), args };
    const answer = await link
      .request(subjects.method(position.term, method), call, timeoutMs)
      .catch((error: unknown) => {
        log.debug({ err: error, method }, 'the leader of the market does not answer');
        throw busy();
      });
    return resultOf(answer as Answer) as Result;
  }

  const handlersOf = <Handlers>(timeouts: Readonly<Record<keyof Handlers & string, number>>): Handlers =>
    Object.fromEntries(
      Object.entries<number>(timeouts).map(([name, timeoutMs]) => [
        name,
        (...args: readonly unknown[]) => ask(name, args, timeoutMs),
      ]),
    ) as Handlers;

  function publishDemand(): void {
    cancelDemand?.();
    cancelDemand = null;
    const demand: Demand = {
      process: link.processId,
      shown: [...shown.keys()],
      showsAll: showsAll.total > 0,
      inUse: inUseNow && [...inUseNow()],
      booked: [...booked.booked()],
    };
    link.publish(subjects.demand(link.processId), demand);
  }

  function publishDemandSoon(): void {
    cancelDemand ??= timers.after(demandSoonMs, publishDemand);
  }

  function beginUse(counter: UseCounter, key: string): () => void {
    if (counter.of(key) === 0) publishDemandSoon();
    return counter.begin(key);
  }

  /** Publishes the prices again when they become stale here without a word of the leader, and when they are not any more. */
  function judge(): void {
    const isNowDeaf = isDeaf();
    if (isNowDeaf === wasDeaf) return;
    wasDeaf = isNowDeaf;
    if (isNowDeaf) log.warn('nothing comes from the leader of the market: all prices are stale');
    for (const known of prices.values()) bus.publish('market.tick', tickOf(asOfNow(known)));
  }

  async function checkMark(): Promise<void> {
    if (!isDeaf()) {
      [isCutOff, lastMark] = [false, null];
      return;
    }
    const { term, mark } = await readMark(db, 'market');
    const seen = `${term} ${mark}`;
    // A leader that has just begun has no mark yet, and those who hear it have not followed it either.
    if (lastMark !== null && seen !== lastMark && mark !== null && isDeaf()) isCutOff = true;
    lastMark = seen;
  }

  const freshening = new Map<string, Promise<void>>();
  /** The last price of each symbol that a leader made fresh and that is here. */
  const freshened = new Map<string, { readonly term: number; readonly at: number }>();

  /** Whether the leader would do nothing for a trade of this symbol. */
  function isFresh(symbol: string): boolean {
    const known = price(symbol);
    if (!known || isDeaf()) return false;
    if (known.source === 'yahoo') return isFreshPolled(known, timers.now());
    const last = freshened.get(symbol);
    return last?.term === order.term && Math.abs(timers.now() - last.at) < freshenedForMs;
  }

  async function freshen(symbol: string): Promise<void> {
    const at = timers.now();
    const number = await ask<Awaited<ReturnType<LeaderMethods['freshen']>>>(
      'freshen',
      [symbol],
      freshenMsMax,
    );
    if (await reach(number)) freshened.set(symbol, { term: number.term, at });
  }

  async function reach(number: PriceNumber, withinMs = reachMsMax): Promise<boolean> {
    if (!isBefore(order.position, number)) return true;
    let check = (): void => {};
    const reached = new Promise<void>((resolve) => {
      check = () => {
        if (!isBefore(order.position, number)) resolve();
      };
      reaching.add(check);
    });
    await waitAtMost(timers, withinMs, reached);
    reaching.delete(check);
    return !isBefore(order.position, number);
  }

  const bars = createTtlCache<unknown>(timers, { ttlMs: barsTtlMs, max: chartsMax });
  const readBars = <Result>(key: readonly unknown[], request: () => Promise<Result>): Promise<Result> =>
    bars.get(JSON.stringify(key), request) as Promise<Result>;
  const procedures = handlersOf<Market['procedures']>(procedureMs);

  return {
    pair: (symbol) => pairOf.get(symbol),
    pairs: () => pairs,
    isListed: (symbol) => pairOf.has(symbol) && !delisted.has(symbol),
    price,
    isStale,
    sourceOf: (symbol) => price(symbol)?.source ?? null,
    honoursHours: (symbol) => withHours.has(symbol),
    quotes,
    isPolled: () => status?.isPolled ?? false,
    async ensureFresh(symbol) {
      if (!pairOf.has(symbol) || isFresh(symbol)) return;
      const known = freshening.get(symbol);
      const request =
        known ??
        freshen(symbol)
          .catch((error: unknown) => {
            log.debug({ err: error, symbol }, 'a price could not be made fresh before a trade');
          })
          .finally(() => freshening.delete(symbol));
      freshening.set(symbol, request);
      await waitAtMost(timers, freshenMsMax, request);
    },
    follow: (symbol) => (pairOf.has(symbol) ? beginUse(shown, symbol) : () => {}),
    followAll: () => beginUse(showsAll, 'all'),
    async syncStoredPrices() {
      const synced = ask('sync_stored_prices', [], syncMsMax).catch(() => undefined);
      await waitAtMost(timers, syncMsMax, synced);
    },
    setSymbolsInUse(getSymbols, getBooked) {
      inUseNow = getSymbols;
      if (getBooked) bookedNow = getBooked;
      publishDemandSoon();
    },
    setPendingSettlement() {},
    ticks: () => [...prices.values()].map((known) => tickOf(asOfNow(known))),
    candles: (...query) => readBars(query, () => ask('candles', query, candlesMs)),
    procedures: {
      ...procedures,
      get_candles: (caller: Caller, args: ArgsOf<'get_candles'>) =>
        readBars([caller.role === 'anon', args], () => procedures.get_candles(caller, args)),
    },
    controls: handlersOf<Market['controls']>(controlMs),
    recordedClock: () => recordedClockOf(status?.state.replay ?? null),
    recordedSymbols: () => status?.recordedSymbols ?? null,
    state() {
      if (!status) throw busy();
      return isDeaf() ? { ...status.state, live: false } : status.state;
    },
    sourceStates: () => [...(status?.sources ?? [])],
    priceNumber: () => order.position,
    reach,
    isDeaf,
    isCutOff: () => isCutOff,
    async start() {
      quotes.start();
      cancels.push(
        link.subscribe(subjects.frames, (payload) => {
          order.offer(payload as Frame);
          drain();
        }),
        timers.every(judgeEveryMs, judge),
        timers.every(demandEveryMs, publishDemand),
        timers.every(markEveryMs, () => {
          checkMark().catch((error: unknown) => log.debug({ err: error }, 'the mark cannot be read'));
        }),
      );
      publishDemand();
      await waitAtMost(timers, startWithinMs, repair());
      if (order.position === null) throw new StartError('no process leads the market of this cluster');
      judge();
    },
    async stop() {
      isStopped = true;
      for (const cancel of cancels.splice(0)) cancel();
      cancelDemand?.();
      quotes.stop();
      wake();
      await repairing;
    },
  };
}
