import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer, testPassword } from '../harness/index.ts';
import { cleanUp, newFolder, run } from './installations.ts';

let server: TestServer;
let env: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer();
  env = { DATABASE_URL: server.databaseUrl, DATA_DIR: newFolder() };
});
afterAll(async () => {
  await server.close();
  await cleanUp();
});

const createAdmin = (args: readonly string[], input = `${testPassword}\n`) =>
  run('create-admin', args, env, { input });
const audit = async (email: string) => {
  const { rows } = await server.db.query(
    `select a.action, a.actor_id, a.reason from app.audit_log a join app.users u on u.id = a.subject_id
     where u.email = $1 order by a.id`,
    [email],
  );
  return rows;
};

describe('npm run create-admin', () => {
  test('beside a running server creates an administrator who can sign in, and audits it', async () => {
    const made = await createAdmin(['--email', 'Boss@Example.test', '--username', 'boss']);
    expect(made).toEqual({
      code: 0,
      out: 'boss@example.test (boss) is an administrator and can sign in now.\n',
      err: '',
    });
    const client = server.client();
    await client.auth.signInWithPassword({ email: 'boss@example.test', password: testPassword });
    const { data } = await client.from('users').select('username, role').eq('username', 'boss').single();
    expect(data).toEqual({ username: 'boss', role: 'admin' });
    const { rowCount } = await server.db.query(
      `select from app.wallets w join app.users u on u.id = w.user_id where u.username = 'boss'`,
    );
    expect(rowCount).toBe(0);
    expect(await audit('boss@example.test')).toEqual([
      { action: 'user.create', actor_id: null, reason: 'by the operator (create-admin)' },
    ]);
  });

  test.each([
    [
      ['--email', 'boss@example.test', '--username', 'boss2'],
      testPassword,
      'This email is already registered.',
    ],
    [['--email', 'no email', '--username', 'boss3'], testPassword, 'Email is invalid'],
    [
      ['--email', 'boss4@example.test', '--username', 'boss4'],
      'short',
      'Password must be at least 6 characters',
    ],
    [
      ['--email', 'boss5@example.test', '--username', 'boss5'],
      '',
      'standard input is empty; it has to hold the password',
    ],
    [['--email', 'boss5@example.test'], testPassword, /^without a terminal: /],
    [['--password', 'secret'], testPassword, /^Unknown option '--password'/],
  ])('%j is refused in one line and creates no account', async (args, password, expected) => {
    const { rows: before } = await server.db.query('select count(*) from app.users');
    const { code, out, err } = await createAdmin(args, password);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.trimEnd().split('\n')).toEqual([
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    ]);
    expect((await server.db.query('select count(*) from app.users')).rows).toEqual(before);
  });

  test('does not touch a data directory whose restore is unfinished', async () => {
    const dataDir = newFolder();
    writeFileSync(`${dataDir}/restore-unfinished.txt`, '');
    const args = ['--email', 'boss6@example.test', '--username', 'boss6'];
    const { code, err } = await run('create-admin', args, { DATA_DIR: dataDir }, { input: testPassword });
    expect(code).toBe(1);
    expect(err).toMatch(/^a restore into .+ did not finish/);
  });
});

describe('--reset-password', () => {
  test('resets an administrator’s password and ends their sessions, also in the running server', async () => {
    await createAdmin(['--email', 'locked@example.test', '--username', 'locked']);
    const thief = server.client();
    const stolen = await thief.auth.signInWithPassword({
      email: 'locked@example.test',
      password: testPassword,
    });
    expect((await thief.from('users').select('id').limit(1)).error).toBeNull();

    const reset = await createAdmin(
      ['--reset-password', '--email', 'locked@example.test'],
      'another-passphrase-2\n',
    );
    expect(reset).toMatchObject({ code: 0, err: '' });
    expect(reset.out).toMatch(/^locked@example\.test has a new password; 1 sessions ended/);
    const status = async () => (await thief.from('users').select('id').limit(1)).status;
    await expect.poll(status).toBe(401);
    const again = await thief.auth.refreshSession({ refresh_token: stolen.data.session!.refresh_token });
    expect(again.error).not.toBeNull();

    const client = server.client();
    const wrong = await client.auth.signInWithPassword({
      email: 'locked@example.test',
      password: testPassword,
    });
    expect(wrong.error).not.toBeNull();
    const right = await client.auth.signInWithPassword({
      email: 'locked@example.test',
      password: 'another-passphrase-2',
    });
    expect(right.error).toBeNull();
    expect(await audit('locked@example.test')).toMatchObject([
      { action: 'user.create' },
      { action: 'user.set_password', actor_id: null, reason: 'by the operator (create-admin)' },
    ]);
  });

  test('also after wrong guesses have locked the account', async () => {
    await createAdmin(['--email', 'guessed@example.test', '--username', 'guessed']);
    const client = server.client();
    const credentials = { email: 'guessed@example.test', password: testPassword };
    for (let guess = 0; guess < 10; guess += 1) {
      await client.auth.signInWithPassword({ ...credentials, password: `wrong-${guess}` });
    }
    expect((await client.auth.signInWithPassword(credentials)).error?.status).toBe(429);
    await createAdmin(['--reset-password', '--email', 'guessed@example.test']);
    expect((await client.auth.signInWithPassword(credentials)).error).toBeNull();
  });

  test('opens no other account', async () => {
    const trader = await server.signUpTrader();
    expect(await createAdmin(['--reset-password', '--email', trader.email])).toMatchObject({
      code: 1,
      err: `${trader.email} is a trader; only an administrator is let in this way.\n`,
    });
    expect(await createAdmin(['--reset-password', '--email', 'unknown@example.test'])).toMatchObject({
      code: 1,
      err: 'There is no account with the email unknown@example.test.\n',
    });
    expect((await trader.client.auth.signInWithPassword(trader)).error).toBeNull();
  });
});
