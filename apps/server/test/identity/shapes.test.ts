/** Users, sessions and responses in the form of the specification's clients (ENT-01 to ENT-07, CALL-63, CALL-83). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPassword } from '../harness/index.ts';
import { startUserServer, type TestUser } from './user-server.ts';

let server: Awaited<ReturnType<typeof startUserServer>>;
let admin: TestUser;
beforeAll(async () => {
  server = await startUserServer();
  admin = await server.addUser('admin');
});
afterAll(() => server.close());

const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/);

test('ENT-01, ENT-02, ENT-03, ENT-05, ENT-06: a user has the stated fields, with the manager’s record; only a trader has a manager', async () => {
  const manager = await server.addUser('manager');
  const trader = await server.addUser('trader', { managerId: manager.id, phoneNumber: '+12345678900' });
  const { data } = await admin.client
    .from('users')
    .select('*, manager:manager_id(id, username)')
    .eq('id', trader.id)
    .single();
  expect(data).toMatchObject({
    id: trader.id,
    email: trader.email,
    username: trader.username,
    role: 'trader',
    phone_number: '+12345678900',
    created_at: time,
    last_login: time,
    manager_id: manager.id,
    kyc_status: 'unverified',
    kyc_verified_at: null,
    manager: { id: manager.id, username: manager.username },
  });
  await expect(
    server.db.query(`update app.users set kyc_status = 'unsure' where id = '${trader.id}'`),
  ).rejects.toThrow(/kyc_status/);
  await expect(
    server.db.query(`update app.users set role = 'owner' where id = '${admin.id}'`),
  ).rejects.toThrow(/role/);
  const staff = await admin.client.rpc('assign_user_to_manager', {
    p_user_id: admin.id,
    p_manager_id: manager.id,
  });
  expect(staff.error?.message).toBe('Only a trader has a manager.');
});

test('ENT-07, CALL-63, CALL-83: signing in checks a password and answers a session; each answer is data or error', async () => {
  const right = await server.client().auth.signInWithPassword({ email: admin.email, password: testPassword });
  expect(right.error).toBeNull();
  expect(right.data.session).toMatchObject({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    expires_at: expect.any(Number),
    user: { id: admin.id, email: admin.email },
  });
  const wrong = await server.client().auth.signInWithPassword({ email: admin.email, password: 'a guess' });
  expect(wrong).toMatchObject({ data: { session: null }, error: { status: 400 } });
  const rows = await admin.client.from('users').select('id').eq('id', admin.id);
  expect(rows).toMatchObject({ data: [{ id: admin.id }], error: null });
  const refused = await admin.client.rpc('get_house_metrics', { p_from: 'no time', p_to: null });
  expect(refused).toMatchObject({
    data: null,
    error: { code: expect.any(String), message: expect.any(String) },
  });
});
