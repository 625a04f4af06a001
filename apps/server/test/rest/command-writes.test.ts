/** Inserts and updates that a feature's command carries out; the commands here are the test's own. */
import { AppError, type SignedIn, texts } from '@fulcrum/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/platform/clock/index.ts';
import { createAdmission } from '../../src/protocols/admission.ts';
import { registerRest } from '../../src/protocols/rest/index.ts';
import { testLog } from '../harness/index.ts';
import { impersonating, namedUsers, noApiKeys, type RestServer, startRestServer } from './rest-server.ts';

let server: RestServer;
let calls: unknown[] = [];
let answer: readonly string[] = [];

beforeAll(async () => {
  server = await startRestServer({
    writes: {
      'users.insert': async ({ userId }: SignedIn, rows) => {
        calls.push({ userId, rows });
        return answer;
      },
      'users.update': async ({ userId }: SignedIn, ids, changes) => {
        calls.push({ userId, ids, changes });
        if (changes.kyc_status === 'verified') throw new AppError('not_allowed', texts.notWhileImpersonating);
        return ids;
      },
      'wallets.insert': async ({ userId }: SignedIn, rows) => {
        calls.push({ userId, rows });
        const { rows: wallets } = await server.db.query<{ id: string }>(
          'select id from app.wallets where user_id = $1',
          [userId],
        );
        return wallets.map(({ id }) => id);
      },
    },
  });
});
afterAll(() => server.close());
beforeEach(() => {
  calls = [];
  answer = [];
});

test('CALL-28, CALL-33: claims reach the command in their columns’ form, and its rows are the answer', async () => {
  const { data, status } = await server
    .as('alice')
    .from('wallets')
    .insert({ user_id: namedUsers.alice.id, balance: 1e-7, available_balance: 5, currency: 'USDT' })
    .select('user_id, balance, users(username)')
    .single();
  expect([status, data]).toEqual([
    201,
    { user_id: namedUsers.alice.id, balance: 10000, users: { username: 'alice' } },
  ]);
  expect(calls).toEqual([
    {
      userId: namedUsers.alice.id,
      rows: [
        { user_id: namedUsers.alice.id, balance: '0.0000001', available_balance: '5', currency: 'USDT' },
      ],
    },
  ]);
});

test('X-20: the response’s rows have the command’s order and pass the caller’s own select policy', async () => {
  answer = [namedUsers.bob.id, namedUsers.alice.id, namedUsers.mona.id];
  const row = { id: namedUsers.alice.id, username: 'a' };
  const asAlice = await server
    .withToken('alice')
    .from('users')
    .upsert(row, { onConflict: 'id' })
    .select('username');
  expect(asAlice.data).toEqual([{ username: 'alice' }]);
  const asAda = await server.withToken('ada').from('users').insert(row).select('username');
  expect(asAda.data?.map(({ username }) => username)).toEqual(['bob', 'alice', 'mona']);
  expect(await server.withToken('alice').from('users').insert(row, { count: 'exact' })).toMatchObject({
    status: 201,
    data: null,
    count: 3,
  });
});

test('CALL-26: an update finds its rows under the role’s scope; the command gets their keys', async () => {
  const at = '2026-11-21T08:00:00.000Z';
  const update = (token: string) => server.withToken(token).from('users').update({ last_login: at });
  expect(await update('alice').eq('id', namedUsers.alice.id).select('username')).toMatchObject({
    status: 200,
    data: [{ username: 'alice' }],
  });
  // Readable for a manager, and still not hers to change.
  expect(await update('mona').eq('id', namedUsers.alice.id).select()).toMatchObject({
    status: 200,
    data: [],
  });
  expect(await update('ada').in('username', ['bob', 'sam'])).toMatchObject({ status: 204 });
  expect(calls).toEqual([
    { userId: namedUsers.alice.id, ids: [namedUsers.alice.id], changes: { last_login: at } },
    { userId: namedUsers.ada.id, ids: [namedUsers.bob.id, namedUsers.sam.id], changes: { last_login: at } },
  ]);
});

test('a refusal of the command is answered with its error, and so is an invalid request', async () => {
  const users = (token = 'alice') => server.withToken(token).from('users');
  expect(await users().update({ kyc_status: 'verified' }).eq('id', namedUsers.alice.id)).toMatchObject({
    status: 403,
    error: { code: 'not_allowed' },
  });
  calls = [];
  const refusals = [
    [users().update({ last_login: null }), 400, '21000'],
    [users().update({ role: 'admin' }).eq('id', namedUsers.alice.id), 403, '42501'],
    [users().update({ kyc_status: null }).eq('id', namedUsers.alice.id), 400, '23502'],
    [users('ada').update({ last_login: null }).neq('role', 'admin').select().single(), 406, 'PGRST116'],
    [
      users()
        .insert([{ username: 'a' }, { username: 'b' }])
        .select()
        .single(),
      406,
      'PGRST116',
    ],
    [users().insert({ kyc_status: 'verified' }), 403, '42501'],
    [users().insert({ id: 'me' }), 400, '22P02'],
    [users().upsert({ username: 'a' }, { onConflict: 'secret' }), 400, '42703'],
    [server.withToken('mona').from('wallets').insert({ currency: 'USDT' }), 403, '42501'],
  ] as const;
  for (const [request, status, code] of refusals) {
    expect(await request).toMatchObject({ status, error: { code } });
  }
  expect(calls).toEqual([]);
});

test('one request updates at most 100 rows by command', async () => {
  await server.db.query(
    `insert into app.users (email, username, role)
     select 'crowd' || n || '@example.test', 'crowd' || n, 'trader' from generate_series(1, 101) n`,
  );
  const { error } = await server
    .withToken('ada')
    .from('users')
    .update({ last_login: null })
    .like('username', 'crowd*');
  expect(error).toMatchObject({ code: 'PGRST124' });
  expect(calls).toEqual([]);
});

test('A45: no command write during an impersonation', async () => {
  const viewed = server.withToken(impersonating('alice'));
  const refused = { status: 403, error: { code: 'not_allowed', message: texts.notWhileImpersonating } };
  expect(await viewed.from('users').update({ last_login: null }).eq('id', namedUsers.alice.id)).toMatchObject(
    refused,
  );
  expect(await viewed.from('wallets').insert({ currency: 'USDT' })).toMatchObject(refused);
  expect(calls).toEqual([]);
});

test('a declared write without a command behind it is found at start', async () => {
  const { default: fastify } = await import('fastify');
  const app = fastify();
  await expect(
    registerRest(app, {
      db: server.db,
      bus: server.bus,
      clock: systemClock,
      identity: { callerOf: () => ({ role: 'anon' }) },
      apiKeys: noApiKeys,
      procedures: {} as never,
      writes: {},
      admission: createAdmission(),
      log: testLog,
    }),
  ).rejects.toThrow('no command for users.insert');
  await app.close();
});
