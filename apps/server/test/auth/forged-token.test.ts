import { createHmac } from 'node:crypto';
import { minuteMs } from '@fulcrum/domain';
import { beforeAll, describe, expect, test } from 'vitest';
import { bearer, server, shareAuthServer } from './harness.ts';

let genuine: string;
shareAuthServer();
beforeAll(async () => {
  genuine = (await server.register()).session.access_token;
});

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string) =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
const hmac = (algorithm: string, key: string, input: string) =>
  createHmac(algorithm, key).update(input).digest('base64url');

/** A token of our own making; by default it is as good as a genuine one. */
function forge(
  more: { header?: object; claims?: object; key?: string; algorithm?: string; signature?: string } = {},
) {
  const claims = { ...decode(genuine.split('.')[1]!), ...more.claims };
  const input = `${encode({ alg: 'HS256', typ: 'JWT', ...more.header })}.${encode(claims)}`;
  return `${input}.${more.signature ?? hmac(more.algorithm ?? 'sha256', more.key ?? server.secrets.jwtSecret, input)}`;
}
const get = (token: string) => server.call('GET', '/user', undefined, bearer(token));

describe('an attacker who forges an access token', () => {
  test('CALL-06: the forged token of these tests is accepted when it has no fault', async () => {
    expect((await get(forge())).status).toBe(200);
  });

  test.each([
    [
      'another role with the old signature',
      () => forge({ claims: { app_role: 'admin' }, signature: genuine.split('.')[2]! }),
    ],
    ['no algorithm', () => forge({ header: { alg: 'none' }, signature: '' })],
    ['no algorithm, with a signature', () => forge({ header: { alg: 'none' } })],
    ['no signature', () => forge({ signature: '' })],
    ['another algorithm with the right key', () => forge({ header: { alg: 'HS512' }, algorithm: 'sha512' })],
    ['another key', () => forge({ key: 'another-secret' })],
    ['the public key of the application as the key', () => forge({ key: server.secrets.anonKey })],
    ['another audience', () => forge({ claims: { aud: 'somewhere-else' } })],
    ['no audience', () => forge({ claims: { aud: undefined } })],
    ['no expiry', () => forge({ claims: { exp: undefined } })],
    ['an expiry that is no number', () => forge({ claims: { exp: '9999999999' } })],
    ['no session', () => forge({ claims: { session_id: undefined } })],
    ['an unknown critical header', () => forge({ header: { crit: ['x'], x: 1 } })],
    ['two parts', () => genuine.split('.').slice(0, 2).join('.')],
    ['nothing but dots', () => '..'],
    ['great length', () => `${'a'.repeat(4000)}.b.c`],
  ])('CALL-06: is refused with %s', async (_what, token) => {
    const answer = await get(token());
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: 'bad_jwt' });
  });

  test('CALL-06: another scheme than Bearer is refused, the public key alone is anonymous', async () => {
    const headers = { authorization: `Basic ${genuine}` };
    expect((await server.call('GET', '/user', undefined, headers)).status).toBe(401);
    expect(server.accounts.callerOf({ authorization: `Bearer ${server.secrets.anonKey}` })).toEqual({
      role: 'anon',
    });
    expect(server.accounts.callerOf({ apikey: server.secrets.anonKey })).toEqual({ role: 'anon' });
  });

  test('AUTH-47: a genuine token ends after 15 minutes, also when it was seen a moment before', async () => {
    const { session } = await server.register();
    server.clock.advance(15 * minuteMs - 2000);
    expect((await get(session.access_token)).status).toBe(200);
    server.clock.advance(2000);
    expect((await get(session.access_token)).status).toBe(401);
  });

  test('CALL-06: a genuine token with an actor names both users', async () => {
    const { session, userId } = await server.register();
    genuine = session.access_token;
    const staff = '7d8d1f6e-52f0-4f39-8ed3-3a3fd2b2cf55';
    const act = { sub: staff, id: '0b0ddc2c-4a3c-4a52-9a1c-0f4b6dcb6e5d' };
    const caller = server.accounts.callerOf(bearer(forge({ claims: { act } })));
    expect(caller).toMatchObject({ userId, accountId: userId, actorId: staff, impersonationId: act.id });
  });

  test('AUTH-52: a token with an actor but without an impersonation could not be revoked, and is refused', async () => {
    const { session } = await server.register();
    genuine = session.access_token;
    for (const act of [{ sub: session.user.id }, { id: session.user.id }, 'somebody', null]) {
      expect((await get(forge({ claims: { act } }))).status).toBe(401);
    }
  });
});
