/** Sessions as the unmodified client begins and ends them, also where token and cookie name different ones. */
import { hourMs } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { bearer, password, server, shareAuthServer } from './harness.ts';

shareAuthServer();

const fromPage = (cookie?: string) => ({
  'x-fulcrum-session': 'cookie',
  origin: server.url,
  ...(cookie === undefined ? {} : { cookie }),
});
const signIn = async (email: string, headers: Record<string, string> = {}) => {
  const answer = await server.call('POST', '/token?grant_type=password', { email, password }, headers);
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return { token, cookie: answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '' };
};
const alive = async (token: string) =>
  (await server.call('GET', '/user', undefined, bearer(token))).status === 200;

describe('the check of the current password', () => {
  test('CALL-64: with a client that is thrown away leaves the page’s own session as it is', async () => {
    const { client, email, session } = await server.register();
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => events.push(event));
    const throwAway = server.client();
    expect((await throwAway.auth.signInWithPassword({ email, password: 'wrong-horse' })).error).toMatchObject(
      {
        code: 'invalid_credentials',
      },
    );
    expect((await throwAway.auth.signInWithPassword({ email, password })).error).toBeNull();
    const checked = (await throwAway.auth.getSession()).data.session!;
    expect((await throwAway.auth.signOut({ scope: 'local' })).error).toBeNull();

    expect((await client.auth.getSession()).data.session!.access_token).toBe(session.access_token);
    expect(events).not.toContain('SIGNED_OUT');
    expect(await alive(session.access_token)).toBe(true);
    expect(await alive(checked.access_token)).toBe(false);
  });

  test('CALL-07, CALL-64: the client sends the current password with the new one', async () => {
    const { client, email } = await server.register();
    server.clock.advance(hourMs);
    await client.auth.refreshSession();
    const without = await client.auth.updateUser({ password: 'another-horse' });
    expect(without.error).toMatchObject({ code: 'reauthentication_needed' });
    const wrong = await client.auth.updateUser({ password: 'another-horse', current_password: 'wrong' });
    expect(wrong.error).toMatchObject({ message: 'Current password is incorrect' });
    const right = await client.auth.updateUser({ password: 'another-horse', current_password: password });
    expect(right.error).toBeNull();
    const again = await server.client().auth.signInWithPassword({ email, password: 'another-horse' });
    expect(again.error).toBeNull();
  });
});

describe('a logout whose token and cookie belong to different sessions', () => {
  test('AUTH-42: ends both sessions of two users, and no other session of the second', async () => {
    const [one, two] = [await server.register(), await server.register()];
    const asOne = await signIn(one.email);
    const asTwo = await signIn(two.email, fromPage());
    const answer = await server.call('POST', '/logout?scope=global', undefined, {
      ...fromPage(asTwo.cookie),
      ...bearer(asOne.token),
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0');
    expect(await alive(asOne.token)).toBe(false);
    expect(await alive(one.session.access_token)).toBe(false);
    expect(await alive(asTwo.token), 'no user could end it any more').toBe(false);
    expect(await alive(two.session.access_token)).toBe(true);
  });

  test('AUTH-42: ends both sessions of one user, and leaves a third', async () => {
    const user = await server.register();
    const [byToken, inCookie] = [await signIn(user.email), await signIn(user.email, fromPage())];
    await server.call('POST', '/logout?scope=local', undefined, {
      ...fromPage(inCookie.cookie),
      ...bearer(byToken.token),
    });
    expect([await alive(byToken.token), await alive(inCookie.token)]).toEqual([false, false]);
    expect(await alive(user.session.access_token)).toBe(true);
  });

  test('AUTH-42: with scope others the cookie and its user’s session stay', async () => {
    const [one, two] = [await server.register(), await server.register()];
    const asOne = await signIn(one.email);
    const asTwo = await signIn(two.email, fromPage());
    const answer = await server.call('POST', '/logout?scope=others', undefined, {
      ...fromPage(asTwo.cookie),
      ...bearer(asOne.token),
    });
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect([await alive(asOne.token), await alive(asTwo.token)]).toEqual([true, true]);
    expect(await alive(one.session.access_token)).toBe(false);
  });
});

describe('a session that ended elsewhere', () => {
  test('AUTH-44, CALL-08: is noticed by the client at its next call and at its next refresh', async () => {
    const { client, email } = await server.register();
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => events.push(event));
    const elsewhere = server.client();
    await elsewhere.auth.signInWithPassword({ email, password });
    await elsewhere.auth.signOut({ scope: 'global' });
    // The server's `session_not_found` under the client's own name.
    expect((await client.auth.refreshSession()).error!.name).toBe('AuthSessionMissingError');
    await client.auth.getUser();
    expect(events).toContain('SIGNED_OUT');
    expect((await client.auth.getSession()).data.session).toBeNull();
  });
});
