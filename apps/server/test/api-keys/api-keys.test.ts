/** API keys (A119) through real HTTP: what they do, and that they end at once. */
import { randomUUID } from 'node:crypto';
import { texts } from '@fulcrum/contract';
import { minuteMs } from '@fulcrum/domain';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../src/platform/clock/index.ts';
import { createLog } from '../../src/platform/log/index.ts';
import { eventually } from '../harness/eventually.ts';
import { startTestServer, type TestServer, type Trader, testPassword } from '../harness/index.ts';
import { bearerOf, type MadeKey, makeKey, withKey } from './world.ts';

let server: TestServer;
let clock: ManualClock;
const lines: string[] = [];

beforeAll(async () => {
  clock = createManualClock(Date.now());
  server = await startTestServer({
    clock,
    // A proxy in front, so that a request may state where it comes from.
    config: { trustProxy: ['127.0.0.1'] as never },
    log: createLog({ logLevel: 'trace' }, { write: (line) => void lines.push(line) }),
  });
  server.feed.setPrice('BTCUSDT', '50000');
});
afterAll(() => server.close());

const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10 };
const refused = { status: 401, body: { code: 'PGRST301', message: texts.apiKeyInvalid } };

async function signInAs(role: 'manager' | 'admin') {
  const name = `staff-${randomUUID().slice(0, 12)}`;
  const user = await server.server.accounts.createUser(server.db, {
    email: `${name}@example.test`,
    username: name,
    password: testPassword,
    role,
    managerId: null,
    initialBalance: null,
  });
  const client = server.client();
  const { error } = await client.auth.signInWithPassword({
    email: `${name}@example.test`,
    password: testPassword,
  });
  if (error) throw error;
  return { client, id: user.id };
}

async function practiceOf({ client }: Trader): Promise<string> {
  const { data } = await client.rpc('create_account', { p_name: randomUUID() }).throwOnError();
  return data.id;
}

describe('A119: a key is made once and shown once', () => {
  test('the creation answers key and secret, and no other answer, row or log line has the secret', async () => {
    const trader = await server.signUpTrader();
    const key = await makeKey(trader.client, trader.userId, {
      p_name: ' My bot ',
      p_addresses: ['127.0.0.1'],
    });
    expect(key).toMatchObject({ name: 'My bot', scopes: ['read', 'trade'], addresses: ['127.0.0.1'] });
    expect(key.api_key).toMatch(/^paper_[0-9A-Za-z]{43}$/);
    const { data } = await trader.client.rpc('list_api_keys').throwOnError();
    const { api_key: _, secret: __, ...row } = key;
    expect(data).toEqual([row]);
    const { rows } = await server.db.query<{ text: string }>(
      `select (select json_agg(k) from app.api_keys k)::text || (select json_agg(a) from app.audit_log a)::text
        || (select json_agg(c) from app.commands c)::text as text`,
    );
    for (const text of [rows[0]?.text ?? '', ...lines]) expect(text).not.toContain(key.secret);
    expect(lines.join('')).not.toContain(key.api_key);
  });

  test('names, scopes, addresses, end and account are checked, with the argument in the details', async () => {
    const trader = await server.signUpTrader();
    const stranger = await server.signUpTrader();
    const make = (more: Record<string, unknown>) =>
      trader.client.rpc('create_api_key', {
        p_name: 'A',
        p_scopes: ['read'],
        p_account_id: trader.userId,
        ...more,
      });
    expect((await make({ p_name: ' ' })).error).toMatchObject({
      code: 'invalid_argument',
      details: 'p_name',
    });
    expect((await make({ p_scopes: [] })).error).toMatchObject({ code: 'invalid_argument' });
    expect((await make({ p_addresses: ['here'] })).error).toMatchObject({ details: 'p_addresses' });
    expect((await make({ p_expires_at: new Date(clock.now()).toISOString() })).error).toMatchObject({
      details: 'p_expires_at',
    });
    expect((await make({ p_account_id: stranger.userId })).error).toMatchObject({ code: 'not_found' });
    await make({}).throwOnError();
    expect((await make({ p_name: ' a' })).error).toMatchObject({ code: 'conflict', details: 'p_name' });
  });

  test('an account has ten live keys; an ended one makes room and frees its name', async () => {
    const trader = await server.signUpTrader();
    const keys: MadeKey[] = [];
    for (let made = 0; made < 10; made += 1) keys.push(await makeKey(trader.client, trader.userId));
    const one = { p_name: keys[0]?.name, p_scopes: ['read'], p_account_id: trader.userId };
    const full = await trader.client.rpc('create_api_key', { ...one, p_name: 'another' });
    expect(full.error).toMatchObject({
      code: 'conflict',
      message: 'This account has 10 keys. Revoke one first.',
    });
    await trader.client.rpc('revoke_api_key', { p_key_id: keys[0]?.id }).throwOnError();
    await trader.client.rpc('create_api_key', one).throwOnError();
    expect((await trader.client.rpc('list_api_keys').throwOnError()).data).toHaveLength(11);
  });
});

