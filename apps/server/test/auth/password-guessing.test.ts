import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthServer, minute, password, startAuthServer } from './harness.ts';

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer({ trustProxy: true });
});
afterAll(() => server.close());

const from = (address: string) => ({ 'x-forwarded-for': address });
const signIn = (email: string, given: string, address = '192.0.2.1', on = server) =>
  on.call('POST', '/token?grant_type=password', { email, password: given }, from(address));

describe('somebody who guesses passwords', () => {
  test('has ten guesses of an account in 15 minutes from one address, whose owner still signs in from theirs', async () => {
    const { email } = await server.register();
    const theirs = '198.51.100.7';
    for (let i = 0; i < 10; i += 1) {
      expect((await signIn(email, `guess-${i}`, theirs)).status).toBe(400);
    }
    server.clock.advance(5 * minute);
    expect((await signIn(email, password, '198.51.100.8')).status).toBe(200);
    const refused = await signIn(email, password, theirs);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('600');
    expect(await refused.json()).toEqual({
      code: 'over_request_rate_limit',
      message: 'Too many attempts. Please try again in 600 seconds.',
    });
    server.clock.advance(10 * minute);
    expect((await signIn(email, password, theirs)).status).toBe(200);
  });

  test('has a hundred guesses of an account in 15 minutes from all addresses, also of one that is not there', async () => {
    const { email } = await server.register();
    const answers = [];
    for (const asked of [email, 'not-there@example.test']) {
      const statuses = new Set<number>();
      for (let i = 0; i < 100; i += 1) {
        statuses.add((await signIn(asked, `guess-${i}`, `203.0.113.${100 + (i % 10)}`)).status);
      }
      expect([...statuses]).toEqual([400]);
      const refused = await signIn(asked, password, '203.0.113.200');
      answers.push([refused.status, refused.headers.get('retry-after'), await refused.text()]);
    }
    expect(answers[0]).toEqual([
      429,
      '900',
      JSON.stringify({
        code: 'over_request_rate_limit',
        message: 'Too many attempts. Please try again in 900 seconds.',
      }),
    ]);
    expect(answers[1]).toEqual(answers[0]);
  });

  test('is given no new hundred by the owner, who signs in meanwhile', async () => {
    const { email } = await server.register();
    for (let i = 0; i < 3; i += 1) await signIn(email, `guess-${i}`, `203.0.113.${i}`);
    expect((await signIn(email, password, '203.0.113.90')).status).toBe(200);
    const { rows } = await server.db.query(`select attempts from app.attempt_limits where key = $1`, [
      `sign-in:account:${email}`,
    ]);
    expect(rows).toEqual([{ attempts: 3 }]);
  });

  test('is not let off by a restart of the server', async () => {
    const { email } = await server.register();
    for (let i = 0; i < 10; i += 1) await signIn(email, `guess-${i}`);
    const restarted = await startAuthServer({ database: server.db, clock: server.clock, trustProxy: true });
    expect((await signIn(email, password, '192.0.2.1', restarted)).status).toBe(429);
    await restarted.stop();
  });

  test('gains nothing by guessing in parallel', async () => {
    const { email } = await server.register();
    const answers = await Promise.all(Array.from({ length: 25 }, (_, i) => signIn(email, `guess-${i}`)));
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(10);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(15);
  });

  test('is stopped at the address when trying one password on many accounts, IPv6 counted by its /64', async () => {
    await server.db.query(
      `insert into app.attempt_limits (key, window_started_at, attempts) values ('sign-in:address:2001:db8:1:2::/64', $1, 100)`,
      [new Date(server.clock.now())],
    );
    expect((await signIn('one@example.test', password, '2001:db8:1:2:aaaa::1')).status).toBe(429);
    expect((await signIn('one@example.test', password, '2001:db8:1:3::1')).status).toBe(400);
  });

  test('AUTH-14: right passwords cost nobody anything: a class of 30 signs in to one account at once', async () => {
    const { email } = await server.register();
    for (let i = 0; i < 9; i += 1) await signIn(email, `typo-${i}`, '203.0.113.5');
    expect((await signIn(email, password, '203.0.113.5')).status).toBe(200);
    for (let i = 0; i < 9; i += 1) {
      expect((await signIn(email, `typo-${i}`, '203.0.113.5')).status).toBe(400);
    }
    const people = await Promise.all(
      Array.from({ length: 30 }, () => signIn(email, password, '203.0.113.6')),
    );
    expect(people.map((answer) => answer.status)).toEqual(Array.from({ length: 30 }, () => 200));
    const { rows } = await server.db.query(
      `select attempts from app.attempt_limits where key = 'sign-in:address:203.0.113.5'`,
    );
    expect(rows).toEqual([{ attempts: 18 }]);
  });

  test('CALL-04: a class of 30 registers behind one address at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        server.call(
          'POST',
          '/signup',
          {
            email: `pupil-${i}@example.test`,
            password,
            data: { username: `pupil-${i}`, phone_number: '+12025550101' },
          },
          from('203.0.113.7'),
        ),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 30 }, () => 200));
  });

  test('sign-ups from one address are counted', async () => {
    await server.db.query(
      `insert into app.attempt_limits (key, window_started_at, attempts) values ('sign-up:address:203.0.113.9', $1, 200)`,
      [new Date(server.clock.now())],
    );
    const answer = await server.call(
      'POST',
      '/signup',
      { email: 'many@example.test', password, data: { username: 'many', phone_number: '+12025550101' } },
      from('203.0.113.9'),
    );
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('3600');
  });
});
