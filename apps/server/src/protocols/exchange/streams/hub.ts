/**
 * Sockets of `/fapi`: market streams for everybody, the events of an account for whoever has its listen key. Invariants: no client
 * input throws; a client that is silent, floods or does not read is disconnected; one timer serves all sockets.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { rateLimitAddress } from '../../../platform/rate-limit/address.ts';
import type { Services } from '../../../platform/services.ts';
import { Quotas } from '../../sockets/quotas.ts';
import type { UpgradedSocket, Upgrades } from '../../sockets/upgrades.ts';
import { ExchangeError, exchangeErrorOf } from '../errors.ts';
import { defaultStreamLimits, type StreamLimits } from './limits.ts';
import type { Depth } from './market-messages.ts';
import { gridMs, MarketStreams, type MarketStreamsOptions } from './market-streams.ts';
import { canonicalName, type IsInterval, parseStreamName } from './names.ts';
import { readStreamAddress, requestPath, streamPaths } from './paths.ts';
import { answerRequest, type DoorCalls, type RequestId, readJson } from './requests.ts';
import { StreamSocket } from './socket.ts';

/** Close codes of RFC 6455 §7.4.1. */
const goingAway = 1001;
const policyViolation = 1008;
const beatsPerSweep = 10;

/** The events of accounts. */
export interface UserStreams {
  /** Begins the events of the listen key's account; false for a key that is not valid. */
  attach(socket: StreamSocket, listenKey: string, ip: string): Promise<boolean>;
  detach(socket: StreamSocket): void;
  sweep(now: number): void;
}

interface StreamHubOptions
  extends Pick<Services, 'clock' | 'log'>,
    Pick<MarketStreamsOptions, 'reads' | 'follow'> {
  readonly upgrades: Upgrades;
  readonly users: UserStreams;
  readonly isInterval: IsInterval;
  /** Whether the exchange's name is of a listed symbol. */
  readonly isSymbol: (id: string) => boolean;
  readonly limits?: Partial<StreamLimits>;
}

const clientMessage = z.object({
  method: z.enum(['SUBSCRIBE', 'UNSUBSCRIBE', 'LIST_SUBSCRIPTIONS', 'SET_PROPERTY', 'GET_PROPERTY']),
  params: z
    .array(z.union([z.string().max(100), z.boolean()]))
    .max(1_000)
    .default([]),
  id: z.union([z.number(), z.string().max(64), z.null()]).default(null),
});

export class StreamHub {
  readonly #options: StreamHubOptions;
  readonly #limits: StreamLimits;
  readonly #addresses: Quotas;
  readonly #market: MarketStreams;
  readonly #sockets = new Map<StreamSocket, UpgradedSocket>();
  readonly #timer: NodeJS.Timeout;
  #beat = 0;
  #cut = 0;

  constructor(options: StreamHubOptions) {
    this.#options = options;
    this.#limits = { ...defaultStreamLimits, ...options.limits };
    const { socketsPerAddress: sockets, attempts, addresses: holders } = this.#limits;
    this.#addresses = new Quotas({ sockets, attempts, holders });
    this.#market = new MarketStreams(options);
    this.#timer = setInterval(() => this.#onBeat(), gridMs).unref();
  }

  /** Call with each snapshot of a book that a client is given. */
  noteSnapshot(id: string, depth: Depth): void {
    this.#market.noteSnapshot(id, depth);
  }

  get state() {
    return {
      sockets: this.#sockets.size,
      streams: this.#market.count,
      cut: this.#cut,
      dropped: this.#market.dropped,
    };
  }

