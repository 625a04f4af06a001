/** The routes to a provider, over real servers on loopback; only time is moved by hand. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PriceError } from '../../src/features/market/price-error.ts';
import { createRoutes, type RouteOrder } from '../../src/features/market/providers/routes.ts';
import { createOutbound, type Outbound, OutboundError } from '../../src/platform/outbound/index.ts';
import { testLog } from '../harness/index.ts';
import { createManualTimers, type ManualTimers } from '../harness/manual-timers.ts';
import { type ProxyServer, startProxyServer } from './proxy-server.ts';

const price = '{"symbol":"BTCUSDT","price":"60000.01"}';
const answerWith =
  (status: number, body: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(body);
const ok = answerWith(200, price);
const hang: RequestListener = () => undefined;
const cut: RequestListener = (request) => void request.socket.resetAndDestroy();

let timers: ManualTimers;
let outbound: Outbound;
let provider: Server;
let url: string;
/** The provider's behaviour for the next requests, in order; the last one continues. */
let behaviour: RequestListener[];
let requested: IncomingMessage[];
let proxies: ProxyServer[];

beforeEach(async () => {
  timers = createManualTimers(Date.UTC(2026, 10, 21, 12));
  outbound = createOutbound({ allowPrivate: true, timers, log: testLog });
  behaviour = [ok];
  requested = [];
  provider = createServer((request, response) => {
    requested.push(request);
    const behave = behaviour.length > 1 ? behaviour.shift() : behaviour[0];
    behave?.(request, response);
  });
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const { port } = provider.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/v8/finance/chart/EURUSD=X?interval=1m&range=1d`;
  proxies = await Promise.all([startProxyServer(), startProxyServer(), startProxyServer()]);
});
afterEach(async () => {
  await outbound.close();
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  provider.close();
  provider.closeAllConnections();
  await once(provider, 'close');
});

const routesOver = (count: number) =>
  createRoutes({
    outbound,
    proxies: proxies.slice(0, count).map(({ prefix }) => prefix),
    timers,
    log: testLog,
  });
const requestsOf = () => proxies.map(({ requests }) => requests.length);
const textOf = async (promise: Promise<{ text: string }>) => (await promise).text;
const faultOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );
test('FEED-42: the exchange is tried directly first, and no proxy when it answers', async () => {
  const routes = routesOver(3);
  expect(await routes.get(url, 'direct-first')).toMatchObject({ status: 200, text: price });
  expect(requested).toHaveLength(1);
  expect(requestsOf()).toEqual([0, 0, 0]);
  behaviour = [cut];
  expect(await textOf(routes.get(url, 'direct-first').catch(() => ({ text: 'failed' })))).toBe('failed');
  expect(requestsOf()).toEqual([1, 1, 1]);
});

test('FEED-38: every other market is tried through a proxy first, and the provider sees the proxy only', async () => {
  const routes = routesOver(3);
  expect(await textOf(routes.get(url, 'proxies-first'))).toBe(price);
  expect(requestsOf()).toEqual([1, 0, 0]);
  expect(requested).toHaveLength(1);
});

test('FEED-39: requests go round the three proxies', async () => {
  const routes = routesOver(3);
  for (let request = 0; request < 7; request += 1) await routes.get(url, 'proxies-first');
  expect(requestsOf()).toEqual([3, 2, 2]);
});

test('FEED-39: one request tries each of the three before it gives up on them', async () => {
  for (const proxy of proxies) proxy.mode = 'fail';
  const routes = routesOver(3);
  expect(await textOf(routes.get(url, 'proxies-first'))).toBe(price);
  expect(requestsOf()).toEqual([1, 1, 1]);
  expect(requested).toHaveLength(1);
});

test('FEED-40: the requested address reaches the proxy URL-encoded, its own query included', async () => {
  await routesOver(1).get(url, 'proxies-first');
  const [request] = proxies[0]!.requests;
  expect(request?.target).toBe(`/?url=${encodeURIComponent(url)}`);
  expect(request?.url).toBe(url);
  expect(requested[0]?.url).toBe('/v8/finance/chart/EURUSD=X?interval=1m&range=1d');
});

test('FEED-41: proxied requests accept JSON; headers of the caller go with them', async () => {
  const routes = routesOver(1);
  await routes.get(url, 'proxies-first');
  expect(proxies[0]!.requests[0]?.accept).toBe('application/json');
  await routes.get(url, 'direct-first', { headers: { 'user-agent': 'Mozilla/5.0' } });
  expect(requested[1]?.headers).toMatchObject({ accept: 'application/json', 'user-agent': 'Mozilla/5.0' });
});

test.each<RouteOrder>(['direct-first', 'proxies-first'])(
  'FEED-43: a direct request is the last fallback, %s',
  async (order) => {
    for (const proxy of proxies) proxy.mode = 'fail';
    if (order === 'direct-first') behaviour = [cut, ok];
    expect(await textOf(routesOver(3).get(url, order))).toBe(price);
    expect(requestsOf()).toEqual([1, 1, 1]);
    expect(requested).toHaveLength(order === 'direct-first' ? 2 : 1);
  },
);

test('FEED-44: a proxy is skipped after three failures, however it fails; the others go on in rotation', async () => {
  const routes = routesOver(3);
  for (const mode of ['fail', 'reset', 'html'] as const) {
    proxies[0]!.mode = mode;
    while (proxies[0]!.requests.length < ['fail', 'reset', 'html'].indexOf(mode) + 1) {
      expect(await textOf(routes.get(url, 'proxies-first'))).toBe(price);
    }
  }
  proxies[0]!.mode = 'relay';
  const before = requestsOf();
  for (let request = 0; request < 12; request += 1) await routes.get(url, 'proxies-first');
  const [first = 0, second = 0, third = 0] = requestsOf().map((count, at) => count - (before[at] ?? 0));
  expect(first).toBe(0);
  expect(second + third).toBe(12);
  expect(Math.min(second, third)).toBeGreaterThan(0);
});

test('FEED-44, A32: with every proxy left out, quotes go straight to the provider', async () => {
  for (const proxy of proxies) proxy.mode = 'fail';
  const routes = routesOver(3);
  for (let request = 0; request < 3; request += 1) await routes.get(url, 'proxies-first');
  expect(requestsOf()).toEqual([3, 3, 3]);
  expect(await textOf(routes.get(url, 'proxies-first'))).toBe(price);
  behaviour = [cut];
  expect(await faultOf(routes.get(url, 'direct-first'))).toBeInstanceOf(PriceError);
  expect(requestsOf()).toEqual([3, 3, 3]);
  // Once for each of the five: with no proxy in between, a second direct request would be the same again.
  expect(requested).toHaveLength(5);
});

test('FEED-45: 5 min after its last failure a proxy is tried again, and its count starts over', async () => {
  const routes = routesOver(1);
  proxies[0]!.mode = 'fail';
  for (let request = 0; request < 4; request += 1) await routes.get(url, 'proxies-first');
  expect(requestsOf()[0]).toBe(3);
  await timers.advance(5 * 60_000 - 1);
  await routes.get(url, 'proxies-first');
  expect(requestsOf()[0]).toBe(3);
  await timers.advance(1);
  for (let request = 0; request < 4; request += 1) await routes.get(url, 'proxies-first');
  expect(requestsOf()[0]).toBe(6);
});

test('FEED-45: failures that lie further apart than 5 min never add up', async () => {
  const routes = routesOver(1);
  proxies[0]!.mode = 'fail';
  for (let request = 0; request < 6; request += 1) {
    await routes.get(url, 'proxies-first');
    await timers.advance(5 * 60_000);
  }
  expect(requestsOf()[0]).toBe(6);
});

test('FEED-46: a proxy that does not answer is given up after 10 s, and the next one is tried', async () => {
  proxies[0]!.mode = 'hang';
  let answered = false;
  const answer = textOf(routesOver(3).get(url, 'proxies-first')).finally(() => {
    answered = true;
  });
  await expect.poll(() => proxies[0]!.requests.length).toBe(1);
  await timers.advance(9_999);
  expect(answered).toBe(false);
  expect(requestsOf()).toEqual([1, 0, 0]);
  await timers.advance(1);
  expect(await answer).toBe(price);
  expect(requestsOf()).toEqual([1, 1, 0]);
});

test('FEED-47, ERR-36: with every proxy and the fallback failing the text is the stated one, with the last cause', async () => {
  for (const proxy of proxies) proxy.mode = 'fail';
  behaviour = [answerWith(503, '')];
  const fault = await faultOf(routesOver(3).get(url, 'proxies-first'));
  expect(fault).toBeInstanceOf(PriceError);
  expect(fault).toMatchObject({
    message: 'Failed to fetch data: All proxies failed',
    cause: { message: 'HTTP error! status: 503' },
  });
});

test('FEED-46, FEED-47: five routes that hang take 10 s each', async () => {
  for (const proxy of proxies) proxy.mode = 'hang';
  behaviour = [hang];
  const fault = faultOf(routesOver(3).get(url, 'direct-first'));
  for (let routes = 1; routes <= 5; routes += 1) {
    await expect.poll(() => requestsOf().reduce((sum, count) => sum + count, requested.length)).toBe(routes);
    await timers.advance(10_000);
  }
  expect(await fault).toMatchObject({
    message: 'Failed to fetch data: All proxies failed',
    cause: { reason: 'timeout' },
  });
  expect(requested).toHaveLength(2);
  expect(requestsOf()).toEqual([1, 1, 1]);
});

test('A32: without proxies the provider gets one request, and its answer is final', async () => {
  const routes = routesOver(0);
  for (const order of ['direct-first', 'proxies-first'] as const) {
    behaviour = [answerWith(503, 'busy')];
    expect(await routes.get(url, order)).toMatchObject({ status: 503, text: 'busy' });
    behaviour = [cut];
    expect(await faultOf(routes.get(url, order))).toMatchObject({
      message: 'Failed to fetch data: All proxies failed',
      cause: { reason: 'network' },
    });
  }
  expect(requested).toHaveLength(4);
});

test.each([418, 429, 451, 403, 404, 302])(
  'a direct %i is final and not dodged through a proxy',
  async (status) => {
    behaviour = [answerWith(status, '{"code":0}')];
    expect(await routesOver(3).get(url, 'direct-first')).toMatchObject({ status, text: '{"code":0}' });
    expect(requestsOf()).toEqual([0, 0, 0]);
  },
);

test.each([500, 502, 503])('after a direct %i the proxies are tried', async (status) => {
  behaviour = [answerWith(status, ''), ok];
  expect(await textOf(routesOver(3).get(url, 'direct-first'))).toBe(price);
  expect(requestsOf()).toEqual([1, 0, 0]);
});

test('an answer of a proxy that is no JSON counts as its failure, whatever its status', async () => {
  const routes = routesOver(3);
  proxies[0]!.mode = 'html';
  proxies[1]!.mode = 'empty';
  proxies[2]!.mode = (text) => text.slice(0, -1);
  expect(await textOf(routes.get(url, 'proxies-first'))).toBe(price);
  expect(requestsOf()).toEqual([1, 1, 1]);
});

test('a caller defines what is a valid answer: altered ones fail, an error of the provider passes', async () => {
  const routes = routesOver(2);
  const options = {
    isUsable: ({ status, text }: { status: number; text: string }) =>
      text.includes('"code":"Not Found"') || (status === 200 && text.includes('"symbol":"BTCUSDT"')),
  };
  proxies[0]!.mode = (text) => text.replace('BTCUSDT', 'ETHUSDT');
  expect(await textOf(routes.get(url, 'proxies-first', options))).toBe(price);
  expect(requestsOf()).toEqual([1, 1, 0]);
  behaviour = [answerWith(404, '{"chart":{"result":null,"error":{"code":"Not Found"}}}')];
  for (let request = 0; request < 8; request += 1) {
    proxies[0]!.mode = 'relay';
    expect(await routes.get(url, 'proxies-first', options)).toMatchObject({ status: 404 });
  }
  expect(requestsOf()).toEqual([5, 5, 0]);
});

test('an address that is not allowed is not requested through a proxy either', async () => {
  const routes = routesOver(3);
  const fault = await faultOf(routes.get('http://169.254.169.254/latest', 'direct-first'));
  expect(fault).toBeInstanceOf(PriceError);
  expect((fault as PriceError).cause).toBeInstanceOf(OutboundError);
  expect(requestsOf()).toEqual([0, 0, 0]);
});

test('stopping blames no proxy', async () => {
  proxies[0]!.mode = 'hang';
  const fault = faultOf(routesOver(3).get(url, 'proxies-first'));
  await expect.poll(() => proxies[0]!.requests.length).toBe(1);
  await outbound.close();
  expect(await fault).toMatchObject({ cause: { reason: 'closed' } });
  expect(requestsOf()).toEqual([1, 0, 0]);
});
