/** A proxy that the configuration does not know of makes one address of all visitors (SEC-F7). */
import fastify from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '../../src/platform/log/index.ts';
import { detectUntrustedProxy } from '../../src/protocols/http/index.ts';
import { startTestServer, type TestServer } from '../harness/index.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const visit = (from: string) => fetch(`${server!.url}/config.json`, { headers: { 'x-forwarded-for': from } });
const addresses = async () =>
  ((await (await fetch(`${server!.url}/health`)).json()) as { addresses: unknown }).addresses;

const reason =
  'requests come with X-Forwarded-For and TRUST_PROXY is not set: all visitors of a proxy count as one address';

test('SEC-F7: an operator sees in /health that a proxy is not declared, and the server stays ready', async () => {
  server = await startTestServer();
  server.feed.setPrice('BTCUSDT', '100');
  expect(await addresses()).toEqual({ ok: true, reason: null });
  await visit('192.0.2.7');
  expect(await addresses()).toEqual({ ok: false, reason });
  const health = await fetch(`${server.url}/health`);
  expect(await health.json()).toMatchObject({ status: 'ready' });
  // Visitors learn nothing of how it is set up.
  const public_ = await fetch(`${server.url}/health`, { headers: { 'x-forwarded-for': '192.0.2.7' } });
  expect(await public_.json()).not.toHaveProperty('addresses');
});

test('SEC-F7: with TRUST_PROXY set there is no report', async () => {
  server = await startTestServer({ config: { trustProxy: 1 } });
  await visit('192.0.2.7');
  expect(await addresses()).toEqual({ ok: true, reason: null });
});

test('SEC-F7: the log states it once', async () => {
  const lines: string[] = [];
  const log = createLog({ logLevel: 'warn' }, { write: (line: string) => void lines.push(line) });
  const app = fastify();
  detectUntrustedProxy(app, { trustProxy: false }, log);
  for (let i = 0; i < 3; i += 1) await app.inject({ url: '/', headers: { 'x-forwarded-for': '192.0.2.7' } });
  await app.inject('/');
  await app.close();
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    `${reason}; set TRUST_PROXY if a proxy is in front`,
  ]);
});
