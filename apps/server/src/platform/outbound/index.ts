/**
 * HTTP and websocket client for market data providers, push services, the operator's webhook and language model; no other module calls
 * the outside. Invariants: only
 * public addresses are called, checked on the connected address. `allowPrivate` adds this machine and private networks, but
 * never link-local ones, which hold cloud secrets. No redirect is followed. Time, size, concurrent requests, connections per
 * host and sockets are bounded.
 *
 * Known limitation: proxies of the environment (HTTPS_PROXY) are not used.
 */
import { Socket } from 'node:net';
import { Agent, type Dispatcher, request } from 'undici';
import { WebSocket } from 'ws';
import type { Timers } from '../clock/index.ts';
import type { Log } from '../log/index.ts';
import { acceptEncoding, readBody, readParts } from './body.ts';
import { OutboundError } from './outbound-error.ts';
import { guardedLookup, type Resolve, systemResolve, targetOf } from './target.ts';

export { OutboundError } from './outbound-error.ts';

export interface OutboundResponse {
  readonly status: number;
  /** Names in lowercase; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Unpacked, decoded as UTF-8. */
  readonly text: string;
}

interface GetOptions {
  /** From the call to the last byte of the response. */
  readonly timeoutMs: number;
  readonly headers?: Readonly<Record<string, string>>;
}

interface PostOptions extends GetOptions {
  readonly body: Uint8Array;
  /** Whether http is allowed as well. */
  readonly allowHttp?: boolean;
}

export interface StreamOptions extends PostOptions {
  /** Ends the request, and the reading of its body. */
  readonly signal: AbortSignal;
  readonly bytesMax: number;
}

interface OutboundStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it arrives, decoded as UTF-8. Reading it throws an OutboundError, and releases the request when it ends. */
  readonly parts: AsyncIterable<string>;
}

export interface Outbound {
  /**
   * One GET over http or https; any status resolves, a redirect too.
   * @throws OutboundError
   */
  get(url: string, options: GetOptions): Promise<OutboundResponse>;
  /**
   * One POST over https, and over http only with `allowHttp`; as `get` otherwise.
   * @throws OutboundError
   */
  post(url: string, options: PostOptions): Promise<OutboundResponse>;
  /**
   * Opens a websocket (ws or wss) and returns it while it connects. It never throws: a refusal (an OutboundError), or no
   * connection after 10 s, emits `error`, then `close`. A message above 1 MB ends it.
   */
  connect(url: string): WebSocket;
  /** Aborts all requests; they reject with `closed`. Later requests reject as well. */
  close(): Promise<void>;
}

export interface StreamingOutbound extends Outbound {
  /**
   * One POST whose answer is read while it arrives; as `post` otherwise. `timeoutMs` covers the whole body.
   * @throws OutboundError
   */
  postForStream(url: string, options: StreamOptions): Promise<OutboundStream>;
}

export interface OutboundOptions {
  /** Whether addresses of this machine and of private networks may be called. */
  readonly allowPrivate: boolean;
  readonly timers: Timers;
  readonly log: Log;
  /** By default the resolver of the operating system. */
  readonly resolve?: Resolve;
}

const inFlightMax = 256;
const connectionsPerHostMax = 8;
const hostsMax = 32;
const socketsMax = 16;
const handshakeMs = 10_000;
const messageBytesMax = 1024 * 1024;
/** Node's 16 kB are too few: Yahoo sends headers of up to 34 kB (github.com/iprak/yahoofinance, pull 173). */
const headerBytesMax = 64 * 1024;

