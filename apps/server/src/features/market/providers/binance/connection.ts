/**
 * One websocket to the exchange, from connecting to its end. Subscriptions go out in batches and spaced, because more
 * than five messages a second end the connection; each answer is matched to its request by id, and a refused batch is
 * halved until the stream that the exchange refuses is alone.
 * Invariant: `closed` is called once, and no callback follows it; frames that are no event of ours are ignored.
 * Pings are answered by `ws` itself.
 * Source: binance-spot-api-docs, web-socket-streams.md.
 */
import type { IncomingMessage } from 'node:http';
import type { RawData } from 'ws';
import { BoundedMap } from '../../../../platform/cache/bounded-map.ts';
import type { Outbound } from '../../../../platform/outbound/index.ts';
import type { Services } from '../../../../platform/services.ts';
import { type MarketEvent, readFrame } from './frames.ts';
import type { Warn } from './warnings.ts';

/** At most four messages a second of ours; the fifth is left to pongs. */
const sendEveryMs = 250;
/** Streams in one message, of about 2 kB. */
const batchMax = 100;
/** Pending requests; beyond this number the oldest is dropped. */
const pendingMax = 256;
/** An open connection without any event for so long is dead: acknowledgements and pings are no sign of life. */
const silentAfterMs = 30_000;

export interface ConnectionEvents {
  /** Once, when the websocket is open. */
  readonly opened: () => void;
  readonly event: (event: MarketEvent) => void;
  /** Once: everything is subscribed, and an event has arrived. */
  readonly flowing: () => void;
  /** The exchange does not have this stream. */
  readonly refused: (stream: string) => void;
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
  /** What is streamed from now on, as the exchange names it: `btcusdt@ticker`. */
  setStreams(streams: readonly string[]): void;
  /** Ends a connection that has been silent for too long; to be called once a second or so. */
  closeIfSilent(now: number): void;
  /** When it opened, ms since the epoch; null before. */
  openedAt(): number | null;
  /** Closes it; resolves when the socket is gone. */
  close(why: string): Promise<void>;
}

export interface ConnectionOptions extends Pick<Services, 'timers' | 'log'> {
  /** With the path of single or of combined streams. */
  readonly url: string;
  /** What is streamed from the beginning. */
  readonly streams: readonly string[];
  readonly outbound: Pick<Outbound, 'connect'>;
  readonly warn: Warn;
  readonly events: ConnectionEvents;
}

interface Request {
  readonly method: 'SUBSCRIBE' | 'UNSUBSCRIBE';
  readonly streams: readonly string[];
}

export function openConnection({
  url,
  streams: initial,
  outbound,
  timers,
  warn,
  log,
  events,
}: ConnectionOptions): Connection {
  const socket = outbound.connect(url);
  const required = new Set(initial);
  /** The requested streams. */
  const subscribed = new Set<string>();
  /** Parts of refused batches that will be requested again. */
  const retryBatches: string[][] = [];
  const pending = new BoundedMap<number, Request>(pendingMax);
  let lastId = 0;
  let cancelPause: (() => void) | null = null;
  let openedAt: number | null = null;
  let lastEventAt = -Infinity;
  let isFlowing = false;
  let closeReason: string | null = null;
  const socketClosed = new Promise<void>((resolve) => socket.once('close', () => resolve()));

  /** What is to be sent next, computed from what is missing, so that no change of mind piles up. */
  function nextRequest(): Request | null {
    const [part] = retryBatches;
    if (part) return { method: 'SUBSCRIBE', streams: part };
    const unwanted = [...subscribed].filter((stream) => !required.has(stream)).slice(0, batchMax);
    if (unwanted.length > 0) return { method: 'UNSUBSCRIBE', streams: unwanted };
    const missing = [...required].filter((stream) => !subscribed.has(stream)).slice(0, batchMax);
    return missing.length > 0 ? { method: 'SUBSCRIBE', streams: missing } : null;
  }

  function send(): void {
    if (cancelPause || socket.readyState !== socket.OPEN) return;
    const request = nextRequest();
    if (!request) return;
    const { method, streams } = request;
    // Where there was a part, it came first.
    retryBatches.shift();
    for (const stream of streams) {
      if (method === 'SUBSCRIBE') subscribed.add(stream);
      else subscribed.delete(stream);
    }
    lastId += 1;
    pending.set(lastId, request);
    socket.send(JSON.stringify({ method, params: streams, id: lastId }));
    cancelPause = timers.after(sendEveryMs, () => {
      cancelPause = null;
      send();
    });
  }

  function take(raw: RawData, isBinary: boolean): void {
    if (closeReason !== null) return;
    if (isBinary) {
      warn('a binary frame of the exchange was ignored', {});
      return;
    }
    const frame = readFrame(String(raw));
    switch (frame.kind) {
      case 'unknown':
        warn('a frame of the exchange was ignored', { why: frame.why });
        return;
      case 'shutdown':
        events.shutdown();
        return;
      case 'answer':
        takeAnswer(frame.id, frame.error);
        return;
      default:
        takeEvent(frame);
    }
  }

  function takeEvent(event: MarketEvent): void {
    lastEventAt = timers.now();
    events.event(event);
    if (isFlowing || nextRequest()) return;
    isFlowing = true;
    events.flowing();
  }

  function takeAnswer(id: unknown, error: string | null): void {
    const request = typeof id === 'number' ? pending.get(id) : undefined;
    if (typeof id === 'number') pending.delete(id);
    if (!request) {
      warn('an answer of the exchange matches no request', { id, error });
      return;
    }
    if (error === null) return;
    const { method, streams } = request;
    const [only] = streams;
    if (method === 'UNSUBSCRIBE' || only === undefined) {
      warn('the exchange refused to end streams', { error, streams });
    } else if (streams.length === 1) {
      log.warn({ stream: only, error }, 'the exchange does not have a stream; its symbol goes on without');
      subscribed.delete(only);
      required.delete(only);
      events.refused(only);
    } else {
      warn('the exchange refused a batch of streams, which is halved', { error, streams: streams.length });
      const half = Math.ceil(streams.length / 2);
      retryBatches.push(streams.slice(0, half), streams.slice(half));
      send();
    }
  }

  function refuseHandshake(answer: IncomingMessage): void {
    answer.resume();
    const status = answer.statusCode ?? 0;
    closeReason ??= `the handshake was answered with HTTP ${status}`;
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
    closeReason ??= error.message;
  });
  socket.on('close', (code) => {
    cancelPause?.();
    events.closed(closeReason ?? `closed by the exchange (${code})`);
  });

  return {
    setStreams(streams) {
      required.clear();
      for (const stream of streams) required.add(stream);
      send();
    },
    closeIfSilent(now) {
      if (openedAt === null) return;
      // After a clock that was set back the silence is counted from now.
      openedAt = Math.min(openedAt, now);
      lastEventAt = Math.min(lastEventAt, now);
      if (now - Math.max(openedAt, lastEventAt) <= silentAfterMs) return;
      closeReason ??= 'no data received';
      socket.terminate();
    },
    openedAt: () => openedAt,
    close(why) {
      closeReason ??= why;
      socket.terminate();
      return socketClosed;
    },
  };
}