  /** Serves the sockets on `app`; `calls` answer those of requests. */
  register(app: FastifyInstance, calls: DoorCalls): void {
    for (const path of streamPaths) app.get(path, (request, reply) => this.#open(request, reply));
    app.get(requestPath, (request, reply) =>
      this.#accept(request, reply, false, (socket, ip) => {
        socket.onRequest = async (bytes) => socket.answer(await answerRequest(bytes, ip, calls));
      }),
    );
    app.addHook('preClose', () => this.stop());
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    for (const socket of this.#sockets.keys()) socket.close(goingAway, 'the server is stopping');
    await new Promise((resolve) => setTimeout(resolve, this.#sockets.size > 0 ? 100 : 0));
    for (const socket of this.#sockets.keys()) socket.terminate();
  }

  #open(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const address = readStreamAddress(request.url);
    if (!address) throw new ExchangeError(404, -5000, 'There is no stream at this address.');
    return this.#accept(request, reply, address.isCombined, (socket, ip) => {
      socket.ip = ip;
      for (const name of address.streams) this.#subscribe(socket, name);
      if (address.listenKey !== null) void this.#attach(socket, address.listenKey);
    });
  }

  /** @throws ExchangeError for a plain request, and beyond the limits */
  #accept(
    request: FastifyRequest,
    reply: FastifyReply,
    isCombined: boolean,
    onOpen: (socket: StreamSocket, ip: string) => void,
  ): FastifyReply {
    const { upgrades, clock } = this.#options;
    if (!upgrades.isUpgrade(request)) throw new ExchangeError(426, -5000, 'Use a WebSocket.');
    if (this.#sockets.size >= this.#limits.sockets)
      throw new ExchangeError(503, -1008, 'Too many connections.');
    // Undefined where the client is gone already.
    const ip = (request.ip as string | undefined) ?? '';
    const holder = rateLimitAddress(ip);
    if (!this.#addresses.attempt(holder, clock.now()) || !this.#addresses.open(holder))
      throw new ExchangeError(429, -1003, 'Too many connections. Please try again later.');
    return upgrades.accept(request, reply, {
      frameBytes: this.#limits.frameBytes,
      onOpen: (opened) => onOpen(this.#take(opened, holder, isCombined), ip),
      onRefused: () => this.#addresses.close(holder),
    });
  }

  #take(opened: UpgradedSocket, address: string, isCombined: boolean): StreamSocket {
    const { clock, log } = this.#options;
    const { webSocket } = opened;
    const socket: StreamSocket = new StreamSocket({
      ...opened,
      ...{ address, isCombined, limits: this.#limits, nowMs: clock.now() },
      onCut: (reason) => {
        this.#cut += 1;
        log.warn({ address, unsentBytes: socket.unsentBytes }, `client of a stream cut: ${reason}`);
      },
    });
    this.#sockets.set(socket, opened);
    webSocket.on('message', (bytes, isBinary) => {
      if (Buffer.isBuffer(bytes)) this.#receive(socket, bytes, isBinary);
    });
    for (const control of ['ping', 'pong'] as const) webSocket.on(control, () => this.#charge(socket));
    webSocket.on('error', (error) => log.debug({ err: error, address }, 'a socket of a stream failed'));
    webSocket.on('close', () => this.#drop(socket));
    return socket;
  }

  #drop(socket: StreamSocket): void {
    if (!this.#sockets.delete(socket)) return;
    for (const name of [...socket.streams]) this.#market.unsubscribe(socket, name);
    this.#options.users.detach(socket);
    this.#addresses.close(socket.address);
  }

  /** Counts a message; false where the client sends too many, which ends the connection. */
  #charge(socket: StreamSocket): boolean {
    const nowMs = this.#options.clock.now();
    socket.lastReceivedAtMs = nowMs;
    if (socket.requests.take(nowMs)) return true;
    socket.dismiss(policyViolation, 'too many messages');
    setTimeout(() => socket.terminate(), 500).unref();
    return false;
  }

  #receive(socket: StreamSocket, bytes: Buffer, isBinary: boolean): void {
    if (!socket.isOpen || !this.#charge(socket) || isBinary) return;
    if (socket.onRequest) {
      void socket.onRequest(bytes);
      return;
    }
    const parsed = clientMessage.safeParse(readJson(bytes));
    if (!parsed.success) {
      socket.answer({ error: { code: 3, msg: 'Invalid JSON: a message is {"method","params","id"}.' } });
      return;
    }
    const { method, params, id } = parsed.data;
    const names = params.filter((param) => typeof param === 'string');
    if (method === 'LIST_SUBSCRIPTIONS') socket.answer({ result: [...socket.streams], id });
    else if (method === 'SUBSCRIBE') void this.#subscribeAll(socket, names, id);
    else if (method === 'UNSUBSCRIBE') {
      for (const name of names) this.#market.unsubscribe(socket, canonicalName(name));
      socket.answer({ result: null, id });
    } else if (method === 'GET_PROPERTY') socket.answer({ result: socket.isCombined, id });
    else socket.answer({ error: { code: 2, msg: 'Connect to /stream for combined messages.' }, id });
  }

  async #subscribeAll(socket: StreamSocket, names: readonly string[], id: RequestId): Promise<void> {
    const refuse = (msg: string) => socket.answer({ error: { code: 2, msg }, id });
    const [other, ...more] = names.filter((name) => parseStreamName(name, this.#options.isInterval) === null);
    if (more.length > 0) return refuse(`Invalid request: unknown stream ${other}`);
    // A listen key may stand among the streams.
    if (other !== undefined && !(await this.#attach(socket, other, false)))
      return refuse(`Invalid request: unknown stream ${other}`);
    for (const name of names) {
      const refusal = name === other ? null : this.#subscribe(socket, name);
      if (refusal !== null) return refuse(refusal);
    }
    socket.answer({ result: null, id });
  }

  /** Null, or why not. */
  #subscribe(socket: StreamSocket, sentName: string): string | null {
    const { isInterval, isSymbol } = this.#options;
    const name = canonicalName(sentName);
    if (socket.streams.has(name)) return null;
    const stream = parseStreamName(name, isInterval);
    if (!stream || (stream.id !== null && !isSymbol(stream.id)))
      return `Invalid request: unknown stream ${sentName}`;
    const { streamsPerSocket, streamsPerAddress } = this.#limits;
    if (socket.streams.size >= streamsPerSocket)
      return `Too many streams: at most ${streamsPerSocket} on a connection.`;
    const ofAddress = this.#streamsOf(socket.address);
    if (ofAddress >= streamsPerAddress)
      return `Too many streams: at most ${streamsPerAddress} of an address.`;
    if (!this.#market.subscribe(socket, name, stream)) return 'Too many streams. Please try again later.';
    return null;
  }

  #streamsOf(address: string): number {
    let count = 0;
    for (const socket of this.#sockets.keys()) if (socket.address === address) count += socket.streams.size;
    return count;
  }

  /** A refused key of an address ends the connection, as clients expect. */
  async #attach(socket: StreamSocket, listenKey: string, isRequired = true): Promise<boolean> {
    try {
      const isAttached = await this.#options.users.attach(socket, listenKey, socket.ip);
      if (isAttached) return true;
    } catch (error) {
      if (exchangeErrorOf(error) === null)
        this.#options.log.error({ err: error }, 'the events of an account cannot begin');
    }
    if (isRequired) {
      socket.answer({ error: { code: -1125, msg: 'This listenKey does not exist.' } });
      socket.close(policyViolation, 'unknown listen key');
    }
    return false;
  }

  #onBeat(): void {
    this.#beat += 1;
    this.#market.flush(this.#beat);
    if (this.#beat % beatsPerSweep !== 0) return;
    const nowMs = this.#options.clock.now();
    const { silenceMs, pingEveryMs } = this.#limits;
    this.#addresses.sweep(nowMs);
    this.#options.users.sweep(nowMs);
    const isPingDue = (this.#beat * gridMs) % pingEveryMs === 0;
    for (const [socket, { webSocket }] of this.#sockets) {
      socket.isBehind(nowMs);
      if (nowMs - socket.lastReceivedAtMs > silenceMs) socket.terminate();
      else if (isPingDue && socket.isOpen) webSocket.ping(String(nowMs));
    }
  }
}
