/** Threat: a client without a session blocks the database for all others by many requests (SEC-F6). */
import { beforeAll, describe, expect, test } from 'vitest';
import type { LimitSetting } from '../../src/platform/limits/declarations.ts';
import { limitsWith } from '../../src/platform/limits/index.ts';
import { server, shareTestServer, startTestServer, type Trader, testPassword } from '../harness/index.ts';

/** One request a second, ten at once. */
const narrow: Partial<Record<LimitSetting, number>> = { REQUESTS_PER_ADDRESS_S: 1 };

let trader: Trader;
let token: string;
shareTestServer({ config: { trustProxy: true, limits: limitsWith(narrow) } });
beforeAll(async () => {
  trader = await server.signUpTrader();
  token = (await trader.client.auth.getSession()).data.session!.access_token;
});

let addresses = 0;
const nextAddress = () => `198.51.100.${++addresses}`;

const ask = (method: string, path: string, body: unknown, from: string, bearer?: string) =>
  fetch(`${server.url}${path}`, {
    method,
    headers: {
      apikey: server.anonKey,
      'x-forwarded-for': from,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const recovery = { token_hash: 'made-up', type: 'recovery' };
const pkce = { auth_code: '00000000-0000-4000-8000-000000000000', code_verifier: 'x'.repeat(43) };
const made = 'made.up.token';
const selfie = '/storage/v1/object/kyc-documents/00000000-0000-4000-8000-000000000000/selfie.jpg';

describe('protocols without a session', () => {
  test.each([
    ['a recovery link', 'POST', '/auth/v1/verify', recovery, undefined, 403],
    ['a PKCE code', 'POST', '/auth/v1/token?grant_type=pkce', pkce, undefined, 404],
    ['the own user, with an invented token', 'GET', '/auth/v1/user', undefined, made, 401],
    ['a picture, without a session', 'GET', selfie, undefined, undefined, 400],
    ['a picture, with an invented token', 'GET', selfie, undefined, made, 400],
    [
      'a signed link',
      'GET',
      `${selfie.replace('object', 'object/sign')}?token=made-up`,
      undefined,
      undefined,
      400,
    ],
  ] as const)('SEC-F6: %s is counted by address', async (_what, method, path, body, bearer, refusal) => {
    const from = nextAddress();
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => ask(method, path, body, from, bearer)),
    );
    const statuses = answers.map(({ status }) => status);
    const admitted = statuses.filter((status) => status !== 429);
    expect(admitted.length).toBeGreaterThanOrEqual(10);
    expect(admitted.length).toBeLessThan(40);
    expect(new Set(admitted).size).toBe(1);
    if (path.startsWith('/auth')) expect(admitted[0]).toBe(refusal);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(((await refused.json()) as { message: string }).message).toMatch(
      /^Too many attempts\. Please try again in \d+ seconds\.$/,
    );
    expect((await ask(method, path, body, nextAddress(), bearer)).status).toBe(admitted[0]);
  });

  test('SEC-F6: a refresh beyond it is answered 503 with Retry-After, never 429, and the session continues', async () => {
    const from = nextAddress();
    const refresh = (refreshToken: string, address: string) =>
      ask('POST', '/auth/v1/token?grant_type=refresh_token', { refresh_token: refreshToken }, address);
    const answers = await Promise.all(Array.from({ length: 40 }, () => refresh('made-up', from)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 503]));
    const own = (await trader.client.auth.getSession()).data.session!.refresh_token;
    await Promise.all(Array.from({ length: 20 }, () => refresh('made-up', from)));
    const refused = await refresh(own, from);
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      503,
      '1',
      { code: 'busy', message: 'The service is busy. Please try again shortly.' },
    ]);
    expect((await refresh(own, nextAddress())).status).toBe(200);
  });

  test('SEC-F6, A118: the used-up limit of an address refuses neither a correct password nor signed-in users', async () => {
    const from = nextAddress();
    const verify = () => ask('POST', '/auth/v1/verify', recovery, from);
    await Promise.all(Array.from({ length: 40 }, verify));
    expect((await verify()).status).toBe(429);
    const given = { email: trader.email, password: testPassword };
    expect((await ask('POST', '/auth/v1/token?grant_type=password', given, from)).status).toBe(200);
    for (const path of ['/auth/v1/user', '/rest/v1/wallets?select=id']) {
      expect((await ask('GET', path, undefined, from, token)).status, path).toBe(200);
    }
  });

  test('SEC-F6: a neighbour with too many requests does not block a logout', async () => {
    const from = nextAddress();
    const given = { email: trader.email, password: testPassword };
    const inCookie = (path: string, headers: Record<string, string>, body: unknown = {}) =>
      fetch(`${server.url}/auth/v1${path}`, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', 'x-forwarded-for': from },
          ...{ 'x-fulcrum-session': 'cookie', origin: server.url, ...headers },
        },
        body: JSON.stringify(body),
      });
    const signedIn = await inCookie('/token?grant_type=password', {}, given);
    const { access_token } = (await signedIn.json()) as { access_token: string };
    const cookie = signedIn.headers.get('set-cookie')!.split(';', 1)[0]!;
    const neighbour = () => ask('POST', '/auth/v1/verify', recovery, from);
    await Promise.all(Array.from({ length: 40 }, neighbour));
    expect((await neighbour()).status).toBe(429);

    // The cookie alone has to wait, and stays for a retry.
    const byCookie = await inCookie('/logout?scope=local', { cookie });
    expect([byCookie.status, byCookie.headers.get('set-cookie')]).toEqual([429, null]);
    const done = await inCookie('/logout?scope=local', { cookie, authorization: `Bearer ${access_token}` });
    expect([done.status, done.headers.get('set-cookie')]).toEqual([
      204,
      expect.stringContaining('Max-Age=0'),
    ]);
    expect((await ask('GET', '/auth/v1/user', undefined, from, access_token)).status).not.toBe(200);
  });

  test('SEC-F6: however many one address sends, another one is served meanwhile', async () => {
    const wide = await startTestServer({ config: { trustProxy: true, limits: limitsWith({}) } });
    try {
      const send = (from: string) =>
        fetch(`${wide.url}/auth/v1/verify`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
          body: JSON.stringify(recovery),
        });
      let answered = 0;
      const flood = Array.from({ length: 800 }, () =>
        send('198.51.100.250').then(({ status }) => {
          answered += 1;
          return status;
        }),
      );
      expect((await send('198.51.100.251')).status).toBe(403);
      expect(answered).toBeLessThan(800);
      const statuses = new Set(await Promise.all(flood));
      expect([...statuses].every((status) => status === 403 || status === 503)).toBe(true);
    } finally {
      await wide.close();
    }
  });
});

describe('/health', () => {
  test('SEC-F6: reports that the database answers, while more wait for a connection than fit', async () => {
    const { db } = server.server;
    const held = Array.from({ length: 16 }, () => db.query('select pg_sleep(3)'));
    const waiting = Promise.allSettled(Array.from({ length: 1_000 }, () => db.query('select 1')));
    await expect(db.query('select 1')).rejects.toMatchObject({ code: 'busy' });
    const health = await fetch(`${server.url}/health`);
    expect([health.status, await health.json()]).toMatchObject([200, { database: { ok: true } }]);
    await Promise.all(held);
    await waiting;
  });
});
