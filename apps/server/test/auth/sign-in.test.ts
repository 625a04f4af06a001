import { describe, expect, test } from 'vitest';
import { makeStaff, password, server, shareAuthServer } from './harness.ts';

shareAuthServer();

describe('sign-in', () => {
  test('CALL-03, AUTH-15: returns a session of the user, whose token carries the role', async () => {
    const admin = await makeStaff(server, 'admin');
    const client = server.client();
    const { data, error } = await client.auth.signInWithPassword({
      email: admin.email.toUpperCase(),
      password,
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ id: admin.id, app_metadata: { role: 'admin' } });
    const { data: verified } = await client.auth.getClaims();
    expect(verified!.claims).toMatchObject({
      sub: admin.id,
      aud: 'authenticated',
      role: 'authenticated',
      app_role: 'admin',
      auth_time: Math.floor(server.clock.now() / 1000),
    });
    expect(verified!.claims.exp - verified!.claims.iat).toBe(15 * 60);
  });

  test('AUTH-14: sets last_login, also for the first sign-in of a user', async () => {
    const support = await makeStaff(server, 'support');
    expect(support.lastLogin).toBeNull();
    server.clock.advance(5000);
    await server.client().auth.signInWithPassword({ email: support.email, password });
    const { rows } = await server.db.query(`select last_login from app.users where id = $1`, [support.id]);
    expect(rows).toEqual([{ last_login: new Date(server.clock.now()) }]);
  });

  test.each([
    ['AUTH-04', { email: ' ', password: 'secret-1' }, 'Email is required'],
    ['AUTH-05', { email: 'a@example.test', password: '' }, 'Password is required'],
  ])('%s: refuses an empty field with its text', async (_id, fields, text) => {
    const { error } = await server.client().auth.signInWithPassword(fields);
    expect(error).toMatchObject({ message: text, code: 'validation_failed' });
  });

  test('CALL-06: GET user returns the current user, and 401 without a token', async () => {
    const { client, userId, username } = await server.register();
    const { data } = await client.auth.getUser();
    expect(data.user).toMatchObject({ id: userId, user_metadata: { username } });
    const anonymous = await server.call('GET', '/user');
    expect(anonymous.status).toBe(401);
    expect(await anonymous.json()).toMatchObject({ code: 'no_authorization' });
  });

  test('CALL-06: setSession adopts the tokens of another client', async () => {
    const { session, userId } = await server.register();
    const other = server.client();
    const { data, error } = await other.auth.setSession(session);
    expect(error).toBeNull();
    expect(data.user!.id).toBe(userId);
  });

  test('responses are never cached and have the version of their error codes', async () => {
    const answer = await server.call('POST', '/token?grant_type=password', {
      email: 'x@example.test',
      password,
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-supabase-api-version')).toBe('2024-01-01');
  });

  test('one user has at most 100 live sessions; the longest unused one ends for the next', async () => {
    const { userId, session, email } = await server.register();
    await server.db.query(
      `insert into app.sessions (user_id, created_at, last_seen_at)
       select $1, $2::timestamptz, $2::timestamptz + interval '1 second' from generate_series(1, 99)`,
      [userId, new Date(server.clock.now())],
    );
    server.clock.advance(5000);
    await server.client().auth.signInWithPassword({ email, password });
    const { rows } = await server.db.query(
      `select count(*)::int as live from app.sessions where user_id = $1 and revoked_at is null`,
      [userId],
    );
    expect(rows).toEqual([{ live: 100 }]);
    expect(() => server.accounts.callerOf({ authorization: `Bearer ${session.access_token}` })).toThrow(
      'This session has ended.',
    );
  });
});