describe('A119: Authorization: Bearer <api_key>.<secret>', () => {
  test('works without an apikey header, for the one account of the key', async () => {
    const trader = await server.signUpTrader();
    const practice = await practiceOf(trader);
    const key = await makeKey(trader.client, practice);
    const opened = await withKey(server, key, 'rpc/open_position', { body: order });
    expect(opened).toMatchObject({ status: 200, body: { user_id: practice } });
    expect((await trader.client.from('positions').select('id').throwOnError()).data).toEqual([]);
    expect((await withKey(server, key, 'positions?select=id')).body).toEqual([{ id: opened.body.id }]);
    expect((await withKey(server, key, 'trading_accounts?select=id')).body).toEqual([{ id: practice }]);
    const accounts = await withKey(server, key, 'rpc/list_accounts', { body: {} });
    expect(accounts.body.map(({ id }: { id: string }) => id)).toEqual([practice]);
  });

  test('works with the official client, which sends an apikey header', async () => {
    const trader = await server.signUpTrader();
    const key = await makeKey(trader.client, trader.userId);
    const client = createClient(server.url, server.anonKey, {
      accessToken: async () => `${key.api_key}.${key.secret}`,
    });
    const waiting = {
      symbol: 'BTCUSDT',
      type: 'LIMIT',
      side: 'BUY',
      price: 40_000,
      size: 0.01,
      leverage: 10,
    };
    const { data } = await client.from('orders').insert(waiting).select('id').single().throwOnError();
    const canceled = await client
      .from('orders')
      .update({ status: 'CANCELED' })
      .eq('id', data.id)
      .select('status');
    expect(canceled.data).toEqual([{ status: 'CANCELED' }]);
    const wrong = createClient(server.url, 'another key', {
      accessToken: async () => `${key.api_key}.${key.secret}`,
    });
    expect(await wrong.from('orders').select('id')).toMatchObject({ status: 401 });
  });

  test('a wrong secret, an unknown key and a malformed one have one answer, and none of them is logged', async () => {
    const trader = await server.signUpTrader();
    const key = await makeKey(trader.client, trader.userId);
    const [unknown, foreign] = [`paper_${'x'.repeat(43)}`, 'realExchangeKeyOfSomebody'];
    expect(await withKey(server, { ...key, secret: 'wrong' }, 'orders')).toMatchObject(refused);
    expect(await withKey(server, { ...key, secret: '' }, 'orders')).toMatchObject(refused);
    expect(await withKey(server, { ...key, api_key: unknown }, 'orders')).toMatchObject(refused);
    expect(await withKey(server, { ...key, api_key: 'paper_malformed' }, 'orders')).toMatchObject(refused);
    // Not ours: a token that no verifier knows.
    expect(
      await withKey(server, { ...key, api_key: foreign }, 'orders', { headers: { apikey: server.anonKey } }),
    ).toMatchObject({
      status: 401,
    });
    const log = lines.join('');
    for (const text of [key.api_key, key.secret, unknown, 'paper_malformed', foreign])
      expect(log).not.toContain(text);
  });

  test('a listed address only, and the last use is recorded once a minute with it', async () => {
    const trader = await server.signUpTrader();
    const key = await makeKey(trader.client, trader.userId, {
      p_addresses: ['198.51.100.0/24', '2001:db8::1'],
    });
    const from = (address: string) =>
      withKey(server, key, 'orders?select=id', { headers: { 'x-forwarded-for': address } });
    const used = async () => {
      const { data } = await trader.client.rpc('list_api_keys').throwOnError();
      return data[0] as { last_used_at: string | null; last_used_address: string | null };
    };
    expect(await from('192.0.2.1')).toMatchObject({
      status: 403,
      body: { message: texts.apiKeyAddress('192.0.2.1') },
    });
    expect(await used()).toMatchObject({ last_used_at: null, last_used_address: null });
    const firstAt = new Date(clock.now()).toISOString();
    expect(await from('198.51.100.9')).toMatchObject({ status: 200 });
    await eventually(async () =>
      expect(await used()).toMatchObject({ last_used_at: firstAt, last_used_address: '198.51.100.9' }),
    );
    clock.advance(30_000);
    expect(await from('2001:db8::1')).toMatchObject({ status: 200 });
    clock.advance(minuteMs);
    const laterAt = new Date(clock.now()).toISOString();
    expect(await from('2001:db8::1')).toMatchObject({ status: 200 });
    await eventually(async () =>
      expect(await used()).toMatchObject({ last_used_at: laterAt, last_used_address: '2001:db8::1' }),
    );
  });

  test('no other protocol takes a key', async () => {
    const trader = await server.signUpTrader();
    const key = await makeKey(trader.client, trader.userId);
    const statusOf = async (method: string, path: string) => {
      const answer = await fetch(`${server.url}${path}`, {
        method,
        headers: { authorization: bearerOf(key), apikey: server.anonKey, 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: '{}' }),
      });
      return `${method} ${path}: ${answer.status}`;
    };
    const paths = [
      'GET /auth/v1/user',
      'PUT /auth/v1/user',
      'POST /auth/v1/logout',
      'POST /storage/v1/object/list/kyc-documents',
      'POST /realtime/v1/api/broadcast',
      'GET /exports/v1/link',
    ];
    const statuses = await Promise.all(
      paths.map((path) => statusOf(...(path.split(' ') as [string, string]))),
    );
    expect(statuses.map((line) => line.split(': ')[1])).toEqual(paths.map(() => '401'));
    const client = createClient(server.url, server.anonKey, {
      accessToken: async () => `${key.api_key}.${key.secret}`,
    });
    await client.realtime.setAuth();
    const status = await new Promise((resolve) => {
      client.channel(`user:${trader.userId}`, { config: { private: true } }).subscribe(resolve);
    });
    expect(status).toBe('CHANNEL_ERROR');
    await client.removeAllChannels();
    await client.realtime.disconnect();
  });
});

