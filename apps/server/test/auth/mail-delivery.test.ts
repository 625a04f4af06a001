import { createServer, type Server } from 'node:net';
import { dayMs, hourMs, minuteMs } from '@fulcrum/domain';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { enqueueNotice } from '../../src/platform/mail/queue.ts';
import { createTestDatabase, type TestDatabase, testLog } from '../harness/index.ts';
import { type AuthServer, startAuthServer } from './harness.ts';
import { readable, secretsIn, startSmtp } from './mailbox.ts';

const second = 1000;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Taken down after each test, the last one first. */
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
  await database.query('delete from app.mails');
});
async function started(options: Parameters<typeof startAuthServer>[0] = {}): Promise<AuthServer> {
  const server = await startAuthServer({ database, ...options });
  open.push(() => server.stop());
  return server;
}
async function smtp(options: Parameters<typeof startSmtp>[0] = {}) {
  const server = await startSmtp(options);
  open.push(server.close);
  return server;
}

const waiting = async () =>
  (await database.query(`select kind, attempts, last_error, sent_at from app.mails order by created_at, id`))
    .rows;
const ask = (server: AuthServer, email: string) => server.call('POST', '/recover', { email });
const verify = (server: AuthServer, raw: string) =>
  server.call('POST', '/verify', { type: 'recovery', token_hash: secretsIn(raw).tokenHash });
/** The server's own pass may be under way; two more have seen everything that was due before. */
async function settled(server: AuthServer): Promise<void> {
  await server.mails.pass();
  await server.mails.pass();
}

