import { randomUUID } from 'node:crypto';
import { minuteMs } from '@fulcrum/domain';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPseudonymizer } from '../../src/features/audit/index.ts';
import { testPassword } from '../harness/index.ts';
import { subscribed, until } from '../realtime/realtime-server.ts';
import { server, shareUserServer, type TestUser, tokenOf } from './user-server.ts';

let admin: TestUser;
shareUserServer();
beforeAll(async () => {
  server.feed.setPrice('BTCUSDT', '60000');
  admin = await server.addUser('admin');
});

const fresh = (more: Record<string, unknown> = {}) => {
  const username = randomUUID().slice(0, 13);
  return {
    p_email: `${username}@example.test`,
    p_username: username,
    p_password: testPassword,
    p_role: 'trader',
    ...more,
  };
};
const create = (args: Record<string, unknown>) => admin.client.rpc('admin_create_user', args);

describe('an admin adds a user', () => {
  test('ADMIN-40, ADMIN-42, A51, RULE-27: a trader with 10000 as a booked deposit and without a sign-in', async () => {
    const manager = await server.addUser('manager');
    const own = await tokenOf(admin.client);
    const args = fresh({ p_manager_id: manager.id });
    const { data, error } = await create(args);
    expect(error).toBeNull();
    expect(data).toMatchObject({
      email: args.p_email,
      username: args.p_username,
      role: 'trader',
      manager_id: manager.id,
      last_login: null,
    });
    expect(Date.parse(data.created_at)).toBe(server.clock.now());
    expect(await tokenOf(admin.client)).toBe(own);

    const client = await server.signIn(args.p_email);
    const { data: wallet } = await client.from('wallets').select('balance, available_balance').single();
    expect(wallet).toEqual({ balance: 10_000, available_balance: 10_000 });
    const { data: deposits } = await client.from('transactions').select('type, amount, status, description');
    expect(deposits).toEqual([
      { type: 'deposit', amount: 10_000, status: 'completed', description: 'Initial balance' },
    ]);
    const mark = await createPseudonymizer(server.db, data.id);
    expect(await server.audit(data.id)).toEqual([
      {
        actor_id: admin.id,
        action: 'user.create',
        reason: null,
        detail: {
          email: mark(args.p_email),
          username: mark(args.p_username),
          role: 'trader',
          manager_id: manager.id,
          initial_balance: 10_000,
        },
      },
    ]);
  });

  test('ADMIN-34, ADMIN-41, A14, A51: staff of any role with an empty wallet', async () => {
    for (const p_role of ['manager', 'support', 'admin']) {
      const { data } = await create(fresh({ p_role }));
      expect(data.role).toBe(p_role);
      const { rows } = await server.db.query(
        `select balance, available_balance from app.wallets where user_id = $1`,
        [data.id],
      );
      expect(rows).toEqual([{ balance: '0.00000000', available_balance: '0.00000000' }]);
    }
  });

  test('ADMIN-35, ADMIN-36, ADMIN-38, A46, A81: the stated texts, and no partial account is left', async () => {
    const taken = await server.addUser('trader');
    const count = async () => (await server.db.query('select from app.users')).rowCount;
    const before = await count();
    const support = await server.addUser('support');
    const answers = [];
    for (const wrong of [
      { p_username: ' ' },
      { p_email: 'nobody' },
      { p_password: '12345' },
      { p_email: taken.email.toUpperCase() },
      { p_username: taken.username.toUpperCase() },
      { p_role: 'support', p_manager_id: taken.id },
      { p_manager_id: support.id },
      { p_manager_id: randomUUID() },
    ]) {
      const { error, status } = await create(fresh(wrong));
      answers.push([status, error?.message]);
    }
    expect(answers).toEqual([
      [400, 'Username is required'],
      [400, 'Valid email is required'],
      [400, 'Password must be at least 6 characters'],
      [409, 'This email is already registered.'],
      [409, 'This username is taken.'],
      [400, 'Only a trader has a manager.'],
      [400, 'Manager not found'],
      [400, 'Manager not found'],
    ]);
    expect(await count()).toBe(before + 1);
    expect((await create(fresh({ p_username: randomUUID().slice(0, 2) }))).error).toBeNull();
  });

  test('CALL-65: the specification’s sign-up by staff needs email and password only and returns no session', async () => {
    const email = `${randomUUID().slice(0, 13)}@example.test`;
    const answer = await fetch(`${server.url}/auth/v1/signup`, {
      method: 'POST',
      headers: {
        apikey: server.anonKey,
        authorization: `Bearer ${await tokenOf(admin.client)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ email, password: testPassword }),
    });
    const user = await answer.json();
    expect(answer.status).toBe(200);
    expect(user).toMatchObject({
      email,
      app_metadata: { role: 'trader' },
      user_metadata: {
        username: expect.stringMatching(new RegExp(`^${email.split('@')[0]}-[0-9a-f]{8}$`)),
      },
    });
    expect(user).not.toHaveProperty('access_token');
  });
});

describe('an admin sets a password', () => {
  test('CALL-51, ADMIN-58: the new password is accepted, the old one refused, the sessions end, nothing secret is stored', async () => {
    const trader = await server.addUser('trader');
    const tokens = [await tokenOf(trader.client), await tokenOf(await server.signIn(trader.email))];
    const { data } = await admin.client.rpc('admin_update_user_password', {
      p_user_id: trader.id,
      p_new_password: 'another-horse',
      p_reason: 'Forgotten',
    });
    expect(data).toEqual({ user_id: trader.id, sessions_ended: 2 });
    for (const token of tokens) expect((await server.readAs(token)).status).toBe(401);
    await expect(server.signIn(trader.email)).rejects.toThrow('Invalid login credentials');
    await server.signIn(trader.email, 'another-horse');
    expect(await server.audit(trader.id)).toEqual([
      {
        actor_id: admin.id,
        action: 'user.set_password',
        reason: 'Forgotten',
        detail: { sessions_ended: 2 },
      },
    ]);
    const { rows } = await server.db.query(`select kind from app.mails where recipient = $1`, [trader.email]);
    expect(rows).toEqual([{ kind: 'password_changed' }]);
  });

  test('CALL-51: admits a user who has guessed too often', async () => {
    const trader = await server.addUser('trader');
    for (let n = 0; n < 11; n += 1) await server.signIn(trader.email, `guess-${n}`).catch(() => undefined);
    await expect(server.signIn(trader.email)).rejects.toThrow('Too many attempts');
    await admin.client.rpc('admin_update_user_password', {
      p_user_id: trader.id,
      p_new_password: 'another-horse',
    });
    await server.signIn(trader.email, 'another-horse');
  });

  test('CALL-51: a change of the own password leaves the present session', async () => {
    const user = await server.addUser('admin');
    const elsewhere = await tokenOf(await server.signIn(user.email));
    const { data } = await user.client.rpc('admin_update_user_password', {
      p_user_id: user.id,
      p_new_password: 'another-horse',
    });
    expect(data).toMatchObject({ sessions_ended: 1 });
    expect((await user.client.auth.getUser()).error).toBeNull();
    expect((await server.readAs(elsewhere)).status).toBe(401);
  });

  test('CALL-51, ADMIN-49: a short password and a missing user are refused', async () => {
    const trader = await server.addUser('trader');
    const set = async (p_user_id: string, p_new_password: string) => {
      const { error, status } = await admin.client.rpc('admin_update_user_password', {
        p_user_id,
        p_new_password,
      });
      return [status, error?.message];
    };
    expect(await set(trader.id, '12345')).toEqual([400, 'Password must be at least 6 characters']);
    expect(await set(randomUUID(), testPassword)).toEqual([404, 'User not found']);
    await server.signIn(trader.email);
  });
});

describe('assigning a trader to a manager', () => {
  const assign = (userId: string, managerId: string | null) =>
    admin.client.rpc('assign_user_to_manager', { p_user_id: userId, p_manager_id: managerId });

  test('CALL-54: audited with both managers; null removes the assignment', async () => {
    const [one, two] = [await server.addUser('manager'), await server.addUser('manager')];
    const trader = await server.addUser('trader', { managerId: one.id });
    expect((await assign(trader.id, two.id)).data).toMatchObject({ id: trader.id, manager_id: two.id });
    expect((await assign(trader.id, null)).data).toMatchObject({ manager_id: null });
    expect((await server.audit(trader.id)).map(({ detail }) => detail)).toEqual([
      { before: { manager_id: one.id }, after: { manager_id: two.id } },
      { before: { manager_id: two.id }, after: { manager_id: null } },
    ]);
  });

  test('CALL-54: staff and missing users cannot be assigned, and only managers can be assigned to', async () => {
    const [manager, support, trader] = [
      await server.addUser('manager'),
      await server.addUser('support'),
      await server.addUser('trader'),
    ];
    expect((await assign(support.id, manager.id)).status).toBe(400);
    expect((await assign(randomUUID(), manager.id)).status).toBe(404);
    expect((await assign(trader.id, support.id)).status).toBe(400);
    expect((await trader.client.from('users').select('manager_id').single()).data).toEqual({
      manager_id: null,
    });
  });

  test('CALL-54: the managers’ rows and open channels follow at once', async () => {
    const [one, two] = [await server.addUser('manager'), await server.addUser('manager')];
    const trader = await server.addUser('trader', { managerId: one.id });
    const seen: Record<'one' | 'two', number> = { one: 0, two: 0 };
    for (const [name, manager] of [
      ['one', one],
      ['two', two],
    ] as const) {
      await manager.client.realtime.setAuth();
      const channel = manager.client
        .channel(`user:${manager.id}`)
        .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'positions' }, () => {
          seen[name] += 1;
        });
      expect(await subscribed(channel)).toEqual({ status: 'SUBSCRIBED' });
    }
    const trade = async () => {
      const { error } = await trader.client.rpc('open_position', {
        p_symbol: 'BTCUSDT',
        p_side: 'BUY',
        p_size: 0.001,
        p_leverage: 10,
      });
      expect(error).toBeNull();
    };
    const rows = async (manager: TestUser) =>
      (await manager.client.from('positions').select('id').eq('user_id', trader.id)).data?.length;

    await trade();
    await until(() => seen.one === 1);
    expect([await rows(one), await rows(two)]).toEqual([1, 0]);
    await assign(trader.id, two.id);
    expect([await rows(one), await rows(two)]).toEqual([0, 1]);
    await trade();
    await until(() => seen.two === 1);
    expect(seen).toEqual({ one: 1, two: 1 });
  });
});

// Last, because prices are stale after it.
test('CALL-51: the own password requires a recent sign-in, so a stolen admin token cannot take the account', async () => {
  const user = await server.addUser('admin');
  server.clock.advance(11 * minuteMs);
  const { error } = await user.client.rpc('admin_update_user_password', {
    p_user_id: user.id,
    p_new_password: 'mine-now',
  });
  expect(error).toMatchObject({ code: 'not_allowed', message: 'Please enter your current password.' });
  await server.signIn(user.email);
});
