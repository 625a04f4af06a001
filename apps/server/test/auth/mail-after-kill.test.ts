/** The queue behind a process that is killed while a mail server holds its mail. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { childEnv } from '../harness/child-env.ts';
import { createTestDatabase } from '../harness/index.ts';
import { secretsIn, startSmtp } from './mailbox.ts';

const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Starts the whole server as a process and resolves with its address. */
async function start(env: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [program], {
    env: { ...childEnv, LOG_LEVEL: 'silent', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const address = () => /ready: {2}(\S+)/.exec(printed)?.[1];
  await expect.poll(address).toBeDefined();
  return { child, url: address()! };
}

test('AUTH-34: a mail that was on its way when the server was killed is sent by the next start, with a link that works', async () => {
  let holds = true;
  let held = 0;
  const mailbox = await startSmtp({
    onMailFrom(_address, _session, done) {
      held += 1;
      if (!holds) done();
    },
  });
  const db = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-mail-'));
  const env = {
    DATABASE_URL: db.url,
    DATA_DIR: dataDir,
    SMTP_URL: `smtp://127.0.0.1:${mailbox.at.port}`,
    DEMO: 'true',
    DEMO_HISTORY: 'false',
  };
  try {
    const first = await start(env);
    const requested = await fetch(`${first.url}/auth/v1/recover`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'trader@fulcrum.local' }),
    });
    expect(requested.status).toBe(200);
    await expect.poll(() => held).toBe(1);
    await kill(first.child);

    const { rows } = await db.query(`select attempts, sent_at from app.mails`);
    expect(rows).toEqual([{ attempts: 1, sent_at: null }]);
    // Two minutes pass, in which the mail counts as being sent.
    await db.query(`update app.mails set next_attempt_at = now()`);
    holds = false;
    const second = await start(env);
    await expect.poll(() => mailbox.received.length).toBe(1);
    const verified = await fetch(`${second.url}/auth/v1/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'recovery', token_hash: secretsIn(mailbox.received[0]!.raw).tokenHash }),
    });
    expect(await verified.json()).toMatchObject({ user: { email: 'trader@fulcrum.local' } });
  } finally {
    for (const child of children) await kill(child);
    await db.close();
    await mailbox.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
