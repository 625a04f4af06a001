import { minuteMs } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { password, server, shareAuthServer, startAuthServer } from './harness.ts';

shareAuthServer({ trustProxy: true });

const from = (address: string) => ({ 'x-forwarded-for': address });
const signIn = (email: string, given: string, address = '192.0.2.1', on = server) =>
  on.call('POST', '/token?grant_type=password', { email, password: given }, from(address));

test('SEC-F5: a client whose address has a zone or a port signs in, and its session has the plain address', async () => {
  const { email, userId } = await server.register();
  for (const address of ['2001:db8::4%eth0', '[2001:db8::9]:443', '10.1.0.1:555', 'unknown']) {
    expect((await signIn(email, password, address)).status).toBe(200);
  }
  const { rows } = await server.db.query<{ address: string | null }>(
    `select host(address) as address from app.sessions where user_id = $1`,
    [userId],
  );
  const addresses = rows.map(({ address }) => address);
  expect(addresses).toEqual(expect.arrayContaining(['2001:db8::4', '2001:db8::9', '10.1.0.1', null]));
});

describe('an attacker who guesses passwords', () => {
  test('has ten guesses of an account in 15 minutes from one address, while the owner signs in from another', async () => {
    const { email } = await server.register();
    const theirs = '198.51.100.7';
    for (let i = 0; i < 10; i += 1) {
      expect((await signIn(email, `guess-${i}`, theirs)).status).toBe(400);
    }
    server.clock.advance(5 * minuteMs);
    expect((await signIn(email, password, '198.51.100.8')).status).toBe(200);
    const refused = await signIn(email, password, theirs);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('600');
    expect(await refused.json()).toEqual({
      code: 'over_request_rate_limit',
      message: 'Too many attempts. Please try again in 600 seconds.',
    });
    server.clock.advance(10 * minuteMs);
    expect((await signIn(email, password, theirs)).status).toBe(200);
  });

  test('has a hundred guesses of an account in 15 minutes from all addresses, also of one that is not there', async () => {
    const { email } = await server.register();
    const answers = [];
    for (const requested of [email, 'not-there@example.test']) {
      const statuses = new Set<number>();
      for (let i = 0; i < 100; i += 1) {
        statuses.add((await signIn(requested, `guess-${i}`, `203.0.113.${100 + (i % 10)}`)).status);
      }
      expect([...statuses]).toEqual([400]);
      const refused = await signIn(requested, password, '203.0.113.200');
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

  test('gets no new hundred guesses when the owner signs in meanwhile', async () => {
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

  test('gains no guesses by guessing in parallel', async () => {
    const { email } = await server.register();
    const answers = await Promise.all(Array.from({ length: 25 }, (_, i) => signIn(email, `guess-${i}`)));
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(10);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(15);
  });

  test('OPS-D1, SEC-F7, A118: trying one password on many accounts blocks no other user behind the address', async () => {
    const building = '2001:db8:1:2:aaaa::1';
    const { email } = await server.register();
    const statuses = new Set<number>();
    for (let i = 0; i < 120; i += 1) {
      statuses.add((await signIn(`made-up-${i}@example.test`, password, building)).status);
    }
    expect([...statuses]).toEqual([400]);
    expect((await signIn(email, password, '2001:db8:1:2:bbbb::1')).status).toBe(200);
    const { rows } = await server.db.query(
      `select key from app.attempt_limits where starts_with(key, 'sign-in:address')`,
    );
    expect(rows, 'an address alone is not counted').toEqual([]);
  });

  test('OPS-D1, A118: many users behind one address wait for each other, and users elsewhere do not wait for them', async () => {
    const { email } = await server.register();
    let answered = 0;
    const crowd = Array.from({ length: 40 }, (_, i) =>
      signIn(`crowd-${i}@example.test`, password, '203.0.113.66').then(({ status }) => {
        answered += 1;
        return status;
      }),
    );
    expect((await signIn(email, password, '203.0.113.67')).status).toBe(200);
    expect(answered).toBeLessThan(40);
    expect(new Set(await Promise.all(crowd))).toEqual(new Set([400]));
  });

  test('AUTH-14: correct passwords are not limited: a class of 30 signs in to one account at once', async () => {
    const { email } = await server.register();
    for (let i = 0; i < 9; i += 1) await signIn(email, `typo-${i}`, '203.0.113.5');
    expect((await signIn(email, password, '203.0.113.5')).status).toBe(200);
    for (let i = 0; i < 9; i += 1) {
      expect((await signIn(email, `typo-${i}`, '203.0.113.5')).status).toBe(400);
    }
    const users = await Promise.all(Array.from({ length: 30 }, () => signIn(email, password, '203.0.113.6')));
    expect(users.map((answer) => answer.status)).toEqual(Array.from({ length: 30 }, () => 200));
    const { rows } = await server.db.query(`select attempts from app.attempt_limits where key = $1`, [
      `sign-in:account-from:${email} 203.0.113.5`,
    ]);
    expect(rows, 'the nine after the right one').toEqual([{ attempts: 9 }]);
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

  test('OPS-D2, SEC-F10: sign-ups from one address are counted to the setting, those for taken names and emails too', async () => {
    const few = await startAuthServer({ trustProxy: true, limits: { SIGNUPS_PER_ADDRESS_H: 4 } });
    try {
      const taken = await few.register();
      const signUp = (name: string, email = `${name}@example.test`) =>
        few.call(
          'POST',
          '/signup',
          { email, password, data: { username: name, phone_number: '+12025550101' } },
          from('203.0.113.9'),
        );
      expect((await signUp('many-1', taken.email)).status).toBe(422);
      expect((await signUp(taken.username, 'many-2@example.test')).status).toBe(409);
      expect((await signUp('many-3')).status).toBe(200);
      expect((await signUp('many-4')).status).toBe(200);
      const refused = await signUp('many-5');
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('3600');
      expect(await refused.json()).toEqual({
        code: 'over_request_rate_limit',
        message: 'Too many attempts. Please try again in 3600 seconds.',
      });
    } finally {
      await few.close();
    }
  });

  test('OPS-D2: by default the thousandth sign-up of an hour is let through and the next one is not', async () => {
    await server.db.query(
      `insert into app.attempt_limits (key, window_started_at, attempts) values ('sign-up:address:203.0.113.9', $1, 999)`,
      [new Date(server.clock.now())],
    );
    const signUp = (name: string) =>
      server.call(
        'POST',
        '/signup',
        { email: `${name}@example.test`, password, data: { username: name, phone_number: '+12025550101' } },
        from('203.0.113.9'),
      );
    expect((await signUp('last')).status).toBe(200);
    const answer = await signUp('many');
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('3600');
  });
});
