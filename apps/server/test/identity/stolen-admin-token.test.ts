/**
 * Threat: a stolen access token of an admin. It lasts fifteen minutes and must not lead to an admin account of the
 * attacker. Every test begins after the time in which the admin's sign-in replaces the password.
 */
import { randomUUID } from 'node:crypto';
import { minuteMs } from '@fulcrum/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { testPassword } from '../harness/index.ts';
import { server, shareUserServer, type TestUser } from './user-server.ts';

let victim: TestUser;
shareUserServer();
beforeEach(async () => {
  victim = await server.addUser('admin');
  server.clock.advance(11 * minuteMs);
});

const passwordRequired = { status: 403, message: 'Please enter your current password.' };
const wrong = { status: 400, message: 'Current password is incorrect' };
const call = async (name: string, args: Record<string, unknown>) => {
  const { status, error } = await victim.client.rpc(name, args);
  return { status, message: error?.message };
};
const newEmail = () => `new-${randomUUID().slice(0, 12)}@example.test`;
const newcomer = (p_role: string, more: Record<string, unknown> = {}) => ({
  p_email: newEmail(),
  p_username: randomUUID().slice(0, 13),
  p_password: testPassword,
  p_role,
  ...more,
});
const roleOf = async ({ id }: TestUser) => {
  const { rows } = await server.db.query<{ role: string }>(`select role from app.users where id = $1`, [id]);
  return rows[0]?.role;
};

describe('an attacker with a stolen access token of an admin', () => {
  test('makes no admin without the password', async () => {
    const admins = async () => (await server.db.query(`select from app.users where role = 'admin'`)).rowCount;
    const before = await admins();
    expect(await call('admin_create_user', newcomer('admin'))).toEqual(passwordRequired);
    const guessed = newcomer('admin', { p_current_password: 'a-guess' });
    expect(await call('admin_create_user', guessed)).toEqual(wrong);
    expect(await admins()).toBe(before);
  });

  test('sets no password of another admin', async () => {
    const other = await server.addUser('admin');
    const change = { p_user_id: other.id, p_new_password: 'mine-now' };
    expect(await call('admin_update_user_password', change)).toEqual(passwordRequired);
    const guessed = { ...change, p_current_password: 'a-guess' };
    expect(await call('admin_update_user_password', guessed)).toEqual(wrong);
    await server.signIn(other.email);
    expect(await server.audit(other.id)).toEqual([]);
  });

  test('promotes no user, neither by the procedure nor by the specification’s own insert', async () => {
    const accomplice = await server.addUser('support');
    const change = { user_id: accomplice.id, new_role: 'admin' };
    expect(await call('safe_update_user_profile', change)).toEqual(passwordRequired);
    const guessed = { ...change, current_password: 'a-guess' };
    expect(await call('safe_update_user_profile', guessed)).toEqual(wrong);
    const { status, error } = await victim.client
      .from('users')
      .insert({ id: accomplice.id, username: accomplice.username, role: 'admin' });
    expect({ status, message: error?.message }).toEqual(passwordRequired);
    expect(await roleOf(accomplice)).toBe('support');
  });

  test('demotes no admin, whose password it could then set', async () => {
    const other = await server.addUser('admin');
    const change = { user_id: other.id, new_role: 'support' };
    expect(await call('safe_update_user_profile', change)).toEqual(passwordRequired);
    expect(await roleOf(other)).toBe('admin');
  });

  test('changes no other admin’s email, which would receive their recovery', async () => {
    const other = await server.addUser('admin');
    const change = { user_id: other.id, new_email: newEmail() };
    expect(await call('safe_update_user_profile', change)).toEqual(passwordRequired);
    await server.signIn(other.email);
  });

  test('has ten guesses at the password in 15 minutes, whatever they are for', async () => {
    const other = await server.addUser('admin');
    const guesses: (() => Promise<{ status: number }>)[] = [
      () => call('admin_create_user', newcomer('admin', { p_current_password: 'a-guess' })),
      () =>
        call('admin_update_user_password', {
          p_user_id: other.id,
          p_new_password: 'mine-now',
          p_current_password: 'a-guess',
        }),
    ];
    const statuses = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await guesses[n % 2]!()).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 429]);
  });

  test('gains no rights when the account becomes admin during the request', async () => {
    const boss = await server.addUser('admin');
    const target = await server.addUser('support');
    const [promotion, change] = await Promise.all([
      boss.client.rpc('safe_update_user_profile', { user_id: target.id, new_role: 'admin' }),
      call('admin_update_user_password', { p_user_id: target.id, p_new_password: 'mine-now' }),
    ]);
    expect(promotion.error).toBeNull();
    const actions = (await server.audit(target.id)).map(({ action }) => action);
    // Set before the promotion it was the password of a supporter; afterwards it is refused.
    expect(actions).toEqual(change.status === 200 ? ['user.set_password', 'user.edit'] : ['user.edit']);
  });
});

describe('the admin, hours after the sign-in', () => {
  test('CALL-50, CALL-51: does all of it with the current password', async () => {
    const other = await server.addUser('admin');
    const supporter = await server.addUser('support');
    const p_current_password = testPassword;
    const actions = [
      await call('admin_create_user', newcomer('admin', { p_current_password })),
      await call('admin_update_user_password', {
        p_user_id: other.id,
        p_new_password: 'another-horse',
        p_current_password,
      }),
      await call('safe_update_user_profile', {
        user_id: supporter.id,
        new_role: 'admin',
        current_password: testPassword,
      }),
      await call('safe_update_user_profile', {
        user_id: other.id,
        new_email: newEmail(),
        current_password: testPassword,
      }),
    ];
    expect(actions.map(({ status, message }) => [status, message])).toEqual(
      actions.map(() => [200, undefined]),
    );
    expect(await roleOf(supporter)).toBe('admin');
  });

  test('CALL-50, CALL-51: does the daily work without it', async () => {
    const other = await server.addUser('admin');
    const trader = await server.addUser('trader');
    const actions = [
      await call('admin_create_user', newcomer('manager')),
      await call('admin_update_user_password', { p_user_id: trader.id, p_new_password: 'another-horse' }),
      await call('safe_update_user_profile', { user_id: trader.id, new_role: 'support' }),
      await call('safe_update_user_profile', { user_id: trader.id, new_email: newEmail() }),
      await call('safe_update_user_profile', { user_id: other.id, new_username: randomUUID().slice(0, 13) }),
    ];
    expect(actions.map(({ status, message }) => [status, message])).toEqual(
      actions.map(() => [200, undefined]),
    );
  });
});
