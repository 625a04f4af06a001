/**
 * Websocket frames of the exchange: `<symbol>@ticker` events, answers to our requests, and the notice of a server shutdown;
 * each also in the wrapper of combined streams. Any other frame gets a kind of its own; the parser never throws.
 * Source: binance-spot-api-docs, web-socket-streams.md.
 */
import type { DayFigures } from '../../feed.ts';
import { dayFigures, readInstant } from './figures.ts';

export interface TickerEvent {
  readonly kind: 'ticker';
  readonly symbol: string;
  /** As sent; not yet known to be a price. */
  readonly price: unknown;
  /** The exchange's time, ms since the epoch; null when the event states none. */
  readonly eventTime: number | null;
  readonly day: DayFigures | undefined;
}

export type Frame =
  | TickerEvent
  | { readonly kind: 'answer'; readonly id: unknown; readonly error: string | null }
  | { readonly kind: 'shutdown' }
  | { readonly kind: 'unknown'; readonly why: string };

/** An event of one symbol has about 500 bytes. */
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
  const event = 'stream' in parsed && isObject(parsed.data) ? parsed.data : parsed;
  if (event.e === 'serverShutdown') return { kind: 'shutdown' };
  if ('s' in event && 'c' in event) return readTicker(event);
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

/** The docs print an error bare (`code`, `msg`), the wire has it under `error`. */
function readError(answer: Fields): string | null {
  if (!('error' in answer)) return null;
  const { error } = answer;
  return isObject(error) ? `${formatText(error.code)}: ${formatText(error.msg)}` : formatText(error);
}