describe('mail over SMTP', () => {
  test('AUTH-34: reaches only the account’s address and carries a working link', async () => {
    const mailbox = await smtp();
    const server = await started({ smtp: mailbox.at });
    const { email } = await server.register();
    await ask(server, email);
    await settled(server);
    expect(mailbox.received.map(({ to }) => to)).toEqual([email]);
    expect((await verify(server, mailbox.received[0]!.raw)).status).toBe(200);
    expect(await waiting()).toEqual([
      { kind: 'recovery', attempts: 1, last_error: null, sent_at: new Date(server.clock.now()) },
    ]);
  });

  test.each(['none', 'implicit'] as const)(
    'A48: a server that hangs delays no answer (TLS %s)',
    async (tls) => {
      const sockets = new Set<import('node:net').Socket>();
      const hanging = createServer((socket) => void sockets.add(socket));
      await listening(hanging);
      open.push(
        () =>
          new Promise((resolve) => {
            for (const socket of sockets) socket.destroy();
            hanging.close(() => resolve());
          }),
      );
      const server = await started({ smtp: { ...at(hanging), tls } });
      const { email } = await server.register();
      expect((await ask(server, email)).status).toBe(200);
      expect((await ask(server, email)).status).toBe(200);
      // It never greets; stopping cuts it, and the mails wait for the next start.
      await connected(sockets);
      await server.mails.stop();
      expect((await waiting()).map(({ sent_at }) => sent_at)).toEqual([null, null]);
    },
  );

  test('AUTH-34: one that cannot be reached is tried again, later and later, until the mail has expired', async () => {
    const closed = createServer();
    await listening(closed);
    const nowhere = at(closed);
    await new Promise((resolve) => closed.close(resolve));
    const server = await started({ smtp: nowhere });
    const { email } = await server.register();
    await ask(server, email);
    await settled(server);
    expect(await waiting()).toMatchObject([
      { attempts: 1, sent_at: null, last_error: expect.stringContaining('SMTP ECONNREFUSED: ') },
    ]);
    const gaps: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      const { rows } = await database.query<{ due: Date }>(`select next_attempt_at as due from app.mails`);
      gaps.push(rows[0]!.due.getTime() - server.clock.now());
      server.clock.set(rows[0]!.due.getTime() - 1);
      await server.mails.pass();
      server.clock.advance(1);
      await server.mails.pass();
    }
    expect(gaps.map((ms) => ms / second)).toEqual([10, 30, 60, 120, 300, 300]);
    expect(await waiting()).toMatchObject([{ attempts: 7 }]);
    server.clock.advance(20 * minuteMs);
    await server.mails.pass();
    expect(await waiting()).toMatchObject([{ attempts: 7, sent_at: null }]);
  });

  test('AUTH-34: a server that defers the mail gets it again, with a working link', async () => {
    let objection: Error | null = Object.assign(new Error('greylisted'), { responseCode: 451 });
    const mailbox = await smtp({
      onRcptTo(_address, _session, done) {
        done(objection);
      },
    });
    const server = await started({ smtp: mailbox.at });
    const { email } = await server.register();
    await ask(server, email);
    await settled(server);
    expect(await waiting()).toMatchObject([{ attempts: 1, last_error: 'SMTP EENVELOPE 451 at RCPT TO' }]);
    objection = null;
    server.clock.advance(10 * second);
    await settled(server);
    expect(await waiting()).toMatchObject([{ attempts: 2, last_error: null }]);
    expect((await verify(server, mailbox.received[0]!.raw)).status).toBe(200);
  });

  test('AUTH-34: a permanent refusal is not repeated, and the response does not disclose it', async () => {
    const mailbox = await smtp({
      onRcptTo(_address, _session, done) {
        done(Object.assign(new Error('no such mailbox'), { responseCode: 550 }));
      },
    });
    const server = await started({ smtp: mailbox.at });
    const { email } = await server.register();
    expect((await ask(server, email)).status).toBe(200);
    await settled(server);
    server.clock.advance(29 * minuteMs);
    await settled(server);
    expect(await waiting()).toMatchObject([{ attempts: 1, last_error: 'SMTP EENVELOPE 550 at RCPT TO' }]);
  });

  test('AUTH-34: many mails leave in one pass, and a failing one does not hold the others up', async () => {
    const mailbox = await smtp({
      onRcptTo({ address }, _session, done) {
        done(address.startsWith('bad') ? Object.assign(new Error('no'), { responseCode: 451 }) : null);
      },
    });
    const server = await started({ smtp: mailbox.at });
    const at = new Date(server.clock.now());
    for (let i = 0; i < 23; i += 1) {
      const recipient = `${i % 4 === 0 ? 'bad' : 'good'}-${i}@example.test`;
      await enqueueNotice(
        database,
        { kind: 'password_changed', recipient, detail: {} },
        { at, log: testLog },
      );
    }
    await settled(server);
    expect(mailbox.received).toHaveLength(17);
    expect((await waiting()).filter(({ sent_at }) => sent_at === null)).toHaveLength(6);
  });

  test('AUTH-34: STARTTLS that is demanded and not offered, or not trusted, is no mail', async () => {
    const plain = await smtp();
    const selfSigned = await smtp({ disabledCommands: ['AUTH'] });
    for (const mailbox of [plain, selfSigned]) {
      const server = await started({ smtp: { ...mailbox.at, tls: 'required' } });
      const { email } = await server.register();
      await ask(server, email);
      await settled(server);
      expect(mailbox.received).toHaveLength(0);
      expect(await waiting()).toMatchObject([{ last_error: expect.stringMatching(/STARTTLS|certificate/) }]);
      await database.query('delete from app.mails');
    }
    const implicit = await smtp({ secure: true });
    const server = await started({ smtp: { ...implicit.at, tls: 'implicit' } });
    const { email } = await server.register();
    await ask(server, email);
    await settled(server);
    expect(implicit.received).toHaveLength(0);
    expect(await waiting()).toMatchObject([{ last_error: expect.stringContaining('certificate') }]);
  });

  test.each([
    ['implicit', true],
    ['required', false],
  ] as const)('AUTH-34: uses TLS according to SMTP_URL: %s', async (tls, secure) => {
    const mailbox = await smtp({ secure, disabledCommands: ['AUTH'] });
    const secured: boolean[] = [];
    const server = await started({ smtp: { ...mailbox.at, tls } });
    mailbox.whenMail((session) => secured.push(session.secure));
    const { email } = await server.register();
    // The test server's certificate has no trusted issuer; an earlier test shows that it is refused otherwise.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      await ask(server, email);
      await settled(server);
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
    expect(await waiting()).toMatchObject([{ last_error: null }]);
    expect(secured).toEqual([true]);
  });

  test('AUTH-34: signs in with the name and password of SMTP_URL', async () => {
    const seen: unknown[] = [];
    const mailbox = await smtp({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        seen.push([username, password]);
        done(null, { user: username });
      },
    });
    const server = await started({
      smtp: { ...mailbox.at, login: { user: 'fulcrum', password: 'p@ss:word' } },
    });
    const { email } = await server.register();
    await ask(server, email);
    await settled(server);
    expect(seen).toEqual([['fulcrum', 'p@ss:word']]);
    expect(mailbox.received).toHaveLength(1);
  });
});

