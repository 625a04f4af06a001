/** All servers here are real ones on loopback; the tests move the time. */
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { createManualTimers } from '../../../test/harness/manual-timers.ts';
import { createLog } from '../log/index.ts';
import {
  createOutbound,
  type Outbound,
  OutboundError,
  type OutboundOptions,
  type StreamingOutbound,
  type StreamOptions,
} from './index.ts';

const log = createLog({ logLevel: 'silent' });
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function make(options: Partial<OutboundOptions> = {}) {
  const timers = createManualTimers(0);
  const outbound = createOutbound({ allowPrivate: true, timers, log, ...options });
  cleanups.push(() => outbound.close());
  return { timers, outbound };
}
async function serve(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createHttpServer(listener);
  const port = await listening(server);
  return { url: `http://127.0.0.1:${port}`, server };
}
async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    // Clients that disconnect are part of these tests.
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
}
const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (error: unknown) => (error instanceof OutboundError ? error.reason : error),
  );
/** Returns the close code of a websocket; `once` of node:events would reject at its `error`. */
const closeOf = (socket: WebSocket) =>
  new Promise<number>((resolve) => {
    socket.once('close', resolve);
  });
const get = (outbound: Outbound, url: string) => outbound.get(url, { timeoutMs: 10_000 });

test('gives status, headers and text of any answer, and sends the headers of the caller', async () => {
  const { url } = await serve((request, response) => {
    response.writeHead(429, { 'retry-after': '7', 'set-cookie': ['a=1', 'b=2'] });
    response.end(`${request.headers['user-agent']} ${request.url}`);
  });
  const { outbound } = make();
  const answer = await outbound.get(`${url}/v8?x=%2F`, {
    timeoutMs: 10_000,
    headers: { 'user-agent': 'Mozilla/5.0' },
  });
  expect(answer).toMatchObject({ status: 429, text: 'Mozilla/5.0 /v8?x=%2F' });
  expect(answer.headers).toMatchObject({ 'retry-after': '7', 'set-cookie': 'a=1, b=2' });
});

test('push: a POST goes over https only', async () => {
  let requests = 0;
  const { url } = await serve((_request, response) => {
    requests += 1;
    response.end();
  });
  const post = make().outbound.post(url, { timeoutMs: 10_000, body: Buffer.from('x') });
  expect(await reasonOf(post)).toBe('refused');
  expect(requests).toBe(0);
});

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
] as const)('unpacks %s', async (coding, pack) => {
  const { url } = await serve((request, response) => {
    expect(request.headers['accept-encoding']).toContain(coding);
    response.writeHead(200, { 'content-encoding': coding });
    response.end(pack('{"price":"1.5"}'));
  });
  expect((await get(make().outbound, url)).text).toBe('{"price":"1.5"}');
});

test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://0177.0.0.01/',
  'http://127.0.0.1./',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[0:0:0:0:0:FFFF:7F00:0001]/',
  'http://[64:ff9b::7f00:1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://10.1.2.3/',
  'http://0.0.0.0/',
  'http://user:secret@example.com/',
  'http://user@example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'ws://example.com/',
  'nonsense',
])('refuses %s without a connection', async (url) => {
  const { outbound } = make({ allowPrivate: false, resolve: () => Promise.reject(new Error('asked')) });
  expect(await reasonOf(get(outbound, url))).toBe('refused');
});

test('never calls the addresses where clouds keep their secrets, private ones allowed or not', async () => {
  const { outbound } = make({ resolve: async () => [{ address: '169.254.169.254', family: 4 }] });
  expect(await reasonOf(get(outbound, 'http://169.254.169.254/'))).toBe('refused');
  expect(await reasonOf(get(outbound, 'http://[::ffff:a9fe:a9fe]/'))).toBe('refused');
  expect(await reasonOf(get(outbound, 'http://provider.example/'))).toBe('refused');
});