describe('A119: what ends a key ends it at once', () => {
  const works = async (key: MadeKey) => (await withKey(server, key, 'wallets?select=id')).status;
  /** Ids of keys whose end was announced, as the sockets of a door hear it. */
  const announced: string[] = [];

  test('revoked by its owner; a repeat answers the same and is audited once', async () => {
    const trader = await server.signUpTrader();
    const key = await makeKey(trader.client, trader.userId);
    server.server.apiKeys.onRevoked((keyId) => announced.push(keyId));
    expect(await works(key)).toBe(200);
    const revoke = () => trader.client.rpc('revoke_api_key', { p_key_id: key.id }).throwOnError();
    const first = await revoke();
    expect(await withKey(server, key, 'wallets')).toMatchObject(refused);
    expect((await revoke()).data).toEqual(first.data);
    expect(announced).toEqual([key.id]);
    const { rows } = await server.db.query(
      'select action, actor_id, subject_id, detail from app.audit_log where object_id = $1 order by at, id',
      [key.id],
    );
    const detail = { account_id: trader.userId, scopes: ['read', 'trade'], addresses: 0, expires_at: null };
    const by = { actor_id: trader.userId, subject_id: trader.userId, detail };
    expect(rows).toEqual([
      { action: 'api_key.create', ...by },
      { action: 'api_key.revoke', ...by },
    ]);
  });

  test('revoked by staff who may manage the trader, with a reason; another manager finds nothing', async () => {
    const trader = await server.signUpTrader();
    const key = await makeKey(trader.client, await practiceOf(trader));
    const [manager, admin] = [await signInAs('manager'), await signInAs('admin')];
    const args = { p_key_id: key.id, p_reason: 'seen in a public repository' };
    expect((await manager.client.rpc('list_api_keys', { p_user_id: trader.userId })).error?.code).toBe(
      'not_found',
    );
    expect((await manager.client.rpc('revoke_api_key', args)).error).toMatchObject({
      code: 'not_found',
      message: 'This API key is gone.',
    });
    const listed = await admin.client.rpc('list_api_keys', { p_user_id: trader.userId }).throwOnError();
    expect(listed.data).toMatchObject([{ id: key.id, key_start: key.api_key.slice(0, 12) }]);
    expect(JSON.stringify(listed.data)).not.toContain(key.api_key);
    expect((await admin.client.rpc('revoke_api_key', { p_key_id: key.id })).error?.code).toBe(
      'reason_required',
    );
    await admin.client
      .rpc('assign_user_to_manager', { p_user_id: trader.userId, p_manager_id: manager.id })
      .throwOnError();
    expect(await works(key)).toBe(200);
    await manager.client.rpc('revoke_api_key', args).throwOnError();
    expect(await works(key)).toBe(401);
    const { rows } = await server.db.query(
      `select actor_id, subject_id, reason from app.audit_log where object_id = $1 and action = 'api_key.revoke'`,
      [key.id],
    );
    expect(rows).toEqual([{ actor_id: manager.id, subject_id: trader.userId, reason: args.p_reason }]);
  });

  test('expired', async () => {
    const trader = await server.signUpTrader();
    const key = await makeKey(trader.client, trader.userId, {
      p_expires_at: new Date(clock.now() + 5 * minuteMs).toISOString(),
    });
    expect(await works(key)).toBe(200);
    // Within the time that the key is cached for.
    clock.advance(5 * minuteMs - 1);
    expect(await works(key)).toBe(200);
    clock.advance(1);
    expect(await works(key)).toBe(401);
    await eventually(() => expect(announced).toContain(key.id));
  });

  test('its account is archived, its user deleted, or no trader any more', async () => {
    const [archived, deleted, promoted] = [
      await server.signUpTrader(),
      await server.signUpTrader(),
      await server.signUpTrader(),
    ];
    const practice = await practiceOf(archived);
    const keys = [
      await makeKey(archived.client, practice),
      await makeKey(deleted.client, deleted.userId),
      await makeKey(promoted.client, promoted.userId),
    ];
    const admin = await signInAs('admin');
    for (const key of keys) expect(await works(key)).toBe(200);
    await archived.client.rpc('archive_account', { p_account_id: practice }).throwOnError();
    await admin.client
      .rpc('delete_user_with_data', { p_user_id: deleted.userId, p_reason: 'test' })
      .throwOnError();
    await admin.client
      .rpc('safe_update_user_profile', { user_id: promoted.userId, new_role: 'support' })
      .throwOnError();
    for (const key of keys) expect(await works(key)).toBe(401);
    await eventually(() => expect(announced).toEqual(expect.arrayContaining(keys.map(({ id }) => id))));
    await admin.client
      .rpc('safe_update_user_profile', { user_id: promoted.userId, new_role: 'trader' })
      .throwOnError();
    expect(await works(keys[2]!)).toBe(401);
    expect(
      (
        await archived.client.rpc('create_api_key', {
          p_name: 'late',
          p_scopes: ['read'],
          p_account_id: practice,
        })
      ).error?.code,
    ).toBe('account_archived');
  });

  test('by another process: within two seconds, in requests and for open sockets', async () => {
    const trader = await server.signUpTrader();
    const key = await makeKey(trader.client, trader.userId);
    expect(await works(key)).toBe(200);
    await server.db.query('update app.api_keys set revoked_at = $2 where id = $1', [
      key.id,
      new Date(clock.now()),
    ]);
    clock.advance(2_000);
    expect(await works(key)).toBe(401);
    await eventually(() => expect(announced).toContain(key.id));
  });

  test('A72: a restricted trader’s key reads, and opens nothing', async () => {
    const trader = await server.signUpTrader();
    const key = await makeKey(trader.client, trader.userId);
    const admin = await signInAs('admin');
    await admin.client
      .rpc('restrict_user', { p_user_id: trader.userId, p_restricted: true, p_reason: 'test' })
      .throwOnError();
    expect(await works(key)).toBe(200);
    server.feed.setPrice('BTCUSDT', '50000');
    expect(await withKey(server, key, 'rpc/open_position', { body: order })).toMatchObject({
      status: 403,
      body: { code: 'account_restricted' },
    });
  });
});

test('A119: a key survives a restart of the server', async () => {
  const trader = await server.signUpTrader();
  const key = await makeKey(trader.client, trader.userId);
  await server.restart();
  expect((await withKey(server, key, 'wallets')).status).toBe(200);
});

test('A119: the keys of a demo account end with the demo, those of an account with its own password do not', async () => {
  const demo = await startTestServer({ config: { demo: true } });
  const signIn = async (name: string) => {
    const client = demo.client();
    const email = `${name}@fulcrum.local`;
    const { data, error } = await client.auth.signInWithPassword({ email, password: 'fulcrum-demo' });
    if (error) throw error;
    return { client, id: data.user.id };
  };
  try {
    const published = await signIn('trader');
    const own = await demo.signUpTrader();
    const keys = [
      await makeKey(published.client, published.id),
      await makeKey(own.client, own.userId),
    ] as const;
    const statuses = () =>
      Promise.all(keys.map(async (key) => (await withKey(demo, key, 'orders?select=id')).status));
    expect(await statuses()).toEqual([200, 200]);
    await demo.restart();
    expect(await statuses()).toEqual([200, 200]);
    await demo.restart({ demo: false });
    expect(await statuses()).toEqual([401, 200]);
  } finally {
    await demo.close();
  }
});
