import { describe, expect, test } from 'vitest';
import { server, shareAuthServer } from './harness.ts';

shareAuthServer();

const attempt = (email: string) =>
  server.call('POST', '/token?grant_type=password', { email, password: 'wrong-password' });

describe('an attacker who looks for emails with an account', () => {
  test('AUTH-10: gets one answer for a wrong password and for an unknown email', async () => {
    const { email } = await server.register();
    const [wrong, unknown] = [await attempt(email), await attempt('nobody@example.test')];
    expect(unknown.status).toBe(wrong.status);
    const answer = await wrong.text();
    expect(JSON.parse(answer)).toEqual({ code: 'invalid_credentials', message: 'Invalid login credentials' });
    expect(await unknown.text()).toBe(answer);
    const names = (headers: Headers) => new Set(headers.keys());
    expect(names(unknown.headers)).toEqual(names(wrong.headers));
  });

  test('is limited for unknown emails as for known ones', async () => {
    for (let i = 0; i < 10; i += 1) expect((await attempt('ghost@example.test')).status).toBe(400);
    expect((await attempt('ghost@example.test')).status).toBe(429);
  });
});
