/** However the process ends, other than by kill -9, its PostgreSQL ends with it, and the next start may begin at once. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withDatabase } from '../../src/platform/database/index.ts';
import { testLog } from '../harness/index.ts';
import { type Installation, makeInstallation, type ServerProcess } from '../harness/server-process.ts';

describe('a stop of the process with its embedded PostgreSQL', () => {
  let installation: Installation;
  beforeEach(() => {
    installation = makeInstallation();
  });
  afterEach(() => installation.dispose());

  /** Holds what every sign-in reads, and signs in: the server has a query under way that does not end by itself. */
  const withStuckQuery = async (server: ServerProcess, work: () => Promise<void>) => {
    const url = await server.ready();
    const { anonKey } = (await (await fetch(`${url}/config.json`)).json()) as { anonKey: string };
    await withDatabase({ databaseUrl: null, dataDir: installation.dataDir }, testLog, async (client) => {
      await client.query('begin');
      await client.query('lock table app.users in access exclusive mode');
      const asking = fetch(`${url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { apikey: anonKey, 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'nobody@example.test', password: 'does-not-matter' }),
      }).catch(() => undefined);
      await expect
        .poll(async () => {
          const { rows } = await client.query('select from pg_locks where not granted');
          return rows.length;
        })
        .toBeGreaterThan(0);
      await work();
      await asking;
      // Its session went with PostgreSQL.
      await client.query('rollback').catch(() => undefined);
    });
  };
  const nothingLeft = () => expect.poll(installation.postgresPids).toEqual([]);

  test('SIGTERM while a query holds a connection: it is cut off, and no process is left', async () => {
    const server = installation.run();
    await withStuckQuery(server, async () => {
      expect(await server.end('SIGTERM')).toBe(0);
      expect(installation.postgresPids()).toEqual([]);
    });
    expect(existsSync(join(installation.dataDir, 'postgres.owner'))).toBe(false);
  });

  test('a second Ctrl-C ends at once, and PostgreSQL with it', async () => {
    const server = installation.run();
    await withStuckQuery(server, async () => {
      server.process.kill('SIGINT');
      await expect.poll(() => server.printed.out).toContain('SIGINT: finishing answers');
      // npm and the terminal both send the first one: two at once are one wish.
      server.process.kill('SIGINT');
      await sleep(1600);
      expect(server.isRunning()).toBe(true);
      server.process.kill('SIGINT');
      expect(await server.ended).toBe(1);
      expect(server.printed.out).toContain('SIGINT again: ending at once');
      await nothingLeft();
    });
    const next = installation.run();
    await next.ready();
    expect(await next.end('SIGTERM')).toBe(0);
  });

  test('a fault that ends the process does not leave PostgreSQL behind', async () => {
    const fault = 'process.once("SIGUSR2", () => { throw new Error("a fault") })';
    const server = installation.run({
      command: [
        process.execPath,
        '--import',
        `data:text/javascript,${encodeURIComponent(fault)}`,
        join(import.meta.dirname, '../../src/main.ts'),
      ],
    });
    await server.ready();
    expect(await server.end('SIGUSR2')).not.toBe(0);
    expect(server.printed.err).toContain('a fault');
    await nothingLeft();
  });

  test('a signal in the middle of the start ends it whole', async () => {
    const server = installation.run();
    await expect.poll(() => installation.postgresPids().length).toBeGreaterThan(0);
    expect(await server.end('SIGHUP')).toBe(0);
    expect(server.printed.out).not.toContain('ready');
    await nothingLeft();
  });

  test('kill -9 while the cluster is being made: the next start makes it', async () => {
    const drafts = () => readdirSync(installation.dataDir).filter((name) => name.startsWith('postgres.new-'));
    const server = installation.run();
    await expect.poll(drafts, { interval: 5 }).toHaveLength(1);
    await server.end('SIGKILL');
    const next = installation.run();
    await next.ready();
    expect(drafts()).toEqual([]);
    await next.end('SIGTERM');
  });

  test('a start in the same data directory waits for the server that is just stopping', async () => {
    const first = installation.run();
    await withStuckQuery(first, async () => {
      first.process.kill('SIGTERM');
      const owner = () => readFileSync(join(installation.dataDir, 'postgres.owner'), 'utf8').split('\n')[2];
      await expect.poll(owner).toBe('leaving');
      const second = installation.run({ env: { LOG_LEVEL: 'info' } });
      await second.ready();
      expect(await first.ended).toBe(0);
      expect(second.printed.out).toContain('waiting for the server that stops in this data directory');
      await second.end('SIGTERM');
    });
  });
});
