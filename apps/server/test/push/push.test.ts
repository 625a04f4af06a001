/** Web Push against a real push service on loopback: TLS, encryption, signature, and every end of a subscription. */
import { randomBytes, randomUUID } from 'node:crypto';
import { dayMs, hourMs, minuteMs } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createPush } from '../../src/features/push/index.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { createManualClock, realTimers } from '../../src/platform/clock/index.ts';
import { loadConfig } from '../../src/platform/config/index.ts';
import { createOutbound } from '../../src/platform/outbound/index.ts';
import { startTestServer, type TestServer, type Trader, testLog, testPassword } from '../harness/index.ts';
import { type PushService, startPushService, verifyVapid } from './push-service.ts';

const second = 1000;
const symbol = 'BTCUSDT';
const clock = createManualClock(Date.now());
let service: PushService;
let server: TestServer;
beforeAll(async () => {
  service = await startPushService();
  server = await startTestServer({
    clock,
    config: {
      pushHosts: [service.host],
      providers: { ...loadConfig({}).providers, allowPrivate: true },
      contactEmail: 'operator@example.org',
    },
  });
  server.feed.setPrice(symbol, '50000');
});
afterAll(async () => {
  await server.close();
  await service.close();
});
afterEach(async () => {
  await server.db.query('delete from app.push_subscriptions');
  service.received.length = 0;
  service.answerWith(() => ({ status: 201 }));
});

const publicKey = async (): Promise<string> =>
  ((await (await fetch(`${server.url}/config.json`)).json()) as { pushKey: string }).pushKey;
const save = (client: SupabaseClient, args: object) => client.rpc('save_push_subscription', args);
const devicesOf = async ({ client }: Pick<Trader, 'client'>) => (await client.rpc('list_push_devices')).data;
const waiting = async () =>
  (
    await server.db.query<{ attempts: number; next: Date }>(
      'select attempts, next_attempt_at as next from app.push_deliveries order by next_attempt_at',
    )
  ).rows;
/** The server's own pass may be under way; two more have seen everything that was due before. */
async function pass(): Promise<void> {
  await server.server.push.pass();
  await server.server.push.pass();
}
/** Another sign-in of the same trader, as on a second device. */
async function signInAgain({ email }: Trader): Promise<SupabaseClient> {
  const client = server.client();
  expect((await client.auth.signInWithPassword({ email, password: testPassword })).error).toBeNull();
  return client;
}
async function notify(userId: string, message = 'Test', kind = 'funds_changed'): Promise<string> {
  const id = randomUUID();
  await server.db.query(
    `insert into app.notifications (id, user_id, kind, message, created_at) values ($1, $2, $3, $4, $5)`,
    [id, userId, kind, message, new Date(clock.now())],
  );
  return id;
}
async function subscribed() {
  const trader = await server.signUpTrader();
  const browser = service.subscribe();
  const { data, error } = await save(trader.client, browser.subscription);
  expect(error).toBeNull();
  return { trader, browser, id: (data as { id: string }).id };
}

test('push: the fill of a waiting order reaches the device, encrypted for it and signed by the server', async () => {
  const { trader, browser } = await subscribed();
  const { data: order } = await trader.client
    .from('orders')
    .insert({ symbol, type: 'LIMIT', side: 'BUY', price: 49_000, size: 0.01, leverage: 10 })
    .select('id')
    .single();
  expect(order).not.toBeNull();
  server.feed.setPrice(symbol, '48900');
  // The bus wakes the sender; nothing here calls it.
  await expect.poll(() => service.received.length, { timeout: 20_000 }).toBe(1);
  server.feed.setPrice(symbol, '50000');
  const { data: notice } = await trader.client.from('notifications').select('id, message').single();
  const [push] = service.received;
  expect(browser.decrypt(push!.body)).toEqual({
    id: notice!.id,
    kind: 'order_filled',
    title: 'Order filled',
    body: notice!.message,
    path: `/trading?symbol=${symbol}`,
    at: expect.any(Number),
  });
  expect(push!.path).toBe(browser.path);
  expect(push!.body.toString('latin1')).not.toContain(symbol);
  expect(push!.headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    ttl: '21600',
    urgency: 'normal',
    topic: notice!.id.replaceAll('-', ''),
  });
  expect(verifyVapid(push!.headers.authorization ?? '', await publicKey())).toEqual({
    aud: `https://${service.host}`,
    exp: expect.any(Number),
    sub: 'mailto:operator@example.org',
  });
  await expect.poll(waiting).toEqual([]);
  expect(await devicesOf(trader)).toEqual([
    expect.objectContaining({ current: true, last_sent_at: expect.any(String) }),
  ]);
});

