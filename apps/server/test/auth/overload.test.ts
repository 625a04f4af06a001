import { createClient } from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';
import { password, server, shareAuthServer } from './harness.ts';

shareAuthServer({ trustProxy: true });

describe('more sign-ins than the machine can hash', () => {
  test('AUTH-51: requests beyond the queue get 503 at once, the others are served', async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, i) =>
        server.call(
          'POST',
          '/token?grant_type=password',
          { email: `crowd-${i}@example.test`, password },
          { 'x-forwarded-for': `198.51.${i >> 8}.${i & 255}` },
        ),
      ),
    );
    const refused = answers.filter((answer) => answer.status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.filter((answer) => answer.status === 400).length).toBe(300 - refused.length);
    expect(await refused[0]!.json()).toEqual({
      code: 'busy',
      message: 'The service is busy. Please try again shortly.',
    });
    expect((await server.register()).session.access_token).toBeTruthy();

    const { rows } = await server.db.query<{ door: string; counted: number }>(
      `select split_part(key, ':', 2) as door, sum(attempts)::int as counted from app.attempt_limits
       where key like 'sign-in:%' group by door order by door`,
    );
    const checked = 300 - refused.length;
    expect(rows, 'a sign-in that was not checked is not counted as a guess').toEqual([
      { door: 'account', counted: checked },
      { door: 'account-from', counted: checked },
    ]);
  });
});

describe('a refresh that PostgreSQL gave up', () => {
  test.each(['40P01', '55P03', '57014'])(
    'AUTH-51: with %s is answered 503, and goes through a moment later',
    async (code) => {
      const { session } = await server.register();
      const refresh = () =>
        server.call('POST', '/token?grant_type=refresh_token', { refresh_token: session.refresh_token });
      await server.db.asOwner(
        `create function app.give_up() returns trigger language plpgsql as
       $$ begin raise exception 'given up' using errcode = '${code}'; end $$;
       grant execute on function app.give_up() to fulcrum_app;
       create trigger give_up before update on app.sessions execute function app.give_up()`,
      );
      const refused = await refresh();
      await server.db.asOwner('drop function app.give_up() cascade');
      expect([refused.status, await refused.json()]).toEqual([
        503,
        { code: 'busy', message: 'The service is busy. Please try again shortly.' },
      ]);
      expect((await refresh()).status).toBe(200);
    },
  );
});

describe('an endpoint that is not served', () => {
  test.each([
    ['POST', '/token?grant_type=id_token'],
    ['POST', '/token'],
    ['GET', '/verify?token=a&type=recovery'],
    ['POST', '/otp'],
    ['GET', '/settings'],
    ['GET', '/authorize?provider=github'],
    ['POST', '/factors'],
    ['GET', '/admin/users'],
    ['PATCH', '/user'],
    ['POST', '/unknown/path'],
  ])('A54: %s %s answers 404, never 501', async (method, path) => {
    const answer = await server.call(method, path, method === 'GET' ? undefined : {});
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'not_found' });
    expect(answer.headers.get('x-supabase-api-version')).toBe('2024-01-01');
  });

  test('CALL-09: the official client reads it as an error and does not retry', async () => {
    let calls = 0;
    const counting: typeof fetch = (...request) => {
      calls += 1;
      return fetch(...request);
    };
    const client = createClient(server.url, server.secrets.anonKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: { fetch: counting },
    });
    const { error } = await client.auth.signInWithOtp({ email: 'somebody@example.test' });
    expect(error).toMatchObject({ status: 404, code: 'not_found' });
    expect(calls).toBe(1);
  });

  test("a body that is not JSON is refused in the client's shape", async () => {
    const answer = await fetch(`${server.url}/auth/v1/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"email":',
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'validation_failed' });
    const form = await fetch(`${server.url}/auth/v1/signup`, {
      method: 'POST',
      body: new URLSearchParams({ a: '1' }),
    });
    expect(form.status).toBe(415);
  });
});
