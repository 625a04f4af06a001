/**
 * A crypto exchange on loopback with Binance's documented REST and websocket formats, numbers as strings, with
 * prices that a test sets and misbehaviour that it switches on. It records its requests.
 *
 *     const exchange = await startExchange(timers);            // any clock
 *     exchange.set('BTCUSDT', '47174.97');                     // listed from now on; REST answers it
 *     const outbound = exchange.through(createOutbound(...));  // for all its clients: `settled` sees what is under way
 *     exchange.report('BTCUSDT', '47175.10');                    // sets it and sends the event to its subscribers
 *     await exchange.settled();                                // all that was sent has been received, on both sides
 *     exchange.reportBest('BTCUSDT', ['47174.97', '1'], ['47174.98', '2']);   // likewise `reportDepth`, `reportTrade`
 *
 * Sockets of combined streams (`/stream`) carry books and trades and are counted apart: `orderBooks`.
 *
 * Misbehaviour: `switches` (other answers of REST, refused handshakes, silence after the acknowledgement), `send` (any
 * frame), `report` with another event time (reordering), `cut`, `refuse` (a dead exchange), `hold` and `release` (slow
 * answers), `refusedStreams`, `delist`. With manual timers pass `() => exchange.settled()` as their `settle`. Symbols
 * that were never set do not exist.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextRound, setTimeout as pause } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../../src/platform/clock/index.ts';
import type { Outbound } from '../../src/platform/outbound/index.ts';
import { klineRows } from './exchange-klines.ts';
import {
  bestEvent,
  dayRow,
  depthEvent,
  type Figures,
  type RawLevel,
  symbolRow,
  tickerEvent,
  tradeEvent,
  usualFigures,
} from './exchange-payloads.ts';

export interface ExchangeAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface StreamRequest {
  readonly method: string;
  readonly params: readonly string[];
  readonly id: number;
  /** Which connection, counted from 0. */
  readonly connection: number;
  /** By the exchange's clock. */
  readonly at: number;
}

/** What a test may change at any time. */
export interface Switches {
  /** REST answers this instead, or what the function returns for a path with query (null: as usual). */
  answer: ExchangeAnswer | ((path: string) => ExchangeAnswer | null) | null;
  /** The websocket's handshake is answered so. */
  handshake: ExchangeAnswer | null;
  /** Requests of the websocket are acknowledged, and then nothing is sent: `report` sends to no subscriber. */
  isMute: boolean;
  /** Requests of the websocket are not even acknowledged. */
  isDeaf: boolean;
  /** Events come in the wrapper of combined streams. */
  isCombined: boolean;
  /** The weight used this minute in REST answers; null: the real one. */
  usedWeight: number | null;
}

interface Client {
  readonly socket: WebSocket;
  /** Of its path. */
  readonly index: number;
  readonly path: '/ws' | '/stream';
  readonly streams: Set<string>;
  /** Whether frames have passed since it was last seen to have received everything. */
  isDirty: boolean;
}

/** For what never comes, as `eventually` has it. */
const settleMsMax = 60_000;

export const startExchange = async (clock: Clock): Promise<ExchangeServer> => {
  const exchange = new ExchangeServer(clock);
  await exchange.listen();
  return exchange;
};

export class ExchangeServer {
  /** Every REST request, as path with query, oldest first. */
  readonly requests: string[] = [];
  /** Every frame of a client for prices, oldest first. */
  readonly frames: StreamRequest[] = [];
  /** Websocket connections for prices requested through `through`, the refused ones included. */
  attempts = 0;
  /** All requests through `through` but connections for books, whether they arrived here or not. */
  calls = 0;
  /** The connections for books and trades: every frame of theirs, and how many were requested. */
  readonly orderBooks = { frames: [] as StreamRequest[], attempts: 0 };

  readonly switches: Switches = {
    answer: null,
    handshake: null,
    isMute: false,
    isDeaf: false,
    isCombined: false,
    usedWeight: null,
  };
  /** Streams that are refused with the error of a malformed name, as `<symbol>@ticker` in lower case. */
  readonly refusedStreams = new Set<string>();

