/** Realtime as a part of the running server: real tokens, real commits, real prices, the official client throughout. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import type { RealtimeChannel, RealtimePostgresChangesPayload } from '@supabase/supabase-js';
import { beforeAll, expect, test } from 'vitest';
import { server, shareTestServer, type Trader, testPassword } from '../harness/index.ts';
import { pause, subscribed, until } from './realtime-server.ts';

type Change = RealtimePostgresChangesPayload<Record<string, unknown>>;

shareTestServer();
beforeAll(async () => {
  server.feed.setPrice('BTCUSDT', '60000');
});

async function subscribeAccount({ client, userId }: Trader, asker: Trader['client'] = client) {
  await asker.realtime.setAuth();
  const seen: Change[] = [];
  const channel: RealtimeChannel = asker.channel(`user:${userId}`);
  for (const table of ['positions', 'wallets']) {
    channel.on('postgres_changes', { event: '*', schema: 'public', table }, (change: Change) =>
      seen.push(change),
    );
  }
  return { seen, answer: await subscribed(channel) };
}

test('CALL-47: a trade arrives as changes of the position and the wallet, at its owner only', async () => {
  const [trader, other] = [await server.signUpTrader(), await server.signUpTrader()];
  const { seen, answer } = await subscribeAccount(trader);
  expect(answer).toEqual({ status: 'SUBSCRIBED' });
  const foreign = await subscribeAccount(other);
  expect((await subscribeAccount(trader, other.client)).answer.status).toBe('CHANNEL_ERROR');

  const opened = await trader.client.rpc('open_position', {
    p_symbol: 'BTCUSDT',
    p_side: 'BUY',
    p_size: 0.01,
    p_leverage: 10,
  });
  expect(opened.error).toBeNull();
  await until(() => seen.length === 2);
  const positions = seen.filter(({ table }) => table === 'positions');
  const wallets = seen.filter(({ table }) => table === 'wallets');
  expect(positions.map(({ eventType }) => eventType)).toEqual(['INSERT']);
  expect(wallets.map(({ eventType }) => eventType)).toEqual(['UPDATE']);
  const { data: position } = await trader.client.from('positions').select().single();
  expect(positions[0]?.new).toMatchObject({
    id: position.id,
    size: 0.01,
    account_version: position.account_version,
  });
  const { data: wallet } = await trader.client.from('wallets').select().single();
  expect(wallets[0]?.new).toEqual({ ...wallet, last_updated: expect.any(String) });
  await pause(100);
  expect(foreign.seen).toEqual([]);
});

test('CALL-08: signing out ends the channels of the session at once', async () => {
  const trader = await server.signUpTrader();
  const statuses: string[] = [];
  await trader.client.realtime.setAuth();
  trader.client.channel(`user:${trader.userId}`).subscribe((status) => statuses.push(status));
  await until(() => statuses.includes('SUBSCRIBED'));
  const { data } = await trader.client.auth.getSession();
  await fetch(`${server.url}/auth/v1/logout?scope=local`, {
    method: 'POST',
    headers: { apikey: server.anonKey, authorization: `Bearer ${data.session?.access_token}` },
  });
  await until(() => statuses.includes('CHANNEL_ERROR'));
});

test('CALL-10: prices reach a visitor without a session', async () => {
  const channel = server.client().channel('prices');
  const prices: [string, number][] = [];
  channel.on('broadcast', { event: 'tick' }, ({ payload }) => {
    for (const { symbol, price } of payload.ticks) prices.push([symbol, price]);
  });
  await subscribed(channel);
  await until(() => prices.some(([symbol, price]) => symbol === 'BTCUSDT' && price === 60_000));
  server.feed.setPrice('BTCUSDT', '60123.45');
  await until(() => prices.some(([, price]) => price === 60_123.45));
});

test('a client that requests HTTP/2 with every request is answered in HTTP/1.1, its body read', async () => {
  const body = JSON.stringify({ email: 'nobody@example.test', password: 'does-not-matter' });
  const signIn = request(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: {
      apikey: server.anonKey,
      'content-type': 'application/json',
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': '',
    },
  }).end(body);
  const [answer] = (await once(signIn, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(400);
  expect(await json(answer)).toMatchObject({ code: 'invalid_credentials' });
});

test('CALL-13: after a restart of the server, clients are back by themselves', async () => {
  const trader = await server.signUpTrader();
  await trader.client.realtime.setAuth();
  const statuses: string[] = [];
  trader.client.channel(`user:${trader.userId}`).subscribe((status) => statuses.push(status));
  await until(() => statuses.includes('SUBSCRIBED'));
  await server.restart();
  await until(() => statuses.length > 1 && statuses.at(-1) === 'SUBSCRIBED');
});

test('A45: impersonating staff receive the account’s changes, until the impersonation ends', async () => {
  const trader = await server.signUpTrader();
  const email = `admin-${trader.userId}@example.test`;
  const { accounts, db } = server.server;
  await accounts.createUser(db, {
    email,
    username: `admin-${trader.userId.slice(0, 12)}`,
    password: testPassword,
    role: 'admin',
    managerId: null,
    initialBalance: null,
  });
  const admin = server.client();
  expect((await admin.auth.signInWithPassword({ email, password: testPassword })).error).toBeNull();
  await admin.realtime.setAuth();
  const p_user_id = trader.userId;
  expect((await admin.rpc('impersonate_user', { p_user_id, p_reason: 'a question' })).error).toBeNull();
  expect((await admin.auth.refreshSession()).error).toBeNull();
  const { seen, answer } = await subscribeAccount(trader, admin);
  expect(answer).toEqual({ status: 'SUBSCRIBED' });
  const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10 };
  expect((await trader.client.rpc('open_position', order)).error).toBeNull();
  await until(() => seen.length === 2);
  const [channel] = admin.realtime.getChannels();
  expect(await channel?.httpSend('hello', {}).catch(String)).toMatch(/impersonating a user/);

  expect((await admin.rpc('end_impersonation')).error).toBeNull();
  await until(() => channel?.state === 'errored');
  expect((await trader.client.rpc('open_position', order)).error).toBeNull();
  await pause(200);
  expect(seen).toHaveLength(2);
});
