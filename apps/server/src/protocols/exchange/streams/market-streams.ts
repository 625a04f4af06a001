/**
 * Market streams: one source for each name that somebody subscribes to, read on a common grid and sent only when something is new.
 * Invariants: a message is made and encoded once for all sockets; the messages of a depth stream form a chain (`pu` is the `u` before), and
 * a client that missed one is given the chain's break, so that it reads the book anew.
 */
import type { Clock } from '../../../platform/clock/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { ExchangeError } from '../errors.ts';
import {
  aggregateTradeMessage,
  bookTickerMessage,
  changedLevels,
  type Depth,
  depthMessage,
  klineMessage,
  type MarketReads,
  markPriceMessage,
  miniTickerMessage,
  tickerMessage,
  tradeMessage,
} from './market-messages.ts';
import type { StreamName } from './names.ts';
import { StreamMessage, type StreamSocket } from './socket.ts';

export const gridMs = 100;
/** Levels that a stream of changes follows; the snapshot of 1,000 is a superset of no more than these. */
const depthLevels = 1_000;

interface Source {
  readonly name: string;
  readonly stream: StreamName;
  readonly sockets: Set<StreamSocket>;
  /** The payloads that are new at `now`; a source remembers what it has sent. */
  readonly next: (now: number) => Promise<readonly unknown[]>;
  readonly release: () => void;
  isReading: boolean;
}

export interface MarketStreamsOptions {
  readonly reads: MarketReads;
  readonly clock: Clock;
  readonly log: Log;
  /** Registers interest in a symbol (null: all of them); the returned function ends it. */
  readonly follow: (id: string | null) => () => void;
}

export class MarketStreams {
  readonly #options: MarketStreamsOptions;
  readonly #sources = new Map<string, Source>();
  #dropped = 0;

  constructor(options: MarketStreamsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#sources.size;
  }

  /** Messages that slow clients did not get. */
  get dropped(): number {
    return this.#dropped;
  }

  subscribe(socket: StreamSocket, name: string, stream: StreamName): void {
    if (socket.streams.has(name)) return;
    socket.streams.add(name);
    const source = this.#sources.get(name) ?? this.#open(name, stream);
    source.sockets.add(socket);
  }

  unsubscribe(socket: StreamSocket, name: string): void {
    if (!socket.streams.delete(name)) return;
    const source = this.#sources.get(name);
    source?.sockets.delete(socket);
    if (source?.sockets.size !== 0) return;
    source.release();
    this.#sources.delete(name);
  }

  /** Called each `gridMs`; `beat` counts. */
  flush(beat: number): void {
    for (const source of this.#sources.values()) {
      const isDue = (beat * gridMs) % source.stream.everyMs === 0;
      if (isDue && !source.isReading) void this.#read(source);
    }
  }

  #open(name: string, stream: StreamName): Source {
    const source: Source = {
      ...{ name, stream, sockets: new Set<StreamSocket>(), isReading: false },
      next: sourceOf(this.#options.reads, stream),
      release: this.#options.follow(stream.id),
    };
    this.#sources.set(name, source);
    // The chain of a book begins before its subscriber reads the snapshot.
    if (stream.kind === 'depth' && stream.levels === null) void this.#read(source);
    return source;
  }

  async #read(source: Source): Promise<void> {
    source.isReading = true;
    const now = this.#options.clock.now();
    try {
      for (const payload of await source.next(now)) this.#send(source, payload, now);
    } catch (error) {
      // Without a price there is nothing to say yet.
      if (!(error instanceof ExchangeError))
        this.#options.log.error({ err: error, stream: source.name }, 'a stream failed');
    } finally {
      source.isReading = false;
    }
  }

  #send(source: Source, payload: unknown, now: number): void {
    const update = new StreamMessage(source.name, payload);
    for (const socket of source.sockets) if (!socket.sendMarket(update, now)) this.#dropped += 1;
  }
}