  private readonly clock: Clock;
  private readonly http: Server;
  private readonly sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  private readonly figures = new Map<string, Figures>();
  private readonly clients = new Set<Client>();
  /** The clients' ends. */
  private readonly peers = new Set<WebSocket>();
  private readonly connections = { '/ws': 0, '/stream': 0 };
  private weight = { minute: 0, used: 0 };
  /** Requests of clients under way, as `through` counts them. */
  private underWay = 0;
  private readonly held: (() => void)[] = [];
  /** `isRefusing`: connections are cut as soon as they come. `isHolding`: REST answers wait. */
  private readonly state: { isRefusing: boolean; isHolding: boolean } = {
    isRefusing: false,
    isHolding: false,
  };
  private activity = 0;

  constructor(clock: Clock) {
    this.clock = clock;
    this.http = createServer((request, response) => this.respond(request, response));
    this.http.on('connection', (socket) => {
      this.activity += 1;
      if (this.state.isRefusing) socket.destroy();
    });
    this.http.on('upgrade', (request, socket, head) => {
      this.activity += 1;
      const { handshake } = this.switches;
      if (handshake) {
        const headers = { connection: 'close', 'content-length': '0', ...handshake.headers };
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.end(`HTTP/1.1 ${handshake.status} Refused\r\n${lines.join('')}\r\n`);
        return;
      }
      this.sockets.handleUpgrade(request, socket, head, (opened) =>
        this.admit(opened, request.url === '/stream' ? '/stream' : '/ws'),
      );
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.http.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }
  get streamUrl(): string {
    return this.url.replace('http', 'ws');
  }
  private clientsOf(path: Client['path']): Client[] {
    return [...this.clients].filter((client) => client.path === path);
  }
  /** Websockets for prices that are open now. */
  get open(): number {
    return this.clientsOf('/ws').length;
  }
  /** Streams of all open connections for prices, each as often as it is subscribed. */
  get streams(): readonly string[] {
    return this.clientsOf('/ws').flatMap(({ streams }) => [...streams]);
  }
  /** Likewise of those for books. */
  get bookStreams(): readonly string[] {
    return this.clientsOf('/stream').flatMap(({ streams }) => [...streams]);
  }

  /** Lists a symbol, or changes its REST answer; sends no event. */
  set(symbol: string, price: string, figures: Partial<Omit<Figures, 'price'>> = {}): void {
    this.figures.set(symbol, { ...usualFigures, ...this.figures.get(symbol), price, ...figures });
  }

  /** Takes a symbol off the list. */
  delist(symbol: string): void {
    this.figures.delete(symbol);
  }

  /** Sets a price and sends its event to the subscribers. `eventTime` in ms; left out: now. */
  report(symbol: string, price: string, eventTime: number = this.clock.now()): void {
    this.set(symbol, price);
    const stream = `${symbol.toLowerCase()}@ticker`;
    for (const client of this.clientsOf('/ws')) {
      if (client.streams.has(stream)) this.deliver(client, stream, this.event(symbol, eventTime));
    }
  }

  /** Sends the event of every listed symbol. */
  reportAll(): void {
    for (const [symbol, { price }] of this.figures) this.report(symbol, price);
  }

  /** Sends the best bid and ask of a symbol, as price and size, to those who have its `@bookTicker`. */
  reportBest(symbol: string, bid: RawLevel, ask: RawLevel): void {
    this.broadcast(`${symbol.toLowerCase()}@bookTicker`, bestEvent(symbol, bid, ask));
  }

  /** Sends the best levels of a symbol. */
  reportDepth(symbol: string, bids: readonly RawLevel[], asks: readonly RawLevel[]): void {
    this.broadcast(`${symbol.toLowerCase()}@depth20@100ms`, depthEvent(bids, asks));
  }

  /** Sends a trade, which a seller took unless `isBuyerMaker` is false. */
  reportTrade(symbol: string, price: string, quantity: string, isBuyerMaker: boolean): void {
    const event = tradeEvent(symbol, price, quantity, isBuyerMaker, this.clock.now());
    this.broadcast(`${symbol.toLowerCase()}@aggTrade`, event);
  }

  /** Sends the data of a combined stream to its subscribers. */
  broadcast(stream: string, data: unknown): void {
    for (const client of this.clientsOf('/stream')) {
      if (client.streams.has(stream)) this.write(client, JSON.stringify({ stream, data }));
    }
  }

  /** Cuts the websockets for books without a close frame. */
  cutOrderBooks(): void {
    for (const { socket } of this.clientsOf('/stream')) socket.terminate();
  }

  /** Sends a frame as it is to every open connection for prices, or to one: text, or bytes as a binary frame. */
  send(frame: string | Uint8Array, connection?: number): void {
    for (const client of this.clientsOf('/ws')) {
      if (connection === undefined || client.index === connection) this.write(client, frame);
    }
  }

  /** The `@ticker` event as the exchange would send it. */
  event(symbol: string, eventTime: number): Record<string, unknown> {
    return tickerEvent(symbol, this.figures.get(symbol)!, eventTime);
  }

  /** Cuts every websocket for prices without a close frame, or one of them. */
  cut(connection?: number): void {
    for (const { socket, index } of this.clientsOf('/ws'))
      if (connection === undefined || index === connection) socket.terminate();
  }

  /** True: existing connections are cut and new ones too. */
  refuse(isRefusing: boolean): void {
    this.state.isRefusing = isRefusing;
    if (!isRefusing) return;
    this.cut();
    this.cutOrderBooks();
    this.http.closeAllConnections();
  }

  /** REST answers wait until `release`. */
  hold(): void {
    this.state.isHolding = true;
  }
  release(): void {
    this.state.isHolding = false;
    for (const answer of this.held.splice(0)) answer();
  }

  /** An outbound whose calls `settled` waits for. */
  through(outbound: Outbound): Outbound {
    const begun = (calls = 1): (() => void) => {
      this.underWay += 1;
      this.calls += calls;
      return () => {
        this.underWay -= 1;
      };
    };
    return {
      ...outbound,
      get: (url, options) => outbound.get(url, options).finally(begun()),
      connect: (url) => {
        const isBook = url.endsWith('/stream');
        if (isBook) this.orderBooks.attempts += 1;
        else this.attempts += 1;
        const ended = begun(isBook ? 0 : 1);
        const socket = outbound.connect(url);
        let isConnecting = true;
        const connected = () => {
          if (isConnecting) ended();
          isConnecting = false;
        };
        socket.once('open', () => {
          connected();
          this.peers.add(socket);
        });
        socket.once('close', () => {
          connected();
          this.peers.delete(socket);
        });
        return socket;
      },
    };
  }

  /**
   * Resolves when nothing is under way between the exchange and its callers by `through`: requests that are not held,
   * handshakes, frames either way, ends of connections. @throws Error after a minute
   */
  async settled(): Promise<void> {
    const until = performance.now() + settleMsMax;
    for (;;) {
      await nextRound();
      const before = this.activity;
      await Promise.all([...this.clients].map((client) => this.flushed(client)));
      await nextRound();
      const isQuiet = this.activity === before && this.underWay <= this.held.length;
      if (isQuiet && this.areEndsInStep()) return;
      if (performance.now() > until) throw new Error('the exchange and its clients do not come to rest');
      if (this.activity === before) await pause(1);
    }
  }

  /** Whether every connection is known to be open, or to be gone, at both ends. */
  private areEndsInStep(): boolean {
    const ends = [...this.peers, ...[...this.clients].map(({ socket }) => socket)];
    return this.peers.size === this.clients.size && ends.every((end) => end.readyState === end.OPEN);
  }

  async close(): Promise<void> {
    this.release();
    this.refuse(true);
    this.sockets.close();
    await new Promise((resolve) => this.http.close(resolve));
  }

  /** A ping comes back when all that was sent before has been received, and all that was sent to us. */
  private async flushed(client: Client): Promise<void> {
    if (!client.isDirty || client.socket.readyState !== client.socket.OPEN) return;
    client.isDirty = false;
    await new Promise<void>((resolve) => {
      const over = () => {
        client.socket.off('pong', over).off('close', over);
        resolve();
      };
      client.socket.on('pong', over).on('close', over);
      client.socket.ping();
    });
  }

  private admit(socket: WebSocket, path: Client['path']): void {
    const client: Client = {
      ...{ socket, path, index: this.connections[path], streams: new Set(), isDirty: true },
    };
    this.connections[path] += 1;
    this.clients.add(client);
    socket.on('close', () => {
      this.activity += 1;
      this.clients.delete(client);
    });
    socket.on('error', () => socket.terminate());
    socket.on('message', (raw) => this.take(client, String(raw)));
  }

  private take(client: Client, text: string): void {
    this.activity += 1;
    client.isDirty = true;
    const request = JSON.parse(text) as Pick<StreamRequest, 'method' | 'params' | 'id'>;
    const frames = client.path === '/ws' ? this.frames : this.orderBooks.frames;
    frames.push({ ...request, connection: client.index, at: this.clock.now() });
    if (this.switches.isDeaf) return;
    if (request.params.some((stream) => this.refusedStreams.has(stream))) {
      const error = { code: 2, msg: 'Invalid request: invalid stream' };
      this.write(client, JSON.stringify({ error, id: request.id }));
      return;
    }
    for (const stream of request.params) {
      if (request.method === 'SUBSCRIBE') client.streams.add(stream);
      else client.streams.delete(stream);
    }
    this.write(client, JSON.stringify({ result: null, id: request.id }));
  }

  private deliver(client: Client, stream: string, event: object): void {
    if (this.switches.isMute) return;
    this.write(client, JSON.stringify(this.switches.isCombined ? { stream, data: event } : event));
  }

  private write(client: Client, frame: string | Uint8Array): void {
    this.activity += 1;
    client.isDirty = true;
    client.socket.send(frame);
  }

  private respond(request: IncomingMessage, response: ServerResponse): void {
    this.activity += 1;
    const path = request.url ?? '';
    this.requests.push(path);
    const answer = () => {
      this.activity += 1;
      const chosen =
        typeof this.switches.answer === 'function' ? this.switches.answer(path) : this.switches.answer;
      const { status, body, headers } = chosen ?? this.regular(new URL(path, this.url));
      response.writeHead(status, {
        'content-type': 'application/json;charset=UTF-8',
        date: new Date(this.clock.now()).toUTCString(),
        'x-mbx-used-weight-1m': String(this.switches.usedWeight ?? this.weight.used),
        ...headers,
      });
      response.end(body);
    };
    if (this.state.isHolding) this.held.push(answer);
    else answer();
  }

  private regular(url: URL): ExchangeAnswer {
    const get = (name: string) => url.searchParams.get(name);
    const symbols: string[] | null = get('symbol') ? [get('symbol')!] : JSON.parse(get('symbols') ?? 'null');
    if (symbols?.some((symbol) => !this.figures.has(symbol))) return refused(-1121, 'Invalid symbol.');
    const requested = symbols ?? [...this.figures.keys()];
    const rows = (row: (symbol: string) => object) =>
      ok(get('symbol') ? row(requested[0]!) : requested.map(row));
    switch (url.pathname) {
      case '/api/v3/ping':
        this.weigh(1);
        return ok({});
      case '/api/v3/ticker/price':
        this.weigh(requested.length === 1 ? 2 : 4);
        return rows((symbol) => ({ symbol, price: this.figures.get(symbol)!.price }));
      case '/api/v3/ticker/24hr':
        this.weigh(!symbols || requested.length > 100 ? 80 : requested.length > 20 ? 40 : 2);
        return rows((symbol) => dayRow(symbol, this.figures.get(symbol)!, this.clock.now()));
      case '/api/v3/klines':
        this.weigh(2);
        return ok(
          klineRows(this.figures.get(requested[0]!)!.price, get('interval') ?? '', {
            now: this.clock.now(),
            endTime: get('endTime') === null ? null : Number(get('endTime')),
            limit: Math.min(Number(get('limit') ?? 500), 1000),
          }),
        );
      case '/api/v3/exchangeInfo':
        this.weigh(20);
        return ok({
          timezone: 'UTC',
          serverTime: this.clock.now(),
          rateLimits: [],
          exchangeFilters: [],
          symbols: requested.map(symbolRow),
        });
      default:
        return { status: 404, body: '<html><body>Not found</body></html>' };
    }
  }

  private weigh(weight: number): void {
    const minute = Math.floor(this.clock.now() / 60_000);
    this.weight = { minute, used: (minute === this.weight.minute ? this.weight.used : 0) + weight };
  }
}

const ok = (body: unknown): ExchangeAnswer => ({ status: 200, body: JSON.stringify(body) });
const refused = (code: number, msg: string): ExchangeAnswer => ({
  status: 400,
  body: JSON.stringify({ code, msg }),
});