export function createOutbound({
  allowPrivate,
  timers,
  log,
  resolve = systemResolve,
}: OutboundOptions): StreamingOutbound {
  const lookup = guardedLookup(resolve, allowPrivate);
  const agent = new Agent({
    connections: connectionsPerHostMax,
    maxOrigins: hostsMax,
    maxHeaderSize: headerBytesMax,
    // The deadline of the request, on the injected timers, covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    connect: { lookup, allowH2: false },
  });
  const underWay = new Set<AbortController>();
  const sockets = new Set<WebSocket>();
  let closed = false;

  /** Logs a refusal once per address: the same request repeats often. */
  const refusalsLogged = new Set<string>();
  const refuse = (error: OutboundError): OutboundError => {
    if (error.reason !== 'refused' || refusalsLogged.has(error.message)) return error;
    if (refusalsLogged.size < hostsMax) refusalsLogged.add(error.message);
    log.warn({ err: error }, 'a call to the outside was refused');
    return error;
  };

  /** @throws OutboundError */
  function admitted(url: string, schemes: readonly string[], busy: number, busyMax: number): URL {
    if (closed) throw new OutboundError('closed', 'The server stops');
    if (busy >= busyMax) throw new OutboundError('overloaded', 'Too many calls to the outside are under way');
    return targetOf(url, schemes, allowPrivate);
  }

  async function ask(
    target: URL,
    { headers = {}, body }: GetOptions & Partial<PostOptions>,
    signal: AbortSignal,
  ): Promise<OutboundResponse> {
    const answer = await request(target, {
      dispatcher: agent,
      signal,
      headers: { 'accept-encoding': acceptEncoding, ...headers },
      ...(body && { method: 'POST', body }),
    });
    const flat = flattened(answer.headers);
    const text = await readBody(target.host, answer.body, flat['content-encoding']);
    return { status: answer.statusCode, headers: flat, text };
  }

  async function send(
    url: string,
    schemes: readonly string[],
    options: GetOptions & Partial<PostOptions>,
  ): Promise<OutboundResponse> {
    const { timeoutMs } = options;
    let target: URL;
    try {
      target = admitted(url, schemes, underWay.size, inFlightMax);
    } catch (error) {
      throw error instanceof OutboundError ? refuse(error) : error;
    }
    const abort = new AbortController();
    underWay.add(abort);
    const cancel = timers.after(timeoutMs, () => {
      abort.abort(new OutboundError('timeout', `${target.host}: no full answer within ${timeoutMs} ms`));
    });
    const answer = ask(target, options, abort.signal);
    // The request holds its slot until then, even after its caller gave up: undici releases it only with a connection.
    const done = () => underWay.delete(abort);
    answer.then(done, done);
    try {
      return await Promise.race([answer, rejectionOf(abort.signal)]);
    } catch (cause) {
      if (cause instanceof OutboundError) throw refuse(cause);
      const what = cause instanceof Error ? cause.message : String(cause);
      throw new OutboundError('network', `${target.host}: ${what}`, { cause });
    } finally {
      cancel();
    }
  }

  async function openStream(url: string, options: StreamOptions): Promise<OutboundStream> {
    const { timeoutMs, headers = {}, body, allowHttp = false, signal, bytesMax } = options;
    let target: URL;
    try {
      target = admitted(url, allowHttp ? ['http:', 'https:'] : ['https:'], underWay.size, inFlightMax);
    } catch (error) {
      throw error instanceof OutboundError ? refuse(error) : error;
    }
    const { host } = target;
    const abort = new AbortController();
    underWay.add(abort);
    const cancel = timers.after(timeoutMs, () => {
      abort.abort(new OutboundError('timeout', `${host}: no full answer within ${timeoutMs} ms`));
    });
    const leave = () => abort.abort(new OutboundError('closed', 'The caller has left'));
    signal.addEventListener('abort', leave, { once: true });
    const release = () => {
      cancel();
      underWay.delete(abort);
      signal.removeEventListener('abort', leave);
    };
    // Also for a body that is never read.
    abort.signal.addEventListener('abort', release, { once: true });
    if (signal.aborted) leave();
    const toError = (cause: unknown): OutboundError => {
      const reason: unknown = abort.signal.aborted ? abort.signal.reason : cause;
      if (reason instanceof OutboundError) return refuse(reason);
      return new OutboundError(
        'network',
        `${host}: ${reason instanceof Error ? reason.message : String(reason)}`,
        {
          cause: reason,
        },
      );
    };
    try {
      const answer = await Promise.race([
        request(target, { dispatcher: agent, signal: abort.signal, method: 'POST', headers, body }),
        rejectionOf(abort.signal),
      ]);
      const { statusCode: status, body: packed } = answer;
      return {
        status,
        headers: flattened(answer.headers),
        parts: readParts(host, packed, { bytesMax, release, toError }),
      };
    } catch (cause) {
      release();
      throw toError(cause);
    }
  }

  return {
    postForStream: openStream,
    get: (url, options) => send(url, ['http:', 'https:'], options),
    post: (url, options) => send(url, options.allowHttp ? ['http:', 'https:'] : ['https:'], options),

    connect(url) {
      const socket = opened(url);
      sockets.add(socket);
      const cancel = timers.after(handshakeMs, () => {
        if (socket.readyState === WebSocket.CONNECTING) socket.terminate();
      });
      // An unhandled `error` would end the process, for instance when the server stops.
      socket.on('error', (err) => log.debug({ err }, 'a websocket to the outside failed'));
      socket.once('open', cancel);
      socket.once('close', () => {
        cancel();
        sockets.delete(socket);
      });
      return socket;
    },

    async close() {
      closed = true;
      for (const abort of underWay) abort.abort(new OutboundError('closed', 'The server stops'));
      for (const socket of sockets) socket.terminate();
      await agent.destroy();
    },
  };

  function opened(url: string): WebSocket {
    const options = { perMessageDeflate: false, maxPayload: messageBytesMax, followRedirects: false };
    try {
      const target = admitted(url, ['ws:', 'wss:'], sockets.size, socketsMax);
      // A fragment is never sent, and `ws` throws on one.
      target.hash = '';
      return new WebSocket(target, { ...options, lookup });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      // A refusal is an event like any other failure, on a socket without a connection, so callers handle one kind of
      // failure.
      refuse(error);
      return new WebSocket('ws://refused.invalid', {
        ...options,
        createConnection: () => new Socket().destroy(error),
      });
    }
  }
}

const rejectionOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

function flattened(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
