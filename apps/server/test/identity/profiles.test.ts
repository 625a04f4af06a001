import { randomUUID } from 'node:crypto';
import { minuteMs } from '@fulcrum/domain';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPseudonymizer } from '../../src/features/audit/index.ts';
import { testPassword } from '../harness/index.ts';
import { server, shareUserServer, type TestUser, tokenOf } from './user-server.ts';

let admin: TestUser;
shareUserServer();
beforeAll(async () => {
  admin = await server.addUser('admin');
});

const change = async (by: TestUser, whose: TestUser | { id: string }, more: Record<string, unknown>) => {
  const { data, error, status } = await by.client.rpc('safe_update_user_profile', {
    user_id: whose.id,
    ...more,
  });
  return { data, status, code: error?.code, message: error?.message };
};
const newEmail = () => `new-${randomUUID().slice(0, 12)}@example.test`;
const isAlive = async (token: string) => (await server.readAs(token)).status === 200;
const canSignIn = (email: string) =>
  server.signIn(email).then(
    () => true,
    () => false,
  );

describe('one’s own profile', () => {
  test('CALL-50: name and phone change, the row is the answer', async () => {
    const trader = await server.addUser('trader');
    const { data, status } = await change(trader, trader, {
      new_username: `  ${trader.username}-2 `,
      new_phone_number: '+12025550177',
    });
    expect(status).toBe(200);
    const { data: row } = await trader.client.from('users').select().single();
    expect(data).toEqual(row);
    expect(row).toMatchObject({ username: `${trader.username}-2`, phone_number: '+12025550177' });
    expect(await server.audit(trader.id)).toEqual([]);
  });

  test('A49, CALL-50: the present role and manager, or none, are ignored; any other value is refused', async () => {
    const manager = await server.addUser('manager');
    const trader = await server.addUser('trader', { managerId: manager.id });
    for (const same of [
      { new_role: 'trader', new_manager_id: manager.id },
      { new_role: null, new_manager_id: null, new_username: null, new_email: null },
      {},
    ]) {
      expect((await change(trader, trader, same)).status).toBe(200);
    }
    for (const other of [
      { new_role: 'admin' },
      { new_role: 'manager', new_username: 'somebody-else' },
      { new_manager_id: '' },
      { new_manager_id: admin.id },
    ]) {
      expect(await change(trader, trader, other)).toMatchObject({ status: 403, code: 'not_allowed' });
    }
    const { data } = await trader.client.from('users').select('username, role, manager_id').single();
    expect(data).toEqual({ username: trader.username, role: 'trader', manager_id: manager.id });
  });

  test('A49: another user’s profile is refused alike, existing or not, also for staff', async () => {
    const other = await server.addUser('trader');
    for (const role of ['trader', 'manager', 'support'] as const) {
      const user = await server.addUser(role);
      const answers = [];
      for (const id of [other.id, randomUUID()]) {
        answers.push(await change(user, { id }, { new_username: 'mine' }));
      }
      expect(answers[0]).toMatchObject({ status: 403, code: 'not_allowed' });
      expect(answers[1]).toEqual(answers[0]);
    }
  });

  test('AUTH-18, AUTH-19, AUTH-23: what does not fit gets the stated texts', async () => {
    const trader = await server.addUser('trader');
    const messages = [];
    for (const wrong of [
      { new_username: 'ab' },
      { new_email: '' },
      { new_email: 'nobody' },
      { new_phone_number: '' },
      { new_phone_number: '12' },
    ]) {
      const { status, message } = await change(trader, trader, wrong);
      expect(status).toBe(400);
      messages.push(message);
    }
    const phone = 'Please enter a valid phone number in international format (e.g., +12345678900)';
    expect(messages).toEqual([
      'Username must be at least 3 characters',
      'Email is required',
      'Email is invalid',
      phone,
      phone,
    ]);
  });

  test('A46: a taken name or email is refused, in any case', async () => {
    const [trader, other] = [await server.addUser('trader'), await server.addUser('trader')];
    expect(await change(trader, trader, { new_username: other.username.toUpperCase() })).toMatchObject({
      status: 409,
      message: 'This username is taken.',
    });
    expect(await change(trader, trader, { new_email: other.email.toUpperCase() })).toMatchObject({
      status: 409,
      message: 'This email is already registered.',
    });
  });

  test('SEC-F10: twenty taken names an hour may be requested; free names and the own one are not limited', async () => {
    const [trader, other] = [await server.addUser('trader'), await server.addUser('trader')];
    const ask = (name: string) => change(trader, trader, { new_username: name });
    for (let i = 0; i < 10; i += 1) {
      expect((await ask(other.username)).status).toBe(409);
      expect((await ask(randomUUID().slice(0, 12))).status, 'a free name counts for nothing').toBe(200);
    }
    const atOnce = await Promise.all(Array.from({ length: 20 }, () => ask(other.username)));
    expect(atOnce.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 10 }, () => 409),
      ...Array.from({ length: 10 }, () => 429),
    ]);
    expect(await ask(randomUUID().slice(0, 12))).toMatchObject({
      status: 429,
      message: 'Too many attempts. Please try again in 3600 seconds.',
    });
    expect((await change(trader, trader, { new_phone_number: '+12025550179' })).status).toBe(200);
    expect((await change(admin, other, { new_username: randomUUID().slice(0, 12) })).status).toBe(200);
  });

  test('A81: a short name that staff gave may stay as it is', async () => {
    const trader = await server.addUser('trader');
    const short = randomUUID().slice(0, 2);
    expect((await change(admin, trader, { new_username: short })).status).toBe(200);
    const answer = await change(trader, trader, {
      new_username: short,
      new_phone_number: '+12025550178',
    });
    expect(answer.status).toBe(200);
  });

  test('CALL-50: control characters are refused', async () => {
    const trader = await server.addUser('trader');
    expect((await change(trader, trader, { new_username: 'a\0bcd' })).status).toBe(400);
    expect((await change(trader, trader, { new_username: 'a\u0007bcd' })).status).toBe(400);
  });
});

