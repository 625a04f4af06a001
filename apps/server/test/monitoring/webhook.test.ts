/** The operator's webhook: a receiver on loopback that verifies each message as its documentation says. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Condition, createWebhook } from '../../src/features/monitoring/index.ts';
import { realTimers, systemClock } from '../../src/platform/clock/index.ts';
import { createOutbound } from '../../src/platform/outbound/index.ts';
import { startTestServer, testLog } from '../harness/index.ts';
import { createManualTimers } from '../harness/manual-timers.ts';

const secret = 'of-the-receiver-0123456789';
interface Message {
  readonly id: string;
  readonly event: string;
  readonly condition: string;
  readonly reason: string;
  readonly since: string;
  readonly text: string;
}

let receiver: Server;
let url: string;
let dataDir: string;
let received: Message[];
let status: number;

beforeEach(async () => {
  received = [];
  status = 204;
  dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-webhook-'));
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const [, seconds, signature] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request.headers['fulcrum-signature'])) ?? [];
    const expected = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    if (signature !== expected) response.writeHead(403);
    else {
      if (status === 204) received.push(JSON.parse(body) as Message);
      response.writeHead(status);
    }
    response.end();
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/alerts?team=ops`;
});
afterEach(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  rmSync(dataDir, { recursive: true });
});

/** A webhook on a clock of its own, with conditions that the test sets. */
function start(timers: ReturnType<typeof createManualTimers>) {
  const conditions = new Map<Condition['name'], string | null>([
    ['feed', null],
    ['disk', null],
  ]);
  const outbound = createOutbound({ allowPrivate: true, timers: realTimers(systemClock), log: testLog });
  const webhook = createWebhook({
    timers,
    log: testLog,
    outbound,
    config: { dataDir, publicUrl: 'https://trade.example', alertWebhook: { url, secret } },
    readConditions: async () =>
      [...conditions].map(([name, reason]) => ({ name, ok: reason === null, reason })),
  });
  const passAfter = async (ms: number) => {
    await timers.advance(ms);
    await webhook.pass();
  };
  return { conditions, passAfter, close: () => outbound.close() };
}
const events = () => received.map(({ event, condition, reason }) => `${event} ${condition}: ${reason}`);

test('alert webhook: a change is sent once and signed, its end too; what passes by itself is left out', async () => {
  const timers = createManualTimers(Date.UTC(2026, 10, 24));
  const { conditions, passAfter, close } = start(timers);
  await passAfter(0);
  expect(events()).toEqual([]);

  conditions.set('disk', 'the disk is nearly full');
  conditions.set('feed', 'no prices come from binance');
  await passAfter(5_000);
  await passAfter(5_000);
  expect(events(), 'a feed may be silent for a minute').toEqual(['raised disk: the disk is nearly full']);
  conditions.set('feed', null);
  await passAfter(5_000);
  conditions.set('feed', 'no prices come from binance');
  await passAfter(5_000);
  await passAfter(59_000);
  expect(events()).toHaveLength(1);
  await passAfter(2_000);
  conditions.set('disk', null);
  await passAfter(5_000);
  await passAfter(5_000);
  expect(events()).toEqual([
    'raised disk: the disk is nearly full',
    'raised feed: no prices come from binance',
    'cleared disk: the disk is nearly full',
  ]);
  expect(received[1]).toMatchObject({
    since: '2026-11-24T00:00:20.000Z',
    server: 'https://trade.example',
    text: 'Fulcrum, feed: no prices come from binance',
  });
  await close();
});

test('alert webhook: a restart repeats nothing, and reports what ended meanwhile', async () => {
  const timers = createManualTimers(Date.UTC(2026, 10, 24));
  const first = start(timers);
  first.conditions.set('disk', 'the disk is nearly full');
  await first.passAfter(0);
  await first.close();

  const second = start(timers);
  second.conditions.set('disk', 'the disk is nearly full');
  await second.passAfter(0);
  expect(events()).toHaveLength(1);
  await second.close();

  const third = start(timers);
  await third.passAfter(0);
  expect(events()).toEqual(['raised disk: the disk is nearly full', 'cleared disk: the disk is nearly full']);
  await third.close();
});

test('alert webhook: a receiver that fails is tried again, less and less often, until it takes the message', async () => {
  const timers = createManualTimers(Date.UTC(2026, 10, 24));
  const { conditions, passAfter, close } = start(timers);
  status = 500;
  let tries = 0;
  receiver.on('request', () => {
    tries += 1;
  });
  conditions.set('disk', 'the disk is nearly full');
  for (let i = 0; i < 120; i += 1) await passAfter(5_000);
  expect(tries, 'within ten minutes').toBe(5);
  status = 204;
  await passAfter(300_000);
  expect(events()).toEqual(['raised disk: the disk is nearly full']);
  await close();
});

test('alert webhook: the server reports a halt of the engine, and names no account', async () => {
  const server = await startTestServer({ config: { alertWebhook: { url, secret } } });
  server.feed.setPrice('BTCUSDT', '100');
  const trader = await server.signUpTrader();
  const other = new pg.Client({ connectionString: server.databaseUrl });
  await other.connect();
  await other.query('update app.engines set ended_at = now()');
  await other.end();
  const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: '1', p_leverage: 10 };
  expect((await trader.client.rpc('open_position', order)).error?.code).toBe('trading_halted');
  await expect.poll(events).toContain('raised engine: trading is halted');
  expect(JSON.stringify(received)).not.toContain(trader.userId);
  await server.close();
});