describe('the queue', () => {
  /** A mail server that refuses until a test enables it. */
  async function downAtFirst() {
    const state: { down: boolean } = { down: true };
    const mailbox = await smtp({
      onConnect(_session, done) {
        done(state.down ? Object.assign(new Error('closed'), { responseCode: 421 }) : null);
      },
    });
    return { state, mailbox };
  }

  test('AUTH-34: survives a restart: what waited is sent by the next start', async () => {
    const { state, mailbox } = await downAtFirst();
    const server = await started({ smtp: mailbox.at });
    const { email } = await server.register();
    await ask(server, email);
    await settled(server);
    await server.mails.stop();
    state.down = false;
    const next = await started({ smtp: mailbox.at, clock: server.clock });
    next.clock.advance(10 * second);
    await settled(next);
    expect(mailbox.received.map(({ to }) => to)).toEqual([email]);
    expect((await verify(next, mailbox.received[0]!.raw)).status).toBe(200);
  });

  test('AUTH-34: a mail that was being sent when the server was killed is sent again', async () => {
    const mailbox = await smtp();
    const server = await started({ smtp: mailbox.at });
    const { email } = await server.register();
    // What a kill leaves behind: the try is counted and leased, its outcome is not known.
    const at = new Date(server.clock.now());
    await enqueueNotice(
      database,
      { kind: 'password_changed', recipient: email, detail: {} },
      { at, log: testLog },
    );
    await database.query(`update app.mails set attempts = 1, next_attempt_at = $1`, [
      new Date(at.getTime() + 2 * minuteMs),
    ]);
    await settled(server);
    expect(mailbox.received).toHaveLength(0);
    server.clock.advance(2 * minuteMs);
    await settled(server);
    expect(mailbox.received).toHaveLength(1);
    expect(readable(mailbox.received[0]!.raw)).toContain('has just been changed');
  });

  test('AUTH-34: two senders of one database send each mail once', async () => {
    const mailbox = await smtp();
    const [one, two] = [await started({ smtp: mailbox.at }), await started({ smtp: mailbox.at })];
    for (let i = 0; i < 12; i += 1) {
      const mail = { kind: 'email_changed', recipient: `p${i}@example.test`, detail: {} } as const;
      await enqueueNotice(database, mail, { at: new Date(one.clock.now()), log: testLog });
    }
    await Promise.all([settled(one), settled(two)]);
    expect(new Set(mailbox.received.map(({ to }) => to)).size).toBe(12);
    expect(mailbox.received).toHaveLength(12);
  });

  test('AUTH-34: drops a recovery whose user changed password or email, or was deleted, before it was written', async () => {
    const { state, mailbox } = await downAtFirst();
    const server = await started({ smtp: mailbox.at });
    const users = [await server.register(), await server.register(), await server.register()] as const;
    for (const { email } of users) await ask(server, email);
    await settled(server);
    const [changed, moved, gone] = users;
    await database.query(`update app.credentials set changed_at = $2 where user_id = $1`, [
      changed.userId,
      new Date(server.clock.now() + 1),
    ]);
    await database.query(`update app.users set email = 'moved-' || email where id = $1`, [moved.userId]);
    await database.query(`delete from app.users where id = $1`, [gone.userId]);
    state.down = false;
    server.clock.advance(10 * second);
    await settled(server);
    expect(mailbox.received).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  test('AUTH-33: a full queue answers 503, to unknown emails too, and queues nothing more', async () => {
    const server = await started();
    const { email } = await server.register();
    await database.query(
      `insert into app.mails (kind, recipient, created_at, expires_at, next_attempt_at)
       select 'password_changed', 'x@example.test', $1, $2, $2 from generate_series(1, 10000)`,
      [new Date(server.clock.now()), new Date(server.clock.now() + hourMs)],
    );
    for (const requested of [email, 'nobody@example.test']) {
      const { error } = await server.client().auth.resetPasswordForEmail(requested);
      expect(error).toMatchObject({ status: 503 });
    }
    expect(await waiting()).toHaveLength(10_000);
  });

  test('AUTH-34: forgets what was sent a week ago, and links that expired', async () => {
    const server = await started();
    const { email } = await server.register();
    await ask(server, email);
    await settled(server);
    server.clock.advance(7 * dayMs + 1);
    await server.mails.pass();
    expect(await waiting()).toEqual([]);
    const { rows } = await database.query(
      `select from app.recoveries r join app.users u on u.id = r.user_id where u.email = $1`,
      [email],
    );
    expect(rows).toHaveLength(0);
  });
});

const listening = (server: Server) =>
  new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
function at(server: Server) {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { host: '127.0.0.1', port: address.port, tls: 'none', login: null } as const;
}
async function connected(sockets: Set<unknown>): Promise<void> {
  while (sockets.size === 0) await new Promise((resolve) => setImmediate(resolve));
}