test('refuses a name that resolves to a private address, at the moment of connecting', async () => {
  let requests = 0;
  const { url } = await serve((_request, response) => {
    requests += 1;
    response.end('secret');
  });
  const { port } = new URL(url);
  const { outbound } = make({
    allowPrivate: false,
    resolve: async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ],
  });
  expect(await reasonOf(get(outbound, `http://provider.example:${port}/`))).toBe('refused');
  const socket = outbound.connect(`ws://provider.example:${port}/`);
  const [error] = await once(socket, 'error');
  expect(error).toMatchObject({ reason: 'refused' });
  expect(requests).toBe(0);
});

test('connects to those addresses of a name that may be called, and to no other', async () => {
  const { url } = await serve((request, response) => {
    response.end(request.headers.host);
  });
  const { port } = new URL(url);
  const { outbound } = make({
    resolve: async () => [
      { address: '169.254.169.254', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ],
  });
  expect((await get(outbound, `http://provider.example:${port}/`)).text).toBe(`provider.example:${port}`);
});

test('reports a name that does not resolve as a failure of the network', async () => {
  const { outbound } = make({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
  await expect(get(outbound, 'http://provider.example/?key=secret')).rejects.toThrow(
    new OutboundError('network', 'provider.example: ENOTFOUND'),
  );
});

test('gives a redirect as it is instead of following it to another address', async () => {
  let followed = 0;
  const inner = await serve((_request, response) => {
    followed += 1;
    response.end('secret');
  });
  const { url } = await serve((_request, response) => {
    response.writeHead(302, { location: inner.url }).end();
  });
  const { outbound } = make();
  expect(await get(outbound, url)).toMatchObject({ status: 302, headers: { location: inner.url } });
  expect(followed).toBe(0);
  const socket = outbound.connect(url.replace('http', 'ws'));
  const [error] = await once(socket, 'error');
  expect((error as Error).message).toContain('302');
  expect(followed).toBe(0);
});

test('ends a request whose headers never come, and one whose body does not end, at the deadline', async () => {
  let requests = 0;
  const { url } = await serve((request, response) => {
    requests += 1;
    if (request.url === '/body') response.write('{');
  });
  const { outbound, timers } = make();
  const outcomes: string[] = [];
  const both = ['/headers', '/body'].map(async (path) => {
    outcomes.push(String(await reasonOf(outbound.get(url + path, { timeoutMs: 10_000 }))));
  });
  await expect.poll(() => requests).toBe(2);
  await timers.advance(9_999);
  expect(outcomes).toEqual([]);
  await timers.advance(1);
  await Promise.all(both);
  expect(outcomes).toEqual(['timeout', 'timeout']);
});

test('names the setting that allows a private address, and none for an address that is never allowed', async () => {
  const { outbound } = make({
    allowPrivate: false,
    resolve: async () => [{ address: '10.1.2.3', family: 4 }],
  });
  for (const url of ['http://127.0.0.1:9/', 'http://provider.example/'])
    await expect(get(outbound, url)).rejects.toThrow(/not called: .*ALLOW_PRIVATE_PROVIDERS=true/);
  await expect(get(outbound, 'http://169.254.169.254/')).rejects.toThrow(
    /: it is none of the public internet$/,
  );
});

test('ends what waits for a name that never resolves, at the deadline or when closing', async () => {
  let requests = 0;
  const { outbound, timers } = make({
    resolve: () => {
      requests += 1;
      return new Promise(() => undefined);
    },
  });
  const late = reasonOf(get(outbound, 'http://provider.example/'));
  const socket = outbound.connect('ws://provider.example/');
  await expect.poll(() => requests).toBe(2);
  await timers.advance(5_000);
  const closing = reasonOf(get(outbound, 'http://other.example/'));
  await expect.poll(() => requests).toBe(3);
  const closed = closeOf(socket);
  await timers.advance(5_000);
  await closed;
  expect(await late).toBe('timeout');
  await outbound.close();
  expect(await closing).toBe('closed');
});

test('reads an empty body, with or without a content encoding', async () => {
  const { url } = await serve((request, response) => {
    response.writeHead(request.url === '/204' ? 204 : 503, { 'content-encoding': 'gzip' }).end();
  });
  const { outbound } = make();
  expect(await get(outbound, `${url}/204`)).toMatchObject({ status: 204, text: '' });
  expect(await get(outbound, `${url}/503`)).toMatchObject({ status: 503, text: '' });
});

test('stops reading an endless body at 8 MB', async () => {
  let cut = false;
  const { url } = await serve((_request, response) => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more).on('close', () => {
      cut = true;
    });
    more();
  });
  expect(await reasonOf(get(make().outbound, url))).toBe('too-large');
  await expect.poll(() => cut).toBe(true);
});

test('stops unpacking at 8 MB, and reading what unpacks to nothing', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const empty = gzipSync('');
  const { url } = await serve((request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    if (request.url === '/bomb') return void response.end(bomb);
    const many = Buffer.concat(Array.from({ length: 10_000 }, () => empty));
    const more = () => {
      while (!response.destroyed && response.write(many));
    };
    response.on('drain', more);
    more();
  });
  expect(bomb.length).toBeLessThan(100_000);
  const { outbound } = make();
  expect(await reasonOf(get(outbound, `${url}/bomb`))).toBe('too-large');
  expect(await reasonOf(get(outbound, `${url}/empty`))).toBe('too-large');
});

