/**
 * Market streams: one source for each name that somebody subscribes to, read on a common grid and sent only when something is new.
 * Invariants: a message is made and encoded once for all sockets; the messages of a depth stream form a chain (`pu` is the `u` before), and
 * a client that missed one is given the chain's break, so that it reads the book anew.
 */
import type { Clock } from '../../../platform/clock/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { exchangeErrorOf } from '../errors.ts';
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
/** Levels that a stream of changes follows: all that there are. */
const depthLevels = 1_000;
/** Streams of the whole server that somebody listens to; more are refused. */
const sourcesMax = 4_000;

interface Source {
  readonly name: string;
  readonly stream: StreamName;
  readonly sockets: Set<StreamSocket>;
  /** The payloads that are new at `now`; a source remembers what it has sent. */
  readonly next: (now: number) => Promise<readonly unknown[]>;
  readonly release: () => void;
  /** Of a book's changes: a snapshot that a client was given between two messages. */
  readonly noteSnapshot: ((depth: Depth) => void) | null;
  isReading: boolean;
}
/** What one kind of stream does. */
type Reader = Pick<Source, 'next'> & Partial<Pick<Source, 'noteSnapshot'>>;

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

  /** False when the server has no room for another stream. */
  subscribe(socket: StreamSocket, name: string, stream: StreamName): boolean {
    const known = this.#sources.get(name);
    if (!known && this.#sources.size >= sourcesMax) return false;
    socket.streams.add(name);
    const source = known ?? this.#open(name, stream);
    source.sockets.add(socket);
    return true;
  }

  /** Call with each snapshot of a book that a client is given, so that the next message of its streams leads on from it. */
  noteSnapshot(id: string, depth: Depth): void {
    for (const source of this.#sources.values()) if (source.stream.id === id) source.noteSnapshot?.(depth);
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
      ...{ name, stream, sockets: new Set<StreamSocket>(), isReading: false, noteSnapshot: null },
      ...readerOf(this.#options.reads, stream),
      release: this.#options.follow(stream.id),
    };
    this.#sources.set(name, source);
    // What a client reads by REST from now on is no older than what the stream begins with.
    void this.#read(source);
    return source;
  }

  async #read(source: Source): Promise<void> {
    source.isReading = true;
    const now = this.#options.clock.now();
    try {
      for (const payload of await source.next(now)) this.#send(source, payload, now);
    } catch (error) {
      // Without a price there is nothing to say yet; a busy server says it with the next beat.
      if (exchangeErrorOf(error) === null)
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

function readerOf(reads: MarketReads, stream: StreamName): Reader {
  if (stream.kind === 'depth' && stream.levels === null) return depthChanges(reads, stream.id);
  return { next: nextOf(reads, stream) };
}

function nextOf(reads: MarketReads, stream: StreamName): Source['next'] {
  switch (stream.kind) {
    case 'depth':
      return depthOf(reads, stream.id, stream.levels ?? depthLevels);
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

/** Levels of snapshots in between are told anew, whether they are there still or gone. */
function depthChanges(reads: MarketReads, id: string): Reader {
  let last: Depth | null = null;
  let sent = 0;
  let touched: Depth[] = [];
  return {
    noteSnapshot: (depth) => {
      if (last !== null && depth.lastUpdateId > sent) touched.push(depth);
      if (touched.length > snapshotsMax) touched = [joined(touched)];
    },
    next: async () => {
      const depth = await reads.depth(id, depthLevels);
      const before = last;
      last = depth;
      if (before === null) {
        sent = depth.lastUpdateId;
        return [];
      }
      const seen = [before, ...touched];
      touched = [];
      const changedOf = (side: 'bids' | 'asks') =>
        changedLevels(
          seen.map((one) => one[side]),
          depth[side],
        );
      const [bids, asks] = [changedOf('bids'), changedOf('asks')];
      if (bids.length + asks.length === 0) return [];
      const pu = sent;
      sent = Math.max(depth.lastUpdateId, pu + 1);
      return [depthMessage(id, { ...depth, bids, asks }, { u: sent, pu })];
    },
  };
}

/** Snapshots between two messages that are kept apart; more of them are joined. */
const snapshotsMax = 20;
const joined = (depths: readonly Depth[]): Depth => {
  const [first] = depths;
  if (!first) throw new RangeError('at least one snapshot');
  return { ...first, bids: depths.flatMap(({ bids }) => bids), asks: depths.flatMap(({ asks }) => asks) };
};

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
  let openAt: number | null = null;
  let sent = '';
  return async (now) => {
    const bars = await reads.klines(id, interval, klinesRead);
    const open = bars.at(-1);
    if (!open) return [];
    const before = openAt;
    // The bars that were open the last time, and since, have closed.
    const closed = before === null ? [] : bars.slice(0, -1).filter(([openTime]) => openTime >= before);
    const messages = closed.map((bar) => klineMessage(id, interval, bar, true, now));
    const text = JSON.stringify(open);
    if (text !== sent) messages.push(klineMessage(id, interval, open, false, now));
    [openAt, sent] = [open[0], text];
    return messages;
  };
}
/** More than one may close before a busy server reads again. */
const klinesRead = 5;

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
