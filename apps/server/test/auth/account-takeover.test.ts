import { createHmac } from 'node:crypto';
import { hourMs } from '@fulcrum/domain';
import { isAuthWeakPasswordError } from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';
import { bearer, password, server, shareAuthServer } from './harness.ts';

shareAuthServer();

const change = (accessToken: string, body: object) => server.call('PUT', '/user', body, bearer(accessToken));
const signIn = (email: string, given: string) =>
  server.call('POST', '/token?grant_type=password', { email, password: given });

/** Signed in an hour ago, with a current access token. */
async function longSignedIn() {
  const victim = await server.register();
  server.clock.advance(hourMs);
  const { data } = await victim.client.auth.refreshSession();
  return { ...victim, accessToken: data.session!.access_token };
}

describe('the password of an account', () => {
  test('CALL-07, CALL-64: is changed right after a sign-in, through the official client', async () => {
    const { client, email } = await server.register();
    const { data, error } = await client.auth.updateUser({ password: 'another-horse' });
    expect(error).toBeNull();
    expect(data.user!.email).toBe(email);
    expect((await signIn(email, password)).status).toBe(400);
    expect((await signIn(email, 'another-horse')).status).toBe(200);
  });

  test('CALL-07: is changed later with the current one', async () => {
    const { accessToken, email } = await longSignedIn();
    const answer = await change(accessToken, { password: 'another-horse', current_password: password });
    expect(answer.status).toBe(200);
    expect((await signIn(email, 'another-horse')).status).toBe(200);
  });

  test('CALL-07: ends every other session and leaves this one', async () => {
    const { client, email, session } = await server.register();
    const thief = server.client();
    const stolen = (await thief.auth.signInWithPassword({ email, password })).data.session!;
    await client.auth.updateUser({ password: 'another-horse' });
    expect((await server.call('GET', '/user', undefined, bearer(stolen.access_token))).status).toBe(403);
    expect((await server.call('GET', '/user', undefined, bearer(session.access_token))).status).toBe(200);
  });

  test('AUTH-38, ERR-44: a weak one is refused with reasons', async () => {
    const { client } = await server.register();
    const { error } = await client.auth.updateUser({ password: '12345' });
    expect(isAuthWeakPasswordError(error)).toBe(true);
    expect(error!.message).toBe('Password must be at least 6 characters');
  });
});

describe('an attacker with a stolen access token', () => {
  test('CALL-07: cannot set a password without the current one', async () => {
    const { accessToken, email } = await longSignedIn();
    const answer = await change(accessToken, { password: 'mine-now' });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'reauthentication_needed' });
    expect((await signIn(email, password)).status).toBe(200);
  });

  test('ERR-18: has ten guesses at the current one in 15 minutes', async () => {
    const { accessToken } = await longSignedIn();
    for (let i = 0; i < 10; i += 1) {
      const answer = await change(accessToken, { password: 'mine-now', current_password: `guess-${i}` });
      expect(await answer.json()).toMatchObject({ message: 'Current password is incorrect' });
    }
    const answer = await change(accessToken, { password: 'mine-now', current_password: password });
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('900');
  });

  test('CALL-07: cannot change it after the session has ended', async () => {
    const { client, session } = await server.register();
    await client.auth.signOut();
    expect((await change(session.access_token, { password: 'mine-now' })).status).toBe(403);
  });

  test("CALL-07: impersonating staff cannot change the target's password", async () => {
    const { session } = await server.register();
    const [, body = ''] = session.access_token.split('.');
    const claims = {
      ...JSON.parse(Buffer.from(body, 'base64url').toString()),
      act: { sub: session.user.id.replace(/^./, '0'), id: session.user.id },
    };
    const input = ['{"alg":"HS256","typ":"JWT"}', JSON.stringify(claims)]
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.');
    const token = `${input}.${createHmac('sha256', server.secrets.jwtSecret).update(input).digest('base64url')}`;
    expect((await change(token, { password: 'mine-now' })).status).toBe(403);
  });

  test('CALL-07: cannot change the email here', async () => {
    const { client } = await server.register();
    const { error } = await client.auth.updateUser({
      email: 'thief@example.test',
      password: 'another-horse',
    });
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  test('CALL-07: a sign-in with the old password that crosses the change leaves no session behind', async () => {
    const { client, email, userId } = await server.register();
    await Promise.all([
      client.auth.updateUser({ password: 'another-horse' }),
      signIn(email, password),
      signIn(email, password),
    ]);
    const { rows } = await server.db.query(
      `select count(*)::int as live from app.sessions where user_id = $1 and revoked_at is null`,
      [userId],
    );
    expect(rows).toEqual([{ live: 1 }]);
  });
});