describe('one’s own email', () => {
  test('A50: sign-in uses the new email, the present session stays, the others end, the old address is notified', async () => {
    const trader = await server.addUser('trader');
    const phone = await tokenOf(await server.signIn(trader.email));
    const email = newEmail();
    const { data } = await change(trader, trader, { new_email: email.toUpperCase() });
    expect(data).toMatchObject({ email });
    expect(await canSignIn(trader.email)).toBe(false);
    expect(await canSignIn(email)).toBe(true);
    expect((await trader.client.auth.getUser()).data.user?.email).toBe(email);
    expect(await isAlive(phone)).toBe(false);
    const { rows } = await server.db.query(
      `select kind, recipient from app.mails where recipient = any($1)`,
      [[trader.email, email]],
    );
    expect(rows).toEqual([{ kind: 'email_changed', recipient: trader.email }]);
    const mark = await createPseudonymizer(server.db, trader.id);
    expect(await server.audit(trader.id)).toEqual([
      {
        actor_id: trader.id,
        action: 'user.edit',
        reason: null,
        detail: {
          before: { email: mark(trader.email) },
          after: { email: mark(email) },
        },
      },
    ]);
  });

  test('A50: after ten minutes it requires the current password, and guesses are counted', async () => {
    const trader = await server.addUser('trader');
    server.clock.advance(11 * minuteMs);
    expect(await change(trader, trader, { new_email: newEmail() })).toMatchObject({
      status: 403,
      message: 'Please enter your current password.',
    });
    for (let n = 0; n < 9; n += 1) {
      const guess = await change(trader, trader, {
        new_email: newEmail(),
        current_password: `guess-${n}`,
      });
      expect(guess).toMatchObject({ status: 400, message: 'Current password is incorrect' });
    }
    const right = { new_email: newEmail(), current_password: testPassword };
    expect((await change(trader, trader, right)).status).toBe(429);
    server.clock.advance(15 * minuteMs);
    expect((await trader.client.auth.refreshSession()).error).toBeNull();
    expect((await change(trader, trader, right)).status).toBe(200);
  });

  test('A50: five changes an hour, for each one writes to the address that is left', async () => {
    const trader = await server.addUser('trader');
    const statuses = [];
    for (let n = 0; n < 6; n += 1) {
      statuses.push((await change(trader, trader, { new_email: newEmail() })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test('A50: an open recovery link of the old address works no more', async () => {
    const trader = await server.addUser('trader');
    const { error } = await server.client().auth.resetPasswordForEmail(trader.email);
    expect(error).toBeNull();
    await change(trader, trader, { new_email: newEmail() });
    const { rows } = await server.db.query<{ open: number }>(
      `select count(*)::int as open from app.recoveries where user_id = $1 and used_at is null`,
      [trader.id],
    );
    expect(rows).toEqual([{ open: 0 }]);
  });

  test('A50: also an admin proves to be there for their own', async () => {
    const user = await server.addUser('admin');
    server.clock.advance(11 * minuteMs);
    expect((await change(user, user, { new_email: newEmail() })).status).toBe(403);
    const proved = { new_email: newEmail(), current_password: testPassword };
    expect((await change(user, user, proved)).status).toBe(200);
    expect((await user.client.auth.getUser()).error).toBeNull();
    admin = await server.addUser('admin');
  });
});

describe('an admin edits a user', () => {
  test('ADMIN-55, A80: name, email, role and manager at once, audited as it was and as it is', async () => {
    const [support, manager] = [await server.addUser('support'), await server.addUser('manager')];
    const [username, email] = [randomUUID().slice(0, 8), newEmail()];
    const { data, status } = await change(admin, support, {
      new_username: username,
      new_email: email,
      new_role: 'trader',
      new_manager_id: manager.id,
    });
    expect(status).toBe(200);
    expect(data).toMatchObject({ username, email, role: 'trader', manager_id: manager.id });
    const mark = await createPseudonymizer(server.db, support.id);
    expect(await server.audit(support.id)).toEqual([
      {
        actor_id: admin.id,
        action: 'user.edit',
        reason: null,
        detail: {
          before: {
            username: mark(support.username),
            email: mark(support.email),
            role: 'support',
            manager_id: null,
          },
          after: {
            username: mark(username),
            email: mark(email),
            role: 'trader',
            manager_id: manager.id,
          },
        },
      },
    ]);
  });

  test('ADMIN-46, ADMIN-47, A81: a short name will do, a blank one and a wrong email have their texts', async () => {
    const trader = await server.addUser('trader');
    expect((await change(admin, trader, { new_username: ' ' })).message).toBe('Username is required');
    expect((await change(admin, trader, { new_email: 'nobody' })).message).toBe('Valid email is required');
    expect((await change(admin, trader, { new_username: randomUUID().slice(0, 2) })).status).toBe(200);
  });

  test('A80: a new role or email signs the user out everywhere, a new name does not', async () => {
    for (const [more, survives] of [
      [{ new_username: randomUUID().slice(0, 8) }, true],
      [{ new_email: newEmail() }, false],
      [{ new_role: 'support' }, false],
    ] as const) {
      const trader = await server.addUser('trader');
      const token = await tokenOf(trader.client);
      expect((await change(admin, trader, more)).status).toBe(200);
      expect(await isAlive(token)).toBe(survives);
    }
  });

  test('A80: an admin who steps down is signed out as well', async () => {
    const user = await server.addUser('admin');
    const token = await tokenOf(user.client);
    expect((await change(user, user, { new_role: 'trader' })).status).toBe(200);
    expect(await isAlive(token)).toBe(false);
  });

  test('ADMIN-53, ADMIN-54: a role other than trader clears the manager, and so does no manager', async () => {
    const manager = await server.addUser('manager');
    for (const more of [{ new_role: 'support' }, { new_manager_id: '' }]) {
      const trader = await server.addUser('trader', { managerId: manager.id });
      expect((await change(admin, trader, more)).data).toMatchObject({ manager_id: null });
    }
  });

  test('only a trader has a manager, and only a manager is one', async () => {
    const [trader, support, manager] = [
      await server.addUser('trader'),
      await server.addUser('support'),
      await server.addUser('manager'),
    ];
    expect(await change(admin, support, { new_manager_id: manager.id })).toMatchObject({
      status: 400,
      message: 'Only a trader has a manager.',
    });
    for (const id of [support.id, admin.id, randomUUID()]) {
      expect(await change(admin, trader, { new_manager_id: id })).toMatchObject({
        status: 400,
        message: 'Manager not found',
      });
    }
  });

  test('A80: wallet and positions stay when a trader becomes staff', async () => {
    const trader = await server.addUser('trader');
    const before = await server.db.query('select * from app.wallets where user_id = $1', [trader.id]);
    await change(admin, trader, { new_role: 'support' });
    const after = await server.db.query('select * from app.wallets where user_id = $1', [trader.id]);
    expect(after.rows).toEqual(before.rows);
  });

  test('CALL-50: a missing user is not found, and an empty change changes nothing', async () => {
    expect(await change(admin, { id: randomUUID() }, { new_username: 'ghost' })).toMatchObject({
      status: 404,
      message: 'User not found',
    });
    const trader = await server.addUser('trader');
    await change(admin, trader, { new_username: trader.username, new_role: 'trader' });
    expect(await server.audit(trader.id)).toEqual([]);
  });

  test('A50: two concurrent edits of one user are both applied in full', async () => {
    const trader = await server.addUser('trader');
    const answers = await Promise.all([
      change(admin, trader, { new_username: randomUUID().slice(0, 8) }),
      change(admin, trader, { new_email: newEmail() }),
      change(trader, trader, { new_phone_number: '+12025550179' }),
    ]);
    // The user's own edit may run after the new email has signed them out.
    expect(answers.slice(0, 2).map(({ status }) => status)).toEqual([200, 200]);
    const { rows } = await server.db.query<{ username: string; email: string }>(
      `select username, email from app.users where id = $1`,
      [trader.id],
    );
    expect(rows[0]).toEqual({ username: answers[0]?.data.username, email: answers[1]?.data.email });
  });
});
