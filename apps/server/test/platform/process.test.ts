/** The process as an operator runs it: its output, and its end on a signal. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { childEnv } from '../harness/child-env.ts';
import { type ClonedDatabase, cloneDatabase } from '../harness/database.ts';

const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

let database: ClonedDatabase;
let dataDir: string;
let child: ChildProcessByStdio<null, Readable, Readable> | undefined;
const sockets: Socket[] = [];

beforeAll(async () => {
  database = await cloneDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-process-'));
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  if (child?.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});
afterAll(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

function run(env: Record<string, string> = {}) {
  const started = spawn(process.execPath, [program], {
    env: {
      ...childEnv,
      LOG_LEVEL: 'silent',
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  const printed = { out: '', err: '' };
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.out += text;
  });
  started.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.err += text;
  });
  const ended = once(started, 'close').then(([code]) => code as number | null);
  return { process: started, printed, ended };
}

/** Resolves with the address that the process prints. */
async function ready(server: ReturnType<typeof run>): Promise<string> {
  const address = () => /ready: {2}(\S+)/.exec(server.printed.out)?.[1];
  await expect.poll(address).toBeDefined();
  return address()!;
}

async function open(url: string, text = ''): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

const signInHead = (body: string) =>
  [
    'POST /auth/v1/token?grant_type=password HTTP/1.1',
    'Host: fulcrum',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Expect: 100-continue',
    '',
    '',
  ].join('\r\n');

const demoTrader = JSON.stringify({ email: 'trader@fulcrum.local', password: 'fulcrum-demo' });
/** The first one of a process takes longer than the next. */
async function signIn(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const address = `${url}/auth/v1/token?grant_type=password`;
  const answer = await fetch(address, { method: 'POST', headers, body: demoTrader });
  expect(answer.status).toBe(200);
}

describe('a start', () => {
  test('prints the address that it serves, also when the port was left to it', async () => {
    const url = await ready(run());
    expect(new URL(url).port).not.toBe('0');
    const answer = await fetch(`${url}/config.json`);
    expect(await answer.json()).toMatchObject({ publicUrl: url });
  });

  test('that finds its port taken reports it in one line and ends', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const { printed, ended } = run({ PORT: String(port) });
    expect(await ended).toBe(1);
    expect(printed.err).toBe(`port ${port} of 127.0.0.1 is in use; stop what uses it or set PORT\n`);
    other.close();
  });

  test.each([
    ['DATABASE_URL', 'postgres://me:very-secret@[half/x'],
    ['DATABASE_URL', 'postgres://me:very-secret@127.0.0.1/x?sslrootcert=/no/such/file'],
    ['HOST', '192.0.2.1'],
  ])('with %s=%s reports the fault in one line, without the password', async (name, text) => {
    const { printed, ended } = run({ DEMO: 'false', [name]: text });
    expect(await ended).toBe(1);
    expect(printed.err).toMatch(
      /^cannot (connect to the database|listen on HOST=192\.0\.2\.1 PORT=0): .+\n$/,
    );
    expect(printed.err).not.toContain('very-secret');
  });
});

test('SIGUSR2 switches the log to debug and back, and the server serves on', async () => {
  const server = run({ LOG_LEVEL: 'warn' });
  const url = await ready(server);
  for (const level of ['debug', 'warn', 'debug']) {
    server.printed.out = '';
    server.process.kill('SIGUSR2');
    await expect.poll(() => server.printed.out).toContain(`SIGUSR2: the log level is ${level}`);
  }
  expect((await fetch(`${url}/health/live`)).status).toBe(200);
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});

describe('a stop', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'by %s answers what was requested and closes the connections that only stand open',
    async (signal) => {
      const server = run();
      const url = await ready(server);
      await signIn(url);
      const idle = [await open(url), await open(url, 'GET /health HTTP/1.1\r\nHos')];
      const asking = await open(url, signInHead(demoTrader));
      // '100 Continue': the server is at work on the request and waits for its body.
      await once(asking, 'data');
      const closed = Promise.all(idle.map((connection) => once(connection, 'close')));
      server.process.kill(signal);
      await expect.poll(() => server.printed.out).toContain(signal);
      asking.write(demoTrader);
      const [answer] = await once(asking, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
      await closed;
      expect(await server.ended).toBe(0);
    },
  );

  test('gives up on a request that is never complete', async () => {
    const server = run();
    const url = await ready(server);
    await once(await open(url, signInHead('never sent')), 'data');
    server.process.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });

  test('survives the loss of its output', async () => {
    const server = run({ LOG_LEVEL: 'trace' });
    const url = await ready(server);
    server.process.stdout.destroy();
    server.process.stderr.destroy();
    expect((await fetch(`${url}/auth/v1/user`)).status).toBe(401);
    server.process.kill('SIGHUP');
    expect(await once(server.process, 'exit')).toEqual([0, null]);
  });
});
