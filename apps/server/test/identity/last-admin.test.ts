/** At least one admin remains, even under concurrent demotions. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startUserServer, type TestUser, type UserServer } from './user-server.ts';

let server: UserServer;
beforeEach(async () => {
  server = await startUserServer();
});
afterEach(() => server.close());

const demote = async (by: TestUser, target: TestUser) => {
  const { error, status } = await by.client.rpc('safe_update_user_profile', {
    user_id: target.id,
    new_role: 'trader',
  });
  return { status, message: error?.message };
};
const admins = async () => (await server.db.query(`select from app.users where role = 'admin'`)).rowCount;

test('the last admin cannot be demoted, not even by themselves', async () => {
  const admin = await server.addUser('admin');
  expect(await demote(admin, admin)).toEqual({
    status: 409,
    message: 'The last admin cannot be demoted.',
  });
  expect((await admin.client.auth.getUser()).error).toBeNull();
  expect(await server.audit(admin.id)).toEqual([]);
});

test('two admins who demote each other at the same time leave one', async () => {
  const [one, two] = [await server.addUser('admin'), await server.addUser('admin')];
  const answers = await Promise.all([demote(one, two), demote(two, one)]);
  // The second one has either lost the role, and with it the session, or is the last.
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await admins()).toBe(1);
});

test('ten admins who step down at the same time leave one', async () => {
  const everybody: TestUser[] = [];
  for (let n = 0; n < 10; n += 1) everybody.push(await server.addUser('admin'));
  const answers = await Promise.all(everybody.map((admin) => demote(admin, admin)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
  expect(await admins()).toBe(1);
});