test.each([
  ['a line that is reset', (socket: Socket) => socket.resetAndDestroy()],
  ['something that is not HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
  [
    'a body that is cut',
    (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"price"'),
  ],
  [
    'a packed body that is cut',
    (socket: Socket) => {
      const packed = gzipSync('{"price":"1.5"}').subarray(0, 20);
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`);
      socket.end(packed);
    },
  ],
  [
    'a packed body that is broken',
    (socket: Socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd'),
  ],
  [
    'a body packed in an unknown way',
    (socket: Socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nContent-Length: 4\r\n\r\nabcd'),
  ],
  [
    'headers without an end',
    (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(200_000)}`),
  ],
])('reports %s as a failure of the network', async (_what, misbehave) => {
  const server = createTcpServer((socket) => {
    socket.once('data', () => misbehave(socket));
  });
  const port = await listening(server);
  expect(await reasonOf(get(make().outbound, `http://127.0.0.1:${port}/`))).toBe('network');
});

test('uses at most eight connections to one host, and refuses more than 256 requests at once', async () => {
  let connections = 0;
  const { url, server } = await serve(() => undefined);
  server.on('connection', () => {
    connections += 1;
  });
  const { outbound, timers } = make();
  const outcomes = Array.from({ length: 256 }, () => reasonOf(get(outbound, url)));
  await expect.poll(() => connections).toBe(8);
  expect(await reasonOf(get(outbound, url))).toBe('overloaded');
  expect(connections).toBe(8);
  await timers.advance(10_000);
  expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['timeout']));
});

