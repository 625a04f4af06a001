import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../src/platform/log/index.ts';
import { createMail } from '../../src/platform/mail/index.ts';
import { type AuthServer, startAuthServer } from './harness.ts';
import { mailsIn } from './mailbox.ts';

let server: AuthServer;
beforeEach(async () => {
  server = await startAuthServer();
});
afterEach(() => server.close());

async function ask(email: string): Promise<number> {
  const { status } = await server.call('POST', '/recover', { email });
  // The server's own pass may be under way; two more have seen everything that was due before.
  await server.mails.pass();
  await server.mails.pass();
  return status;
}

describe('the outbox of a server without SMTP', () => {
  test('AUTH-34: holds whole mails that only the server’s own user can read; the log names the file, never the link', async () => {
    const lines: string[] = [];
    const log = createLog(
      { logLevel: 'trace' },
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          lines.push(chunk.toString());
          done();
        },
      }),
    );
    const dataDir = join(server.outbox, '..');
    // An existing folder that all users can read.
    mkdirSync(server.outbox, { mode: 0o755 });
    chmodSync(server.outbox, 0o755);
    const mail = createMail({
      config: { smtp: null, mailFrom: { name: 'Fulcrum', address: 'a@b.test' }, dataDir },
      log,
      clock: server.clock,
    });
    await mail.send({
      to: 'p@example.test',
      subject: 'S',
      text: 'https://secret.test/link',
      html: '<p>x</p>',
    });
    const [file, ...more] = readdirSync(server.outbox);
    expect(more).toEqual([]);
    expect(file).toMatch(/^\d{8}T\d{6}-\d{3}Z-\d{6}-[0-9a-f]{8}\.eml$/);
    expect(statSync(join(server.outbox, file!)).mode & 0o777).toBe(0o600);
    expect(statSync(server.outbox).mode & 0o777).toBe(0o700);
    expect(mailsIn(server.outbox)[0]).toContain('https://secret.test/link');
    expect(lines.join('')).toContain(file);
    expect(lines.join('')).not.toMatch(/secret\.test|p@example/);
  });

  test('stores the newest thousand files', async () => {
    mkdirSync(server.outbox);
    for (let i = 0; i < 1005; i += 1) {
      writeFileSync(join(server.outbox, `20200101T000000-000Z-${String(i).padStart(6, '0')}-0.eml`), '');
    }
    const { email } = await server.register();
    await ask(email);
    const files = readdirSync(server.outbox).sort();
    expect(files).toHaveLength(1000);
    expect(files[0]).toContain('-000006-');
    expect(mailsIn(server.outbox).at(-1)).toContain(`To: ${email}\n`);
  });

  test('A48: one that cannot be written is tried again, and the answer was given long before', async () => {
    writeFileSync(server.outbox, 'a file is in the way');
    const { email } = await server.register();
    expect(await ask(email)).toBe(200);
    const { rows } = await server.db.query(`select attempts, sent_at from app.mails`);
    expect(rows).toEqual([{ attempts: 1, sent_at: null }]);
  });
});