test('push: an alert reaches the device and wakes it', async () => {
  const { trader, browser } = await subscribed();
  const alert = { p_kind: 'price', p_symbol: symbol, p_level: 50_500 };
  expect((await trader.client.rpc('create_alert', alert)).error).toBeNull();
  server.feed.setPrice(symbol, '50600');
  await expect.poll(() => service.received.length, { timeout: 20_000 }).toBe(1);
  server.feed.setPrice(symbol, '50000');
  const [push] = service.received;
  expect(push!.headers.urgency).toBe('high');
  expect(browser.decrypt(push!.body)).toMatchObject({
    kind: 'alert',
    title: 'Alert',
    path: `/trading?symbol=${symbol}`,
  });
});

test('push: all devices of the trader get it, and no other trader', async () => {
  const { trader, browser } = await subscribed();
  await subscribed();
  const other = service.subscribe();
  clock.advance(second);
  expect((await save(await signInAgain(trader), other.subscription)).error).toBeNull();
  await notify(trader.userId, 'Your balance changed by +5.00 USDT.');
  await pass();
  expect(service.received).toHaveLength(2);
  expect(new Set(service.received.map(({ path }) => path))).toEqual(new Set([browser.path, other.path]));
  expect((await devicesOf(trader)).map(({ current }: { current: boolean }) => current)).toEqual([
    false,
    true,
  ]);
});

test('push: a long text is cut, and the push stays below 3 kB', async () => {
  const { trader, browser } = await subscribed();
  await notify(trader.userId, '价'.repeat(5_000));
  await pass();
  const [push] = service.received;
  expect((browser.decrypt(push!.body) as { body: string }).body).toBe(`${'价'.repeat(599)}…`);
  expect(push!.body.length).toBeLessThan(3_000);
});

test('push: what is older than the subscription is not sent', async () => {
  const trader = await server.signUpTrader();
  await notify(trader.userId);
  clock.advance(second);
  expect((await save(trader.client, service.subscribe().subscription)).error).toBeNull();
  await pass();
  expect(service.received).toEqual([]);
});

test.each([404, 410])('push: a push service that answers %i ends the subscription', async (status) => {
  const { trader } = await subscribed();
  service.answerWith(() => ({ status }));
  await notify(trader.userId);
  await notify(trader.userId);
  await pass();
  expect(await devicesOf(trader)).toEqual([]);
  expect(await waiting()).toEqual([]);
});

test('push: Retry-After is respected within an hour, and tries have an end', async () => {
  const { trader } = await subscribed();
  service.answerWith(() => ({ status: 429, headers: { 'retry-after': '120' } }));
  await notify(trader.userId);
  await pass();
  expect(await waiting()).toEqual([{ attempts: 1, next: new Date(clock.now() + 2 * minuteMs) }]);
  clock.advance(minuteMs);
  await pass();
  expect(service.received).toHaveLength(1);
  service.answerWith(() => ({ status: 503, headers: { 'retry-after': '999999' } }));
  clock.advance(minuteMs);
  await pass();
  expect(await waiting()).toEqual([{ attempts: 2, next: new Date(clock.now() + hourMs) }]);
  for (let attempt = 3; attempt <= 6; attempt += 1) {
    clock.advance(hourMs);
    service.answerWith(() => ({ status: 500 }));
    await pass();
  }
  expect(await waiting()).toEqual([]);
  expect(service.received).toHaveLength(6);
  expect((await server.db.query('select from app.push_subscriptions')).rows).toHaveLength(1);
});

test('push: a refusal by the push service drops the push and keeps the device', async () => {
  const { trader } = await subscribed();
  service.answerWith(() => ({ status: 413 }));
  await notify(trader.userId);
  await pass();
  expect(await waiting()).toEqual([]);
  expect(await devicesOf(trader)).toHaveLength(1);
});

test('push: a redirect is not followed', async () => {
  const { trader } = await subscribed();
  service.answerWith(() => ({ status: 307, headers: { location: `https://${service.host}/elsewhere` } }));
  await notify(trader.userId);
  await pass();
  expect(service.received).toHaveLength(1);
});

test('push: a push that a killed process had leased is sent by the next one, with the same topic', async () => {
  const { trader } = await subscribed();
  const id = await notify(trader.userId);
  await server.db.query('update app.push_deliveries set attempts = 1, next_attempt_at = $1', [
    new Date(clock.now() + minuteMs),
  ]);
  await pass();
  expect(service.received).toEqual([]);
  clock.advance(minuteMs);
  await pass();
  expect(service.received.map(({ headers }) => headers.topic)).toEqual([id.replaceAll('-', '')]);
});

