/**
 * Websocket frames of the exchange: events of `<symbol>@ticker`, `@bookTicker`, `@depth20` and `@aggTrade`, answers to our requests, and
 * the notice of a server shutdown; each also in the wrapper of combined streams, which alone names the symbol of a depth. Any other
 * frame gets a kind of its own; the parser never throws.
 * Source: binance-spot-api-docs, web-socket-streams.md.
 */
import { asPrice, asSize, type Level, levelsPerSide, type MarketTrade } from '@fulcrum/domain';
import type { DayFigures } from '../../feed.ts';
import { priceUnitsMax } from '../../price.ts';
import { dayFigures, readInstant, readUnits } from './figures.ts';

export interface TickerEvent {
  readonly kind: 'ticker';
  readonly symbol: string;
  /** As sent; not yet known to be a price. */
  readonly price: unknown;
  /** The exchange's time, ms since the epoch; null when the event states none. */
  readonly eventTime: number | null;
  readonly day: DayFigures | undefined;
}

/** The best price of each side, or its best levels, the best first. */
export interface BookEvent {
  readonly kind: 'best' | 'depth';
  readonly symbol: string;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

export interface TradeEvent extends MarketTrade {
  readonly kind: 'trade';
  readonly symbol: string;
}

export type MarketEvent = TickerEvent | BookEvent | TradeEvent;

export type Frame =
  | MarketEvent
  | { readonly kind: 'answer'; readonly id: unknown; readonly error: string | null }
  | { readonly kind: 'shutdown' }
  | { readonly kind: 'unknown'; readonly why: string };

/** An event of one symbol has about 500 bytes, a depth about 1500. */
const frameLengthMax = 64 * 1024;
const shownLengthMax = 200;
const symbolForm = /^[A-Z0-9._-]{1,32}$/;
const tickerEvents: ReadonlySet<unknown> = new Set([undefined, '24hrTicker', '24hrMiniTicker']);

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const unknownFrame = (why: string): Frame => ({ kind: 'unknown', why });

export function readFrame(text: string): Frame {
  if (text.length > frameLengthMax) return unknownFrame(`${text.length} characters`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return unknownFrame('not JSON');
  }
  if (!isObject(parsed)) return unknownFrame('not an object');
  const combined = 'stream' in parsed && isObject(parsed.data) ? parsed.data : null;
  const event = combined ?? parsed;
  if (event.e === 'serverShutdown') return { kind: 'shutdown' };
  if ('s' in event && 'c' in event) return readTicker(event);
  if (combined && 'bids' in combined) return readDepth(parsed.stream, combined);
  if (event.e === 'aggTrade') return readTrade(event);
  if (event.e === undefined && 's' in event && 'b' in event) return readBest(event);
  if ('id' in event || 'error' in event) return { kind: 'answer', id: event.id, error: readError(event) };
  return unknownFrame(formatText(event.e ?? Object.keys(event).slice(0, 5).join()));
}

/** Turning a foreign object into text may throw: it may be nested too deeply, or call something else its `toString`. */
const formatText = (value: unknown): string =>
  (typeof value === 'object' && value !== null ? 'an object' : String(value)).slice(0, shownLengthMax);

/** FEED-13: `s` is the symbol and `c` the last price; everything beside them may be missing. */
function readTicker({ e, E, s, c, P, v, q, h, l }: Fields): Frame {
  if (!tickerEvents.has(e)) return unknownFrame(formatText(e));
  if (typeof s !== 'string' || !symbolForm.test(s)) return unknownFrame('no symbol');
  const eventTime = readInstant(E);
  // Without a time that can be read the order of events is lost, so a wrong one is no event.
  if (E !== undefined && eventTime === null) return unknownFrame('no event time');
  const day = dayFigures({ percent: P, volume: v, quoteVolume: q, high: h, low: l });
  return { kind: 'ticker', symbol: s, price: c, eventTime, day };
}

/** One level a side; a side that is empty has sizes of zero, and is no book. */
function readBest({ s, b, B, a, A }: Fields): Frame {
  const [bids, asks] = [readLevels([[b, B]], -1), readLevels([[a, A]], 1)];
  if (typeof s !== 'string' || !symbolForm.test(s)) return unknownFrame('no symbol');
  return bids && asks ? { kind: 'best', symbol: s, bids, asks } : unknownFrame('no best prices');
}

/** The name of the stream is the symbol in lower case, and what is streamed. */
function readDepth(stream: unknown, { bids, asks }: Fields): Frame {
  const symbol = typeof stream === 'string' ? (stream.split('@')[0] ?? '').toUpperCase() : '';
  const [buying, selling] = [readLevels(bids, -1), readLevels(asks, 1)];
  if (!symbolForm.test(symbol)) return unknownFrame('no symbol');
  return buying && selling
    ? { kind: 'depth', symbol, bids: buying, asks: selling }
    : unknownFrame('no levels');
}

/** Null unless every level is a price and a size, each further from the middle than the one before. */
function readLevels(stated: unknown, direction: 1 | -1): readonly Level[] | null {
  if (!Array.isArray(stated) || stated.length === 0 || stated.length > levelsPerSide) return null;
  const levels: Level[] = [];
  for (const level of stated) {
    const [price, size] = Array.isArray(level) ? [readUnits(level[0]), readUnits(level[1])] : [null, null];
    if (price === null || size === null || price > priceUnitsMax) return null;
    const last = levels.at(-1)?.price;
    if (last !== undefined && (direction === 1 ? price <= last : price >= last)) return null;
    levels.push({ price: asPrice(price), size: asSize(size) });
  }
  return levels;
}

/** `m`: the buyer had waited, so the seller took. */
function readTrade({ s, p, q, T, m }: Fields): Frame {
  const [price, size, at] = [readUnits(p), readUnits(q), readInstant(T)];
  if (typeof s !== 'string' || !symbolForm.test(s)) return unknownFrame('no symbol');
  if (price === null || size === null || at === null || price > priceUnitsMax || typeof m !== 'boolean')
    return unknownFrame('no trade');
  const side = m ? 'SELL' : 'BUY';
  return { kind: 'trade', symbol: s, price: asPrice(price), size: asSize(size), side, at };
}

/** The docs print an error bare (`code`, `msg`), the wire has it under `error`. */
function readError(answer: Fields): string | null {
  if (!('error' in answer)) return null;
  const { error } = answer;
  return isObject(error) ? `${formatText(error.code)}: ${formatText(error.msg)}` : formatText(error);
}
