/**
 * One websocket to the exchange, from connecting to its end. Subscriptions go out in batches and spaced, because more
 * than five messages a second end the connection; each answer is matched to its request by id, and a refused batch is
 * halved until the symbol that the exchange will not stream stands alone.
 * Invariant: after `closed` was told, once, nothing else is; frames that are no event of ours do no harm.
 * Pings are answered by `ws` itself.
 * Source: binance-spot-api-docs, web-socket-streams.md.
 */
import type { IncomingMessage } from 'node:http';
import type { RawData } from 'ws';
import type { Timers } from '../../../../platform/clock/index.ts';
import type { Log } from '../../../../platform/log/index.ts';
import type { Outbound } from '../../../../platform/outbound/index.ts';
import { readFrame, type TickerEvent } from './frames.ts';
import type { Warn } from './warnings.ts';

/** At most four messages a second of ours; the fifth is left to pongs. */
const sendEveryMs = 250;
/** Streams in one message, of about 2 kB. */
const batchMax = 100;
/** Requests whose answers are awaited; the oldest is forgotten beyond. */
const awaitedMax = 256;
/** An open connection without any event for so long is dead: acknowledgements and pings are no sign of life. */
const silentAfterMs = 30_000;

export interface ConnectionEvents {
  /** Once, when the websocket is open. */
  readonly opened: () => void;
  readonly ticker: (event: TickerEvent) => void;
  /** Once: everything is subscribed, and an event has arrived. */
  readonly flowing: () => void;
  /** The exchange will not stream this symbol. */
  readonly refused: (symbol: string) => void;
  /** The server goes down soon. */
  readonly shutdown: () => void;
  /** The exchange answered the handshake with this instead of a websocket. */
  readonly handshakeRefused: (answer: {
    readonly status: number;
    readonly retryAfter: string | null;
  }) => void;
  /** Once, at the end. */
  readonly closed: (why: string) => void;
}

export interface Connection {
  /** What is streamed from now on. */
  stream(symbols: readonly string[]): void;
  /** Ends a connection that has been silent for too long; to be called once a second or so. */
  look(now: number): void;
  /** When it opened, ms since the epoch; null before. */
  openedAt(): number | null;
  /** Ends it; resolves when the socket is gone. */
  close(why: string): Promise<void>;
}

export interface ConnectionOptions {
  readonly url: string;
  /** What is streamed from the beginning. */
  readonly symbols: readonly string[];
  readonly outbound: Pick<Outbound, 'connect'>;
  readonly timers: Timers;
  readonly warn: Warn;
  readonly log: Log;
  readonly events: ConnectionEvents;
}

interface Request {
  readonly method: 'SUBSCRIBE' | 'UNSUBSCRIBE';
  readonly symbols: readonly string[];
}

/** FEED-11, FEED-12. */
const streamOf = (symbol: string): string => `${symbol.toLowerCase()}@ticker`;