test('push: of two processes one sends a push', async () => {
  const { trader } = await subscribed();
  const outbound = createOutbound({ allowPrivate: true, timers: realTimers(clock), log: testLog });
  const { sender } = createPush({
    db: server.db,
    bus: createBus(testLog),
    clock,
    timers: realTimers(clock),
    log: testLog,
    config: { ...loadConfig({}), pushHosts: [service.host] },
    secrets: server.server.secrets,
    outbound,
  });
  for (let number = 0; number < 16; number += 1) await notify(trader.userId, `Number ${number}`);
  await Promise.all([server.server.push.pass(), sender.pass()]);
  expect(new Set(service.received.map(({ headers }) => headers.topic)).size).toBe(16);
  expect(service.received).toHaveLength(16);
  await sender.stop();
  await outbound.close();
});

test('push: at most 20 notifications wait for a device', async () => {
  const { trader } = await subscribed();
  await server.db.query(
    `insert into app.notifications (id, user_id, kind, message, created_at)
     select gen_random_uuid(), $1, 'liquidation', 'Test', $2 from generate_series(1, 100)`,
    [trader.userId, new Date(clock.now())],
  );
  expect(await waiting()).toHaveLength(20);
  await pass();
  expect(service.received).toHaveLength(20);
  expect(service.received[0]!.headers.urgency).toBe('high');
});

test('push: logging out, an ended session and a new password end the subscription', async () => {
  const { trader } = await subscribed();
  const [other, third] = [await signInAgain(trader), await signInAgain(trader)];
  expect((await save(other, service.subscribe().subscription)).error).toBeNull();
  expect((await save(third, service.subscribe().subscription)).error).toBeNull();
  await notify(trader.userId);
  expect(await waiting()).toHaveLength(3);
  expect((await third.auth.signOut({ scope: 'local' })).error).toBeNull();
  expect(await devicesOf(trader)).toHaveLength(2);
  const { data: sessions } = await trader.client.rpc('list_sessions');
  const ended = (sessions as { id: string; current: boolean }[]).find(({ current }) => !current);
  expect((await trader.client.rpc('revoke_session', { p_id: ended?.id })).error).toBeNull();
  expect(await devicesOf(trader)).toEqual([expect.objectContaining({ current: true })]);
  await trader.client.auth.signOut({ scope: 'global' });
  await pass();
  expect(service.received).toEqual([]);
  expect((await server.db.query('select from app.push_subscriptions')).rows).toEqual([]);
});

test('push: a session that ran out gets nothing more', async () => {
  const { trader } = await subscribed();
  await server.db.query(
    `update app.sessions set created_at = created_at - interval '30 days' where user_id = $1`,
    [trader.userId],
  );
  await notify(trader.userId);
  await pass();
  expect(service.received).toEqual([]);
  expect((await server.db.query('select from app.push_subscriptions')).rows).toEqual([]);
});

test('push: what became old in the queue is dropped', async () => {
  const { trader } = await subscribed();
  await notify(trader.userId);
  clock.advance(6 * hourMs + second);
  await pass();
  expect(service.received).toEqual([]);
  expect(await waiting()).toEqual([]);
});

test('push: the deletion of the user deletes the devices and what waits for them', async () => {
  const { trader } = await subscribed();
  await notify(trader.userId);
  const email = `admin-${randomUUID()}@example.org`;
  await server.server.accounts.createUser(server.db, {
    email,
    username: email.slice(0, 18),
    password: testPassword,
    role: 'admin',
    managerId: null,
    initialBalance: 0n,
  });
  const admin = server.client();
  expect((await admin.auth.signInWithPassword({ email, password: testPassword })).error).toBeNull();
  const deletion = { p_user_id: trader.userId, p_reason: 'Test', p_client_id: randomUUID() };
  expect((await admin.rpc('delete_user_with_data', deletion)).error).toBeNull();
  expect((await server.db.query('select from app.push_subscriptions')).rows).toEqual([]);
  expect(await waiting()).toEqual([]);
});

test('push: a repeat keeps the device, and a new subscription of the session replaces the old one', async () => {
  const { trader, browser, id } = await subscribed();
  expect((await save(trader.client, browser.subscription)).data).toEqual({ id });
  const next = service.subscribe();
  expect((await save(trader.client, next.subscription)).error).toBeNull();
  expect(await devicesOf(trader)).toHaveLength(1);
  await notify(trader.userId);
  await pass();
  expect(service.received.map(({ path }) => path)).toEqual([next.path]);
});

