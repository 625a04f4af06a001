import { minuteMs } from '@fulcrum/domain';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthServer, bearer, makeStaff, password, startAuthServer } from './harness.ts';

let server: AuthServer;
let secure: AuthServer;
beforeAll(async () => {
  server = await startAuthServer();
  secure = await startAuthServer({
    database: server.db,
    clock: server.clock,
    publicUrl: 'https://trade.example.test',
  });
});
afterAll(async () => {
  await secure.stop();
  await server.close();
});

const placeholder = 'kept-in-cookie';
const fromPage = (on: AuthServer, cookie?: string, origin = on.url) => ({
  'x-fulcrum-session': 'cookie',
  origin,
  ...(cookie === undefined ? {} : { cookie }),
});
const cookieOf = (answer: Response) => answer.headers.get('set-cookie')?.split(';', 1)[0];
const signIn = (email: string, headers: Record<string, string>, on = server) =>
  on.call('POST', '/token?grant_type=password', { email, password }, headers);
const refresh = (headers: Record<string, string>, token = placeholder) =>
  server.call('POST', '/token?grant_type=refresh_token', { refresh_token: token }, headers);
interface Tokens {
  access_token: string;
  refresh_token: string;
}

describe('the session cookie', () => {
  test('hides the refresh token from scripts: HttpOnly, SameSite=Strict, named after the instance', async () => {
    const { email } = await server.register();
    const answer = await signIn(email, fromPage(server));
    expect(((await answer.json()) as Tokens).refresh_token).toBe(placeholder);
    const set = answer.headers.get('set-cookie')!;
    expect(set).toMatch(new RegExp(`^fulcrum-rt-${server.secrets.instanceId}=[\\w-]{64}; `));
    expect(set).toContain('; HttpOnly; SameSite=Strict; Path=/auth/v1');
    expect(set).not.toContain('Secure');
  });

  test('is Secure and bound to the host when PUBLIC_URL is https', async () => {
    const { email } = await server.register();
    const set = (
      await signIn(email, fromPage(secure, undefined, 'https://trade.example.test'), secure)
    ).headers.get('set-cookie')!;
    expect(set).toMatch(new RegExp(`^__Host-fulcrum-rt-${server.secrets.instanceId}=`));
    expect(set).toContain('; HttpOnly; SameSite=Strict; Path=/; Secure');
    expect(set).not.toContain('Domain');
  });

  test('AUTH-47: refreshes by the cookie, which is exchanged each time', async () => {
    const { email } = await server.register();
    const first = cookieOf(await signIn(email, fromPage(server)))!;
    const refreshed = await refresh(fromPage(server, `other=1; ${first}`));
    expect(refreshed.status).toBe(200);
    expect(((await refreshed.json()) as Tokens).refresh_token).toBe(placeholder);
    const second = cookieOf(refreshed)!;
    expect(second).not.toBe(first);
    server.clock.advance(2 * minuteMs);
    expect((await refresh(fromPage(server, second))).status).toBe(200);
  });

  test('AUTH-47: the placeholder alone is refused', async () => {
    const { email } = await server.register();
    const cookie = cookieOf(await signIn(email, fromPage(server)))!;
    expect(await (await refresh(fromPage(server))).json()).toMatchObject({ code: 'refresh_token_not_found' });
    // Without the header the cookie is not looked at.
    expect((await refresh({ cookie })).status).toBe(400);
  });

  test('CALL-03: a program that does not request the cookie gets real tokens and no cookie', async () => {
    const { email } = await server.register();
    const answer = await signIn(email, {});
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(((await answer.json()) as Tokens).refresh_token).toMatch(/^[\w-]{64}$/);
  });

  test('AUTH-15: the unmodified client lives on the placeholder', async () => {
    const { email, userId } = await server.register();
    let jar = '';
    // Node has no cookie jar; a browser does this part.
    const client = createClient(server.url, server.secrets.anonKey, {
      auth: {
        persistSession: false,
        autoRefreshToken: false,
        detectSessionInUrl: false,
        storageKey: 'cookie-page',
      },
      global: {
        fetch: async (input, init) => {
          const headers = new Headers(init?.headers);
          for (const [name, value] of Object.entries(fromPage(server, jar))) headers.set(name, value);
          const answer = await fetch(input, { ...init, headers });
          jar = cookieOf(answer) ?? jar;
          return answer;
        },
      },
    });
    const signedIn = await client.auth.signInWithPassword({ email, password });
    expect(signedIn.data.session!.refresh_token).toBe(placeholder);
    const refreshed = await client.auth.refreshSession();
    expect(refreshed.error).toBeNull();
    expect(refreshed.data.user!.id).toBe(userId);
    expect((await client.auth.signOut({ scope: 'local' })).error).toBeNull();
    expect(jar).toMatch(/=$/);
  });
});

