import { hourMs } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { isMailAddress } from '../../src/platform/config/mail.ts';
import { createMail } from '../../src/platform/mail/index.ts';
import { testLog } from '../harness/index.ts';
import { password, server, shareAuthServer, startAuthServer } from './harness.ts';
import { mailsIn, startSmtp } from './mailbox.ts';

shareAuthServer({ trustProxy: true, limits: { RECOVERIES_PER_ADDRESS_H: 100 } });

const ask = (email: string, address = '192.0.2.1', on = server) =>
  on.call('POST', '/recover', { email }, { 'x-forwarded-for': address });

describe('an attacker who looks for emails with an account', () => {
  test('AUTH-31, A48: gets one answer for every email', async () => {
    const { email } = await server.register();
    const [known, unknown] = [await ask(email), await ask('nobody@example.test')];
    expect([known.status, unknown.status]).toEqual([200, 200]);
    expect(await unknown.text()).toBe(await known.text());
    const names = (headers: Headers) => [...headers.keys()].sort();
    expect(names(unknown.headers)).toEqual(names(known.headers));
  });

  test('A48: has the same statements run for every email, and only a known one gets a mail', async () => {
    const { email } = await server.register();
    const ran: string[][] = [];
    for (const requested of [email, 'ghost@example.test']) {
      const texts: string[] = [];
      const { transaction } = server.db;
      server.db.transaction = (work) =>
        transaction((tx) =>
          work({
            query: (text, values, name) => {
              texts.push(text);
              return tx.query(text, values, name);
            },
          }),
        );
      expect((await ask(requested)).status).toBe(200);
      server.db.transaction = transaction;
      ran.push(texts);
    }
    expect(ran[0]).toHaveLength(4);
    expect(ran[1]).toEqual(ran[0]);
    await server.mails.pass();
    await server.mails.pass();
    const mails = mailsIn(server.outbox).join();
    expect(mails).toContain(`To: ${email}\n`);
    expect(mails).not.toContain('ghost');
  });

  test('A48: is limited for unknown emails as for known ones', async () => {
    const { email } = await server.register();
    for (const requested of [email, 'unknown@example.test']) {
      const requireRefused = async (address: string) => {
        const refused = await ask(requested.toUpperCase(), address);
        expect(refused.status).toBe(429);
        expect(refused.headers.get('retry-after')).toBe('3600');
        expect(await refused.json()).toEqual({
          code: 'over_request_rate_limit',
          message: 'Too many attempts. Please try again in 3600 seconds.',
        });
      };
      for (let i = 0; i < 5; i += 1) expect((await ask(requested, '198.51.100.1')).status).toBe(200);
      await requireRefused('198.51.100.1');
      for (let i = 0; i < 15; i += 1) expect((await ask(requested, `198.51.100.${10 + i}`)).status).toBe(200);
      await requireRefused('198.51.100.99');
    }
  });
});

describe('an attacker who floods others with mails', () => {
  test('is stopped after five an hour to one user, who still gets requested mails from elsewhere', async () => {
    const { email } = await server.register();
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(email, '203.0.113.1')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    expect((await ask(email, '203.0.113.2')).status).toBe(200);
    const restarted = await startAuthServer({ database: server.db, clock: server.clock, trustProxy: true });
    expect((await ask(email, '203.0.113.1', restarted)).status).toBe(429);
    await restarted.stop();
    server.clock.advance(hourMs);
    expect((await ask(email, '203.0.113.1')).status).toBe(200);
  });

  test('is stopped after twenty an hour to one user from many addresses, also across a restart', async () => {
    const { email } = await server.register();
    const answers = await Promise.all(Array.from({ length: 23 }, (_, i) => ask(email, `203.0.113.${i}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
    const restarted = await startAuthServer({ database: server.db, clock: server.clock, trustProxy: true });
    expect((await ask(email, '203.0.113.50', restarted)).status).toBe(429);
    await restarted.stop();
    server.clock.advance(hourMs);
    expect((await ask(email)).status).toBe(200);
  });

  test('a refusal for the user still counts for the address', async () => {
    const from = '203.0.113.220';
    const statuses = new Set<number>();
    for (let i = 0; i < 100; i += 1) statuses.add((await ask('one-victim@example.test', from)).status);
    expect([...statuses]).toEqual([200, 429]);
    expect((await ask('next-victim@example.test', from)).status).toBe(429);
    expect((await ask('next-victim@example.test', '203.0.113.221')).status).toBe(200);
  });

  test('is stopped at the address, which lets a class of 30 through three times each', async () => {
    const from = '203.0.113.200';
    const emails = Array.from({ length: 30 }, (_, i) => `pupil-${i}@example.test`);
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(emails.map((email) => ask(email, from)));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
    }
    for (let i = 0; i < 10; i += 1) await ask(`more-${i}@example.test`, from);
    expect((await ask('one-more@example.test', from)).status).toBe(429);
    expect((await ask('one-more@example.test', '203.0.113.201')).status).toBe(200);
  });
});

describe('an attacker who tries to change the text or recipients of a mail', () => {
  test.each([
    'a@example.test\r\nBcc: b@example.test',
    'a@example.test\nSubject: hello',
    'a@example.test,b@example.test',
    'Name <b@example.test>',
    '"a b"@example.test',
    'a@example.test\0',
  ])('AUTH-34: gets no mail sent to %j', async (to) => {
    expect(isMailAddress(to)).toBe(false);
    const mailbox = await startSmtp();
    const mail = createMail({
      config: { smtp: mailbox.at, mailFrom: { name: 'Fulcrum', address: 'a@b.test' }, dataDir: '/nowhere' },
      log: testLog,
      clock: server.clock,
    });
    await expect(mail.send({ to, subject: 's', text: 't', html: '<p>t</p>' })).rejects.toMatchObject({
      name: 'MailError',
      retry: 'final',
    });
    expect(mailbox.received).toEqual([]);
    mail.close();
    await mailbox.close();
  });

  test('AUTH-18: cannot register or request a mail with such an email', async () => {
    const email = 'one,two@example.test';
    const { error } = await server.client().auth.signUp({
      email,
      password,
      options: { data: { username: 'listed', phone_number: '+12025550101' } },
    });
    expect(error).toMatchObject({ status: 400, message: 'Email is invalid' });
    const requested = await ask(email);
    expect([requested.status, await requested.json()]).toEqual([
      400,
      { code: 'validation_failed', message: 'Email is invalid' },
    ]);
  });

  test('AUTH-34: finds no word of theirs in it, not even their username', async () => {
    const username = 'Call +1 555 now';
    const { error } = await server.client().auth.signUp({
      email: 'victim@example.test',
      password,
      options: { data: { username, phone_number: '+12025550101' } },
    });
    expect(error).toBeNull();
    await ask('victim@example.test');
    await server.mails.pass();
    await server.mails.pass();
    const mail = mailsIn(server.outbox).at(-1)!;
    expect(mail).toContain('To: victim@example.test\n');
    // Of random hexadecimal digits, as the ids of mails have them, 555 alone is no word of theirs.
    expect(mail).not.toContain('1 555');
    expect(mail).not.toContain('Call');
  });
});