test('push: the next trader of a browser takes its subscription over; the waiting pushes of the former one go', async () => {
  const { trader, browser } = await subscribed();
  await notify(trader.userId, 'For the former trader');
  const next = await server.signUpTrader();
  expect((await save(next.client, browser.subscription)).error).toBeNull();
  await pass();
  expect(service.received).toEqual([]);
  expect(await devicesOf(trader)).toEqual([]);
  expect(await devicesOf(next)).toHaveLength(1);
});

test('push: an endpoint without its keys takes nothing over', async () => {
  const { trader, browser } = await subscribed();
  const thief = await server.signUpTrader();
  const { p_p256dh, p_auth } = service.subscribe().subscription;
  expect((await save(thief.client, { ...browser.subscription, p_p256dh, p_auth })).error).toMatchObject({
    code: 'not_allowed',
    message: 'This push subscription belongs to another device. Switch push notifications on again.',
  });
  expect(await devicesOf(trader)).toHaveLength(1);
});

test('push: other hosts, plain http and wrong keys are refused', async () => {
  const trader = await server.signUpTrader();
  const { subscription } = service.subscribe();
  const answer = async (changed: object) => {
    const { error, status } = await save(trader.client, { ...subscription, ...changed });
    return [status, error?.message];
  };
  const refusedHost = [400, "This browser's push service is not one that this server calls."];
  for (const p_endpoint of [
    subscription.p_endpoint.replace('https:', 'http:'),
    'https://127.0.0.1/push/1',
    `https://${service.host}.example.org/push/1`,
    `https://user:pass@${service.host}/push/1`,
    `https://example.org/https://${service.host}/`,
    'no address',
  ])
    expect([p_endpoint, ...(await answer({ p_endpoint }))]).toEqual([p_endpoint, ...refusedHost]);
  const refusedKeys = [400, 'The keys of the push subscription are invalid.'];
  // A point with the right form that is not on the curve.
  const off = Buffer.concat([Buffer.from([4]), randomBytes(63), Buffer.from([0])]).toString('base64url');
  expect(await answer({ p_p256dh: off })).toEqual(refusedKeys);
  expect(await answer({ p_p256dh: Buffer.alloc(65).toString('base64url') })).toEqual(refusedKeys);
  expect((await answer({ p_auth: 'AA' }))[0]).toBe(400);
  expect(await devicesOf(trader)).toEqual([]);
});

test('push: a user has at most 10 devices, also with parallel requests', async () => {
  const trader = await server.signUpTrader();
  const clients = await Promise.all(Array.from({ length: 11 }, () => signInAgain(trader)));
  const answers = await Promise.all(clients.map((client) => save(client, service.subscribe().subscription)));
  const refused = answers.flatMap(({ error }) => (error ? [error.message] : []));
  expect(refused).toEqual(['Push notifications are on for 10 devices already. Remove one of them first.']);
  expect(await devicesOf(trader)).toHaveLength(10);
});

test('push: a notification does not wait for a log-out under way', async () => {
  const { trader } = await subscribed();
  await server.db.transaction(async (tx) => {
    await tx.query('update app.sessions set revoked_at = now() where user_id = $1', [trader.userId]);
    await notify(trader.userId);
  });
  expect(await waiting()).toEqual([]);
  expect(
    (await server.db.query('select from app.notifications where user_id = $1', [trader.userId])).rows,
  ).toHaveLength(1);
});

test('push: a removed device gets nothing', async () => {
  const { trader, id } = await subscribed();
  await notify(trader.userId);
  expect((await trader.client.rpc('remove_push_device', { p_id: id })).data).toEqual({ id });
  await pass();
  expect(service.received).toEqual([]);
});

test('push: the key survives a restart; another key and PUSH_HOSTS=none send nothing', async () => {
  const { trader } = await subscribed();
  const key = await publicKey();
  await server.restart();
  server.feed.setPrice(symbol, '50000');
  expect(await publicKey()).toBe(key);
  await server.restart({ pushHosts: [] });
  expect(await publicKey()).toBeNull();
  await notify(trader.userId);
  await pass();
  expect(service.received).toEqual([]);
  const { error } = await save(trader.client, service.subscribe().subscription);
  expect(error?.message).toBe('This server sends no push notifications.');
  expect(await devicesOf(trader)).toHaveLength(1);
  await server.restart();
  await server.db.query(`update app.push_subscriptions set server_key = 'another'`);
  clock.advance(dayMs / 24);
  await pass();
  expect(service.received).toEqual([]);
  expect((await server.db.query('select from app.push_subscriptions')).rows).toEqual([]);
});
