import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs, type ImportRow, readImportFile } from '@fulcrum/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createJoinClass } from '../../src/features/classes/index.ts';
import { createOperatorImport } from '../../src/features/enrolment/index.ts';
import { loadConfig } from '../../src/platform/config/index.ts';
import { mailsIn } from '../auth/mailbox.ts';
import { testLog } from '../harness/database.ts';
import { testPassword } from '../harness/index.ts';
import { startUserServer, type TestUser, type UserServer } from '../identity/user-server.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-import-'));
let server: UserServer;
let admin: TestUser;
let manager: TestUser;
beforeAll(async () => {
  server = await startUserServer({ config: { dataDir } });
  admin = await server.addUser('admin');
  manager = await server.addUser('manager');
});
afterAll(async () => {
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const row = (more: Partial<ImportRow> = {}): ImportRow => ({
  ...{ email: `${randomUUID()}@school.test`, username: randomUUID().slice(0, 13), role: '', manager: '' },
  ...{ start_balance: '', phone: '', class: '' },
  ...more,
});

interface Outcome {
  readonly email: string;
  readonly verdict: string;
  readonly message: string | null;
  readonly link: string | null;
}
async function run(
  rows: readonly ImportRow[],
  more: { importId?: string; links?: string } = {},
): Promise<Outcome[]> {
  const { data } = await admin.client
    .rpc('import_users', {
      p_import_id: more.importId ?? randomUUID(),
      p_rows_in_all: rows.length,
      p_links: more.links ?? 'file',
      p_rows: rows,
    })
    .throwOnError();
  return data.rows;
}

/** Signs in by a link and chooses a password, as the page does. */
async function openLink(link: string | null, password: string) {
  const client = server.client();
  const token_hash = new URL(link ?? '').searchParams.get('token_hash') ?? '';
  const { error } = await client.auth.verifyOtp({ token_hash, type: 'recovery' });
  if (error) return { client, refusal: error.message };
  const { error: refused } = await client.auth.updateUser({ password });
  return { client, refusal: refused?.message ?? null };
}

describe('an import of users', () => {
  test('the dry run has a verdict on each row and writes nothing', async () => {
    const count = async () => (await server.db.query('select from app.users')).rowCount;
    const before = await count();
    const rows = [
      row({ start_balance: '2500', manager: manager.username }),
      row({ email: manager.email.toUpperCase() }),
      row({ username: manager.username.toUpperCase() }),
      row({ manager: 'no-such-manager' }),
      row({ role: 'admin' }),
      row({ role: 'support' }),
    ];
    const { data } = await admin.client.rpc('preview_user_import', { p_rows: rows }).throwOnError();
    expect(
      data.rows.map((one: Record<string, unknown>) => [one.verdict, one.message, one.start_balance]),
    ).toEqual([
      ['new', null, 2500],
      ['exists', null, 0],
      ['refused', 'This username is taken.', 0],
      ['refused', 'There is no manager no-such-manager.', 0],
      ['refused', 'The role is one of trader, manager, support.', 0],
      ['new', null, 0],
    ]);
    expect(await count()).toBe(before);
  });

  test('creates users with their money and manager, and a link that sets the first password', async () => {
    const importId = randomUUID();
    const one = row({ manager: manager.email, start_balance: '2500', phone: '+12025550199' });
    const [created] = await run([one], { importId });
    expect(created).toMatchObject({ email: one.email, verdict: 'created' });

    const { rows } = await server.db.query<{ id: string }>(
      `select u.id, u.role, u.manager_id, u.phone_number, u.last_login, w.balance from app.users u
       join app.wallets w on w.user_id = u.id where u.email = $1`,
      [one.email],
    );
    expect(rows).toEqual([
      {
        ...{ id: rows[0]!.id, role: 'trader', manager_id: manager.id, phone_number: '+12025550199' },
        ...{ last_login: null, balance: '2500.00000000' },
      },
    ]);
    expect(await server.audit(rows[0]!.id)).toEqual([
      expect.objectContaining({
        actor_id: admin.id,
        action: 'user.create',
        detail: expect.objectContaining({ import_id: importId, initial_balance: 2500 }),
      }),
    ]);
    expect(await server.audit(importId)).toEqual([
      expect.objectContaining({ action: 'users.import', detail: { rows: 1, links: 'file' } }),
    ]);

    const guess = await server.client().auth.signInWithPassword({ email: one.email, password: '' });
    expect(guess.error).not.toBeNull();
    server.clock.advance(6 * dayMs);
    expect((await openLink(created!.link, 'my-first-password')).refusal).toBeNull();
    await server.signIn(one.email, 'my-first-password');
    expect((await openLink(created!.link, 'another-password')).refusal).toContain('not valid or has expired');
    admin = { ...admin, client: await server.signIn(admin.email) };
  });

  test('a repeat creates no user twice, and gives a new link where the first may be lost', async () => {
    const importId = randomUUID();
    const rows = [row(), row()];
    const [first, second] = await run(rows, { importId });
    expect((await openLink(first!.link, 'a-good-password')).refusal).toBeNull();
    const again = await run(rows, { importId });
    expect(again.map(({ verdict, link }) => [verdict, link === null])).toEqual([
      ['created', true],
      ['created', false],
    ]);
    expect(again[1]!.link).not.toBe(second!.link);
    expect((await openLink(again[1]!.link, 'a-good-password')).refusal).toBeNull();
    // The other link of the same user is void with it.
    expect((await openLink(second!.link, 'a-good-password')).refusal).not.toBeNull();
    expect((await run(rows)).map(({ verdict, link }) => [verdict, link])).toEqual([
      ['exists', null],
      ['exists', null],
    ]);
    // Of the import, and of the one fresh link.
    expect((await server.audit(importId)).map(({ action, detail }) => [action, detail])).toEqual([
      ['users.import', { rows: 2, links: 'file' }],
      ['users.import', { links: 'file' }],
    ]);
  });

  test('no link leads into the account of a user who has become an admin: neither the first nor one of a repeat', async () => {
    const importId = randomUUID();
    const rows = [row({ role: 'support' }), row()];
    const [first] = await run(rows, { importId });
    const { rows: users } = await server.db.query<{ id: string }>(
      'select id from app.users where email = $1',
      [rows[0]!.email],
    );
    const { id } = users[0]!;
    await admin.client
      .rpc('safe_update_user_profile', { user_id: id, new_role: 'admin', current_password: testPassword })
      .throwOnError();
    const again = await run(rows, { importId });
    expect(again.map(({ verdict, link }) => [verdict, link === null])).toEqual([
      ['created', true],
      ['created', false],
    ]);
    expect((await server.audit(id)).map(({ action }) => action)).toEqual(['user.create', 'user.edit']);
    expect((await openLink(first!.link, 'a-good-password')).refusal).toContain('not valid or has expired');
  });

  test('a repeat by mail sends no second mail', async () => {
    const importId = randomUUID();
    const one = row();
    for (const _ of [1, 2]) await run([one], { importId, links: 'mail' });
    const { rowCount } = await server.db.query('select from app.mails where recipient = $1', [one.email]);
    expect(rowCount).toBe(1);
  });

  test('a refused row does not stop the others', async () => {
    const rows = [row(), row({ email: 'no-email' }), row()];
    expect((await run(rows)).map(({ verdict }) => verdict)).toEqual(['created', 'refused', 'created']);
  });

  test('by mail: the link is in the mail alone', async () => {
    const one = row();
    const [created] = await run([one], { links: 'mail' });
    expect(created).toMatchObject({ verdict: 'created', link: null });
    await server.server.mails.pass();
    const mail = mailsIn(join(dataDir, 'outbox')).findLast((raw) => raw.includes(`To: ${one.email}\n`)) ?? '';
    expect(mail).toContain('Your Fulcrum account is ready');
    const [link = null] =
      /https?:\/\/\S*auth\/callback\S*/.exec(mail.replaceAll(/=\n/g, '').replaceAll('=3D', '=')) ?? [];
    expect((await openLink(link, 'a-mailed-password')).refusal).toBeNull();
  });

  test('an imported user who forgot the link recovers the password as every user does', async () => {
    const one = row();
    await run([one]);
    const { error } = await server.client().auth.resetPasswordForEmail(one.email);
    expect(error).toBeNull();
    await server.server.mails.pass();
    const mails = mailsIn(join(dataDir, 'outbox')).filter((raw) => raw.includes(`To: ${one.email}\n`));
    expect(mails).toHaveLength(1);
  });

  test('an admin who is none any more imports no users', async () => {
    const former = await server.addUser('admin');
    const one = row();
    await server.db.query(`update app.users set role = 'support' where id = $1`, [former.id]);
    const { error } = await former.client.rpc('import_users', {
      ...{ p_import_id: randomUUID(), p_rows_in_all: 1, p_links: 'file', p_rows: [one] },
    });
    expect(error?.message).toBe('This session has ended.');
    expect((await server.db.query('select from app.users where email = $1', [one.email])).rowCount).toBe(0);
  });

  test('a manager who is none any more at the import is refused', async () => {
    const former = await server.addUser('manager');
    await admin.client
      .rpc('safe_update_user_profile', { user_id: former.id, new_role: 'support' })
      .throwOnError();
    const [outcome] = await run([row({ manager: former.username })]);
    expect(outcome).toMatchObject({ verdict: 'refused' });
  });
});

test('the operator imports a file of 200 rows, beside the running server; the same file again brings fresh links', async () => {
  const { preview, run: runFile } = createOperatorImport({
    ...{ db: server.db, clock: server.clock, log: testLog },
    bus: { publish: () => undefined } as never,
    config: loadConfig({}),
    joinClass: createJoinClass({ tradingFeeRate: 0n }),
    publicUrl: () => 'https://trade.example.test',
    wakeMails: () => undefined,
  });
  const mark = randomUUID().slice(0, 8);
  const lines = Array.from({ length: 200 }, (_, i) => `s${i}-${mark}@school.test;${manager.username}`);
  const file = `email;manager\n${lines.join('\n')}\n`;
  expect((readImportFile(file) as { rows: unknown[] }).rows).toHaveLength(200);
  expect((await preview(file)).every(({ verdict }) => verdict === 'new')).toBe(true);
  const report = await runFile(file, 'file');
  expect(report.every(({ verdict, link }) => verdict === 'created' && link !== null)).toBe(true);
  const [repeated] = await runFile(file, 'file');
  expect(repeated).toMatchObject({ verdict: 'created', username: `s0-${mark}`, link: expect.any(String) });
  expect(repeated!.link).not.toBe(report[0]!.link);
  // Another file is another import.
  expect((await runFile(`${file}\n`, 'file')).every(({ verdict }) => verdict === 'exists')).toBe(true);
  const { rows } = await server.db.query(
    `select count(*)::int as users from app.users where manager_id = $1 and email like $2`,
    [manager.id, `%-${mark}@school.test`],
  );
  expect(rows).toEqual([{ users: 200 }]);
});