function sourceOf(reads: MarketReads, stream: StreamName): Source['next'] {
  switch (stream.kind) {
    case 'depth':
      return stream.levels === null
        ? depthChanges(reads, stream.id)
        : depthOf(reads, stream.id, stream.levels);
    case 'kline':
      return klinesOf(reads, stream.id, stream.interval);
    case 'trade':
      return newTrades(
        stream.id,
        (id) => reads.trades(id),
        ({ id }) => id,
        tradeMessage,
      );
    case 'aggTrade':
      return newTrades(
        stream.id,
        (id) => reads.aggregateTrades(id),
        ({ a }) => a,
        aggregateTradeMessage,
      );
    case 'bookTicker':
      return changedRows(stream.id, (id) => reads.bookTickers(id), bookTickerMessage, 'each');
    case 'miniTicker':
      return changedRows(stream.id, (id) => reads.tickers(id), miniTickerMessage);
    case 'ticker':
      return changedRows(stream.id, (id) => reads.tickers(id), tickerMessage);
    case 'markPrice': {
      // Its time goes on without a new price, so each beat has a message.
      const { id } = stream;
      return async (now) => {
        const rows = (await reads.markPrices(id)).map((row) => markPriceMessage(row, now));
        return id === null ? [rows] : rows;
      };
    }
  }
}

function depthChanges(reads: MarketReads, id: string): Source['next'] {
  let last: Depth | null = null;
  let sent = 0;
  return async () => {
    const depth = await reads.depth(id, depthLevels);
    const before = last;
    last = depth;
    if (before === null) {
      sent = depth.lastUpdateId;
      return [];
    }
    const [bids, asks] = [changedLevels(before.bids, depth.bids), changedLevels(before.asks, depth.asks)];
    if (bids.length + asks.length === 0) return [];
    const pu = sent;
    // Two books may have one number; the snapshot's never falls behind the chain's.
    sent = Math.max(depth.lastUpdateId, pu);
    return [depthMessage(id, { ...depth, bids, asks }, { u: sent, pu })];
  };
}

function depthOf(reads: MarketReads, id: string, levels: number): Source['next'] {
  let sent = -1;
  return async () => {
    const depth = await reads.depth(id, levels);
    if (depth.lastUpdateId === sent) return [];
    const pu = sent === -1 ? depth.lastUpdateId : sent;
    sent = depth.lastUpdateId;
    return [depthMessage(id, depth, { u: sent, pu })];
  };
}

function klinesOf(reads: MarketReads, id: string, interval: string): Source['next'] {
  let sentAt = -1;
  let sent = '';
  return async (now) => {
    const [before, open] = (await reads.klines(id, interval, 2)).slice(-2);
    const bar = open ?? before;
    if (!bar) return [];
    const messages: unknown[] = [];
    // The bar that was open the last time has closed.
    if (before && open && sentAt === before[0]) messages.push(klineMessage(id, interval, before, true, now));
    const text = JSON.stringify(bar);
    if (text !== sent) messages.push(klineMessage(id, interval, bar, false, now));
    [sentAt, sent] = [bar[0], text];
    return messages;
  };
}

function newTrades<Row>(
  id: string | null,
  read: (id: string) => Promise<readonly Row[]>,
  numberOf: (row: Row) => number,
  toMessage: (id: string, row: Row, now: number) => unknown,
): Source['next'] {
  let last: number | null = null;
  return async (now) => {
    if (id === null) return [];
    const rows = await read(id);
    const newest = rows.reduce((most, row) => Math.max(most, numberOf(row)), last ?? -1);
    const before = last;
    last = newest;
    // What was traded before the subscription is read by REST.
    if (before === null) return [];
    return rows.filter((row) => numberOf(row) > before).map((row) => toMessage(id, row, now));
  };
}

/** Rows that differ from those that were sent last: one message each, or for all symbols one array of them. */
function changedRows<Row extends { readonly symbol: string }>(
  id: string | null,
  read: (id: string | null) => Promise<readonly Row[]>,
  toMessage: (row: Row, now: number) => unknown,
  allAs: 'array' | 'each' = 'array',
): Source['next'] {
  const sent = new Map<string, string>();
  return async (now) => {
    const changed = (await read(id)).filter((row) => {
      const text = JSON.stringify(row);
      const isNew = sent.get(row.symbol) !== text;
      sent.set(row.symbol, text);
      return isNew;
    });
    const messages = changed.map((row) => toMessage(row, now));
    return id === null && allAs === 'array' && messages.length > 0 ? [messages] : messages;
  };
}