describe('a foreign page', () => {
  test.each([
    ['another site', 'https://evil.example'],
    ['another port of the same host', 'http://127.0.0.1:1'],
    ['an opaque origin', 'null'],
    ['a name that begins like ours', 'https://trade.example.test.evil.example'],
    ['our name without encryption', 'http://trade.example.test'],
  ])('from %s gets no session by the cookie', async (_what, origin) => {
    const { email } = await server.register();
    const cookie = cookieOf(await signIn(email, fromPage(server)))!;
    for (const on of [server, secure]) {
      for (const path of [
        '/token?grant_type=refresh_token',
        '/token?grant_type=password',
        '/signup',
        '/logout',
      ]) {
        const body = { refresh_token: placeholder, email, password };
        const answer = await on.call('POST', path, body, fromPage(on, cookie, origin));
        expect(answer.status).toBe(403);
        expect(answer.headers.get('set-cookie')).toBeNull();
      }
    }
    expect((await refresh(fromPage(server, cookie))).status).toBe(200);
  });

  test('a request without an origin is refused as well', async () => {
    const answer = await server.call('POST', '/logout', {}, { 'x-fulcrum-session': 'cookie' });
    expect(answer.status).toBe(403);
  });
});

describe('logout in cookie mode', () => {
  test('CALL-08: clears the cookie and ends the session', async () => {
    const { email } = await server.register();
    const signedIn = await signIn(email, fromPage(server));
    const { access_token } = (await signedIn.json()) as Tokens;
    const cookie = cookieOf(signedIn)!;
    const answer = await server.call(
      'POST',
      '/logout?scope=local',
      {},
      { ...bearer(access_token), ...fromPage(server, cookie) },
    );
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toContain(
      '=; Max-Age=0; HttpOnly; SameSite=Strict; Path=/auth/v1',
    );
    expect((await refresh(fromPage(server, cookie))).status).toBe(403);
  });

  test('CALL-08: works by the cookie alone when the access token has run out', async () => {
    const { email } = await server.register();
    const signedIn = await signIn(email, fromPage(server));
    const { access_token } = (await signedIn.json()) as Tokens;
    const cookie = cookieOf(signedIn)!;
    server.clock.advance(16 * minuteMs);
    const answer = await server.call(
      'POST',
      '/logout?scope=local',
      {},
      { ...bearer(access_token), ...fromPage(server, cookie) },
    );
    expect(answer.status).toBe(204);
    expect((await refresh(fromPage(server, cookie))).status).toBe(403);
  });

  test('CALL-08: others leaves the cookie', async () => {
    const { email } = await server.register();
    const signedIn = await signIn(email, fromPage(server));
    const { access_token } = (await signedIn.json()) as Tokens;
    const cookie = cookieOf(signedIn)!;
    const answer = await server.call(
      'POST',
      '/logout?scope=others',
      {},
      { ...bearer(access_token), ...fromPage(server, cookie) },
    );
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect((await refresh(fromPage(server, cookie))).status).toBe(200);
  });
});

describe('sign-up on a page where staff are signed in', () => {
  test('CALL-65: creates the account, leaves their cookie and returns no session', async () => {
    const admin = await makeStaff(server, 'admin');
    const cookie = cookieOf(await signIn(admin.email, fromPage(server)))!;
    const answer = await server.call(
      'POST',
      '/signup',
      {
        email: 'by-admin@example.test',
        password,
        data: { username: 'by_admin', phone_number: '+12025550101' },
      },
      fromPage(server, cookie),
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toBeNull();
    const body = (await answer.json()) as Record<string, unknown>;
    expect(body).toMatchObject({ email: 'by-admin@example.test' });
    expect(body).not.toHaveProperty('access_token');
    expect(
      ((await (await refresh(fromPage(server, cookie))).json()) as { user: { id: string } }).user.id,
    ).toBe(admin.id);
  });
});