export function openConnection({
  url,
  symbols: initial,
  outbound,
  timers,
  warn,
  log,
  events,
}: ConnectionOptions): Connection {
  const socket = outbound.connect(`${url}/ws`);
  const wanted = new Set(initial);
  /** What the exchange was asked to stream. */
  const asked = new Set<string>();
  /** Parts of refused batches, to be asked for anew. */
  const parts: string[][] = [];
  const awaited = new Map<number, Request>();
  let lastId = 0;
  let cancelPause: (() => void) | null = null;
  let openedAt: number | null = null;
  let heardAt = -Infinity;
  let isFlowing = false;
  let endsBecause: string | null = null;
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));

  /** What is to be sent next, computed from what is missing, so that no change of mind piles up. */
  function nextRequest(): Request | null {
    const [part] = parts;
    if (part) return { method: 'SUBSCRIBE', symbols: part };
    const unwanted = [...asked].filter((symbol) => !wanted.has(symbol)).slice(0, batchMax);
    if (unwanted.length > 0) return { method: 'UNSUBSCRIBE', symbols: unwanted };
    const missing = [...wanted].filter((symbol) => !asked.has(symbol)).slice(0, batchMax);
    return missing.length > 0 ? { method: 'SUBSCRIBE', symbols: missing } : null;
  }

  function send(): void {
    if (cancelPause || socket.readyState !== socket.OPEN) return;
    const request = nextRequest();
    if (!request) return;
    const { method, symbols } = request;
    // Where there was a part, it came first.
    parts.shift();
    for (const symbol of symbols) {
      if (method === 'SUBSCRIBE') asked.add(symbol);
      else asked.delete(symbol);
    }
    lastId += 1;
    if (awaited.size >= awaitedMax) forgetOldest(awaited);
    awaited.set(lastId, request);
    socket.send(JSON.stringify({ method, params: symbols.map(streamOf), id: lastId }));
    cancelPause = timers.after(sendEveryMs, () => {
      cancelPause = null;
      send();
    });
  }

  function take(raw: RawData, isBinary: boolean): void {
    if (endsBecause !== null) return;
    if (isBinary) {
      warn('a binary frame of the exchange was ignored', {});
      return;
    }
    const frame = readFrame(String(raw));
    if (frame.kind === 'unknown') warn('a frame of the exchange was ignored', { why: frame.why });
    if (frame.kind === 'shutdown') events.shutdown();
    if (frame.kind === 'answer') takeAnswer(frame.id, frame.error);
    if (frame.kind !== 'ticker') return;
    heardAt = timers.now();
    events.ticker(frame);
    if (isFlowing || nextRequest()) return;
    isFlowing = true;
    events.flowing();
  }

  function takeAnswer(id: unknown, error: string | null): void {
    const request = typeof id === 'number' ? awaited.get(id) : undefined;
    if (typeof id === 'number') awaited.delete(id);
    if (!request) {
      warn('an answer of the exchange to nothing that was asked', { id, error });
      return;
    }
    if (error === null) return;
    const { method, symbols } = request;
    const [only] = symbols;
    if (method === 'UNSUBSCRIBE' || only === undefined) {
      warn('the exchange refused to end streams', { error, symbols });
    } else if (symbols.length === 1) {
      log.warn({ symbol: only, error }, 'the exchange does not stream a symbol; it is polled instead');
      asked.delete(only);
      wanted.delete(only);
      events.refused(only);
    } else {
      warn('the exchange refused a batch of streams, which is halved', { error, streams: symbols.length });
      const half = Math.ceil(symbols.length / 2);
      parts.push(symbols.slice(0, half), symbols.slice(half));
      send();
    }
  }

  function refuseHandshake(answer: IncomingMessage): void {
    answer.resume();
    const status = answer.statusCode ?? 0;
    endsBecause ??= `the handshake was answered with HTTP ${status}`;
    events.handshakeRefused({ status, retryAfter: answer.headers['retry-after'] ?? null });
    socket.terminate();
  }

  socket.on('open', () => {
    openedAt = timers.now();
    events.opened();
    send();
  });
  socket.on('message', take);
  socket.on('unexpected-response', (_request, answer) => refuseHandshake(answer));
  socket.on('error', (error) => {
    endsBecause ??= error.message;
  });
  socket.on('close', (code) => {
    cancelPause?.();
    events.closed(endsBecause ?? `closed by the exchange (${code})`);
  });

  return {
    stream(symbols) {
      wanted.clear();
      for (const symbol of symbols) wanted.add(symbol);
      send();
    },
    look(now) {
      if (openedAt === null) return;
      // After a clock that was set back the silence is counted from now.
      openedAt = Math.min(openedAt, now);
      heardAt = Math.min(heardAt, now);
      if (now - Math.max(openedAt, heardAt) <= silentAfterMs) return;
      endsBecause ??= 'nothing was heard';
      socket.terminate();
    },
    openedAt: () => openedAt,
    close(why) {
      endsBecause ??= why;
      socket.terminate();
      return gone;
    },
  };
}

function forgetOldest(awaited: Map<number, Request>): void {
  const oldest = awaited.keys().next();
  if (!oldest.done) awaited.delete(oldest.value);
}