test('speaks websocket without compression and ends it at a message above 1 MB', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: true });
  await once(server, 'listening');
  cleanups.push(async () => {
    for (const client of server.clients) client.terminate();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  server.on('connection', (client) => {
    client.on('message', (message) => {
      client.send(String(message) === 'large' ? 'x'.repeat(1024 * 1024 + 1) : `received ${String(message)}`);
    });
  });
  const socket = make().outbound.connect(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`);
  await once(socket, 'open');
  expect(socket.extensions).toBe('');
  socket.send('hello');
  const [received] = await once(socket, 'message');
  expect(String(received)).toBe('received hello');
  socket.send('large');
  expect(await closeOf(socket)).toBe(1006);
});

test('gives up a websocket that does not open within 10 s', async () => {
  let connected = 0;
  const port = await listening(
    createTcpServer(() => {
      connected += 1;
    }),
  );
  const { outbound, timers } = make();
  const socket = outbound.connect(`ws://127.0.0.1:${port}/`);
  await expect.poll(() => connected).toBe(1);
  await timers.advance(9_999);
  expect(socket.readyState).toBe(socket.CONNECTING);
  const closed = closeOf(socket);
  await timers.advance(1);
  await closed;
});

test.each(['ws://127.0.0.1:9/', 'wss://[::1]/', 'ws://u:p@example.com/', 'http://example.com/', 'nonsense'])(
  'reports the refusal of a websocket to %s like any other failure',
  async (url) => {
    const socket = make({ allowPrivate: false }).outbound.connect(url);
    const closed = closeOf(socket);
    const [error] = await once(socket, 'error');
    expect(error).toMatchObject({ reason: 'refused' });
    await closed;
  },
);

test('close() ends requests and websockets under way, and later requests fail', async () => {
  let requests = 0;
  const { url } = await serve(() => {
    requests += 1;
  });
  const { outbound } = make();
  const pending = reasonOf(get(outbound, url));
  const socket = outbound.connect(url.replace('http', 'ws'));
  const closed = closeOf(socket);
  await expect.poll(() => requests).toBe(2);
  await outbound.close();
  await outbound.close();
  expect(await pending).toBe('closed');
  await closed;
  expect(await reasonOf(get(outbound, url))).toBe('closed');
  const [error] = await once(outbound.connect(url.replace('http', 'ws')), 'error');
  expect(error).toMatchObject({ reason: 'closed' });
});

const post = (outbound: StreamingOutbound, url: string, more: Partial<StreamOptions> = {}) =>
  outbound.postForStream(url, {
    ...{ timeoutMs: 10_000, bytesMax: 1_000, body: new Uint8Array([65]), allowHttp: true },
    signal: new AbortController().signal,
    ...more,
  });

test('reads an answer while it arrives, and cuts no character in two', async () => {
  const gate = Promise.withResolvers<void>();
  const { url } = await serve(async (_request, reply) => {
    const euro = Buffer.from('€');
    reply.write(Buffer.concat([Buffer.from('one '), euro.subarray(0, 1)]));
    await gate.promise;
    reply.end(euro.subarray(1));
  });
  const { status, parts } = await post(make().outbound, url);
  expect(status).toBe(200);
  const read: string[] = [];
  for await (const part of parts) {
    read.push(part);
    gate.resolve();
  }
  expect(read[0]).toBe('one ');
  expect(read.join('')).toBe('one €');
});

test('a stream ends at its bound, its deadline, with its caller and when it breaks off', async () => {
  const { url } = await serve((request, reply) => {
    if (request.url === '/large') return void reply.end('x'.repeat(1_001));
    reply.write('x');
    if (request.url === '/broken') setTimeout(() => reply.destroy(), 20);
  });
  const { outbound, timers } = make();
  const drain = async (parts: AsyncIterable<string>) => {
    for await (const _ of parts);
  };
  const large = await post(outbound, `${url}/large`);
  expect(await reasonOf(drain(large.parts))).toBe('too-large');
  const broken = await post(outbound, `${url}/broken`);
  expect(await reasonOf(drain(broken.parts))).toBe('network');
  const slow = await post(outbound, url);
  const late = reasonOf(drain(slow.parts));
  await timers.advance(10_000);
  expect(await late).toBe('timeout');
  const abort = new AbortController();
  const unread = await post(outbound, url, { signal: abort.signal });
  const left = reasonOf(drain(unread.parts));
  abort.abort();
  expect(await left).toBe('closed');
  expect(await reasonOf(post(outbound, url, { signal: abort.signal }))).toBe('closed');
  expect(await reasonOf(post(outbound, url, { allowHttp: false }))).toBe('refused');
});
