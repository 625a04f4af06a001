import { isAuthWeakPasswordError } from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';
import { makeStaff, password, server, shareAuthServer } from './harness.ts';

shareAuthServer({ signupBalance: 2_500n * 100_000_000n });

const phone = '+12025550101';
const signUp = (email: string, username: string, more: { password?: string; phone?: string } = {}) =>
  server.client().auth.signUp({
    email,
    password: more.password ?? password,
    options: { data: { username, phone_number: more.phone ?? phone } },
  });

describe('sign-up', () => {
  test('AUTH-25, CALL-04: makes account, profile and credentials, and answers a session at once', async () => {
    const client = server.client();
    const { data, error } = await client.auth.signUp({
      email: ' New.Trader@Example.test ',
      password,
      options: { data: { username: 'new_trader', phone_number: phone } },
    });
    expect(error).toBeNull();
    expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 900 });
    expect(data.user).toMatchObject({
      email: 'new.trader@example.test',
      user_metadata: { username: 'new_trader', phone_number: phone },
      app_metadata: { role: 'trader' },
    });
    const { rows } = await server.db.query(`select * from app.users where id = $1`, [data.user!.id]);
    expect(rows[0]).toMatchObject({
      email: 'new.trader@example.test',
      username: 'new_trader',
      phone_number: phone,
      role: 'trader',
      last_login: new Date(server.clock.now()),
    });
    const { data: read } = await client.auth.getUser();
    expect(read.user!.id).toBe(data.user!.id);
  });

  test('the password is stored as a hash of the full cost', async () => {
    const { userId } = await server.register();
    const { rows } = await server.db.query<{ password_hash: string }>(
      `select password_hash from app.credentials where user_id = $1`,
      [userId],
    );
    expect(rows[0]?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('A13, A14: the same transaction opens the wallet with SIGNUP_BALANCE', async () => {
    const { userId } = await server.register();
    const { rows } = await server.db.query(`select balance from app.wallets where user_id = $1`, [userId]);
    expect(rows).toEqual([{ balance: '2500.00000000' }]);
  });

  test.each([
    ['AUTH-17', '', 'somebody', {}, 'Email is required'],
    ['AUTH-18', 'not-an-email', 'somebody', {}, 'Email is invalid'],
    ['AUTH-19', 'short@example.test', 'ab', {}, 'Username must be at least 3 characters'],
    [
      'AUTH-22, AUTH-23',
      'phone@example.test',
      'somebody',
      { phone: '0123' },
      'Please enter a valid phone number in international format (e.g., +12345678900)',
    ],
  ])('%s: refuses a wrong field with its text', async (_id, email, username, more, text) => {
    const { data, error } = await signUp(email, username, more);
    expect(data.session).toBeNull();
    expect(error).toMatchObject({ message: text, status: 400, code: 'validation_failed' });
  });

  test('AUTH-20, ERR-44: a weak password is refused with reasons', async () => {
    const { error } = await signUp('weak@example.test', 'weak_one', { password: '12345' });
    expect(isAuthWeakPasswordError(error)).toBe(true);
    expect(error).toMatchObject({ message: 'Password must be at least 6 characters', reasons: ['length'] });
  });

  test('A46: an email is unique whatever its case, a username as well', async () => {
    await signUp('taken@example.test', 'taken_name');
    const email = await signUp('TAKEN@example.test', 'other_name');
    expect(email.error).toMatchObject({
      message: 'This email is already registered.',
      code: 'user_already_exists',
      status: 422,
    });
    const name = await signUp('free@example.test', 'Taken_Name');
    expect(name.error).toMatchObject({ message: 'This username is taken.', code: 'conflict' });
  });

  test('AUTH-25: of parallel registrations of one email exactly one is made, whole', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, i) => signUp('race@example.test', `racer_${i}`)),
    );
    expect(answers.filter((answer) => answer.error === null)).toHaveLength(1);
    const { rows } = await server.db.query(
      `select u.username, w.balance from app.users u join app.wallets w on w.user_id = u.id
       join app.credentials c on c.user_id = u.id where email = 'race@example.test'`,
    );
    expect(rows).toHaveLength(1);
  });

  test('control characters, long fields and large bodies are refused, not stored', async () => {
    expect((await signUp('nul\0@example.test', 'nul_email')).error).toMatchObject({ status: 400 });
    expect((await signUp('ctl@example.test', 'bell\u0007name')).error).toMatchObject({ status: 400 });
    expect((await signUp(`${'a'.repeat(250)}@example.test`, 'long_email')).error).toMatchObject({
      message: 'Email is invalid',
    });
    expect(
      (await signUp('long@example.test', 'long_pass', { password: 'x'.repeat(257) })).error,
    ).toMatchObject({
      status: 400,
    });
    const large = await server.call('POST', '/signup', { email: 'x'.repeat(17_000) });
    expect(large.status).toBe(413);
    expect(await large.json()).toMatchObject({ code: 'validation_failed' });
  });

  test('CALL-65: while staff are signed in it makes a new account and leaves their session alone', async () => {
    const admin = await makeStaff(server, 'admin');
    const signedIn = await server.client().auth.signInWithPassword({ email: admin.email, password });
    const staff = server.client({ Authorization: `Bearer ${signedIn.data.session!.access_token}` });
    const { data, error } = await staff.auth.signUp({
      email: 'added@example.test',
      password,
      options: { data: { username: 'added_by_staff', phone_number: phone } },
    });
    expect(error).toBeNull();
    expect(data.user!.email).toBe('added@example.test');
    expect(data.session).toBeNull();
    const { rows } = await server.db.query(`select role, last_login from app.users where id = $1`, [
      data.user!.id,
    ]);
    expect(rows).toEqual([{ role: 'trader', last_login: null }]);
  });
});
