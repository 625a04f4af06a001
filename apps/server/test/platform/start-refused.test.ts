/** A fault that prevents the start is reported in one line that an operator can act on, and no process is left running. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Installation, makeInstallation, ordinaryUser } from '../harness/server-process.ts';

const isRoot = process.getuid?.() === 0;
const user = ordinaryUser();

describe('a start that cannot be', () => {
  let installation: Installation;
  beforeEach(() => {
    installation = makeInstallation();
  });
  afterEach(() => installation.dispose());

  /** The one line on standard error of a start that ends with 1. */
  const refusal = async (env: Record<string, string> = {}, at = installation) => {
    const server = at.run({ env });
    expect(await server.ended).toBe(1);
    expect(server.printed.err.trimEnd().split('\n')).toHaveLength(1);
    expect(installation.postgresPids()).toEqual([]);
    return server.printed.err.trimEnd();
  };
  const inside = (name: string) => join(installation.dataDir, name);

  test('a data directory below /proc, which accepts no folders', async () => {
    expect(await refusal({ DATA_DIR: '/proc/fulcrum/data' })).toMatch(
      /^cannot use the data directory \/proc\/fulcrum\/data: ENOENT/,
    );
  });

  test('a data directory that is a file', async () => {
    writeFileSync(inside('file'), '');
    expect(await refusal({ DATA_DIR: inside('file') })).toBe(
      `the data directory ${inside('file')} is a file; set DATA_DIR`,
    );
  });

  test.each(['', '{"jwtSecret":', 'null'])('secrets that are %j', async (text) => {
    writeFileSync(inside('secrets.json'), text, { mode: 0o600 });
    expect(await refusal()).toBe(
      `${inside('secrets.json')} is damaged; restore it, or remove it to sign everybody out and make a new one`,
    );
  });

  test('a folder of something else where the cluster should be', async () => {
    mkdirSync(inside('postgres'));
    writeFileSync(inside('postgres/notes.txt'), '');
    expect(await refusal()).toContain(
      'is not empty and not a PostgreSQL cluster; move it away or set DATA_DIR',
    );
  });

  test('another major version of PostgreSQL', async () => {
    mkdirSync(inside('postgres'));
    writeFileSync(inside('postgres/PG_VERSION'), '17\n');
    expect(await refusal()).toMatch(/was made by PostgreSQL 17 and this is PostgreSQL 18; restore it with/);
  });

  test("a damaged cluster: PostgreSQL's own reason is in the line", async () => {
    const first = installation.run();
    await first.ready();
    await first.end('SIGTERM');
    rmSync(inside('postgres/global/pg_control'));
    expect(await refusal()).toMatch(/^PostgreSQL did not start: .*pg_control.*; see .*postgres\.log$/);
  });

  test('two servers on one port: the second reports it and stops its PostgreSQL', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    expect(await refusal({ PORT: String(port) })).toBe(
      `port ${port} of 127.0.0.1 is in use; stop what uses it or set PORT`,
    );
    other.close();
  });

  test('two servers on one data directory: the second names the owner, and the first continues', async () => {
    const first = installation.run();
    const url = await first.ready();
    const second = installation.run();
    expect(await second.ended).toBe(1);
    expect(second.printed.err).toBe(
      `the data directory ${installation.dataDir} is in use by process ${first.process.pid}; stop it or set DATA_DIR\n`,
    );
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  test.skipIf(user === null)("another user's data directory", async () => {
    chmodSync(installation.dataDir, 0o700);
    const ordinary = makeInstallation(user!);
    expect(await refusal({ DATA_DIR: installation.dataDir }, ordinary)).toMatch(
      /^cannot use the data directory .*EACCES.*\(it belongs to user id 0, and this is user id \d+; start as its owner or set DATA_DIR\)$/,
    );
    await ordinary.dispose();
  });

  test.skipIf(user === null)("another user's cluster in a directory that everybody may write", async () => {
    chmodSync(installation.dataDir, 0o777);
    mkdirSync(inside('postgres'), { mode: 0o700 });
    chownSync(inside('postgres'), user!.uid + 1, user!.gid);
    const ordinary = makeInstallation(user!);
    expect(await refusal({ DATA_DIR: installation.dataDir }, ordinary)).toBe(
      `${inside('postgres')} belongs to user id ${user!.uid + 1}, but this is user id ${user!.uid}; start as its owner or set DATA_DIR`,
    );
    await ordinary.dispose();
  });

  test.runIf(isRoot)('a cluster that root copied, which its PostgreSQL could not read', async () => {
    mkdirSync(inside('postgres/global'), { recursive: true });
    writeFileSync(inside('postgres/PG_VERSION'), '18\n');
    expect(await refusal()).toMatch(
      /belongs to root, and PostgreSQL does not run as root; give it .*: chown -R \d+:\d+ .*\/postgres$/,
    );
  });

  const mounted = (size: string, more: string) =>
    isRoot &&
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}${more}`, 'tmpfs', inside('disk')]).status === 0;

  test.for([
    ['full while the cluster is made', '8m', '', /^initdb failed: .*No space left on device/],
    ['full from the beginning', '4k', '', /ENOSPC.*\(the disk is full; free some space\)$/],
    [
      'read-only',
      '8m',
      ',ro',
      /EROFS.*\(the file system is read-only; mount it for writing or set DATA_DIR\)$/,
    ],
  ] as const)('a disk that is %s', async ([, size, more, line], { skip }) => {
    mkdirSync(inside('disk'));
    // Only root may mount, and not in every container.
    if (!mounted(size, more)) skip('mounting is not permitted here');
    try {
      expect(await refusal({ DATA_DIR: inside('disk') })).toMatch(line);
    } finally {
      execFileSync('umount', [inside('disk')]);
    }
  });
});
