/** From a clone to a running server and back: what a newcomer does, with what may be odd about their machine. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { takeLock } from '../../../../scripts/lock.mjs';
import { linkLibraries, locatePackage, missingLinks } from '../../src/platform/database/embedded/binaries.ts';
import { makeInstallation, ordinaryUser } from '../harness/server-process.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const user = ordinaryUser();
/** Nothing listens there, so whoever asks it for a package fails. */
const noRegistry = { npm_config_registry: 'http://127.0.0.1:9', npm_config_offline: 'false' };

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fulcrum-clone-')));
  chmodSync(dir, 0o755);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** With hard links where the file system has them: thousands of files in a second. */
function copyTree(from: string, to: string): void {
  if (spawnSync('cp', ['-al', from, to]).status === 0) return;
  rmSync(to, { recursive: true, force: true });
  execFileSync('cp', ['-a', from, to]);
}

describe('prepare', () => {
  test('an installed clone uses no network and prints nothing', () => {
    const run = spawnSync(process.execPath, [join(root, 'scripts/prepare.mjs'), 'test'], {
      env: { ...process.env, ...noRegistry },
      encoding: 'utf8',
    });
    expect(run).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  /** A clone whose npm only notes that it ran, and takes its time. */
  const smallClone = () => {
    mkdirSync(join(dir, 'scripts'));
    for (const file of ['prepare.mjs', 'installed.mjs', 'lock.mjs']) {
      cpSync(join(root, 'scripts', file), join(dir, 'scripts', file));
    }
    writeFileSync(join(dir, 'package.json'), JSON.stringify({ optionalDependencies: {} }));
    writeFileSync(join(dir, 'package-lock.json'), JSON.stringify({ packages: {} }));
    const npm = join(dir, 'npm.mjs');
    writeFileSync(
      npm,
      `import { appendFileSync, mkdirSync } from 'node:fs';
       appendFileSync('runs', 'begin\\n');
       await new Promise((resolve) => setTimeout(resolve, 600));
       mkdirSync('node_modules', { recursive: true });
       appendFileSync('runs', 'end\\n');`,
    );
    return npm;
  };
  const prepareIn = async (npm: string) => {
    const child = spawn(process.execPath, [join(dir, 'scripts/prepare.mjs'), 'start'], {
      env: { PATH: process.env.PATH, npm_execpath: npm, npm_node_execpath: process.execPath },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const [code] = await once(child, 'close');
    return { code: code as number, output };
  };

  test('three starts at once install once; the others wait and find it done', async () => {
    const npm = smallClone();
    // A killed run's lock, which all three find and only one may take over.
    mkdirSync(join(dir, '.cache'));
    writeFileSync(join(dir, '.cache/prepare.lock'), '999999999 1\n');
    const runs = await Promise.all([prepareIn(npm), prepareIn(npm), prepareIn(npm)]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(readFileSync(join(dir, 'runs'), 'utf8')).toBe('begin\nend\n');
    expect(runs.filter(({ output }) => output.includes('waiting for another install'))).toHaveLength(2);
    expect(readdirSync(join(dir, '.cache'))).toEqual([]);
    appendFileSync(join(dir, 'package-lock.json'), '\n');
    expect((await prepareIn(npm)).output).toContain('installing what the server needs');
  });

  test('a lock whose pid belongs to another process does not block', async () => {
    const npm = smallClone();
    mkdirSync(join(dir, '.cache'));
    writeFileSync(join(dir, '.cache/prepare.lock'), `${process.pid} 1\n`);
    expect(await prepareIn(npm)).toMatchObject({ code: 0 });
  });

  test('a lock that cannot be read fails with a clear error after the timeout', async () => {
    const lock = join(dir, 'prepare.lock');
    symlinkSync(join(dir, 'nowhere'), lock);
    await expect(takeLock(lock, { limitMs: 50, onWait: () => undefined })).rejects.toThrow(
      `${lock} cannot be taken; remove it`,
    );
    expect(readdirSync(dir)).toEqual(['prepare.lock']);
  });
});

describe("PostgreSQL's package", () => {
  test('library links that an install without scripts left out are made, and broken ones mended', () => {
    const home = join(dir, 'package');
    copyTree(locatePackage().root, home);
    linkLibraries(home);
    const links = JSON.parse(readFileSync(join(home, 'native/pg-symlinks.json'), 'utf8')) as {
      target: string;
    }[];
    expect(links.length).toBeGreaterThan(5);
    for (const { target } of links) rmSync(join(home, target), { force: true });
    const postgres = () =>
      spawnSync(join(home, 'native/bin/postgres'), ['--version'], { env: {}, encoding: 'utf8' });
    expect(missingLinks(home)).toHaveLength(links.length);
    expect(postgres().status).not.toBe(0);

    linkLibraries(home);
    expect(missingLinks(home)).toEqual([]);
    expect(postgres().stdout).toMatch(/^postgres \(PostgreSQL\) \d+/);
  });
});

describe('two servers at once', () => {
  test('with their own PORT and DATA_DIR two servers run independently', async () => {
    const both = [makeInstallation(), makeInstallation()];
    try {
      const servers = both.map((installation) => installation.run());
      const urls = await Promise.all(servers.map((server) => server.ready()));
      const keys = await Promise.all(
        urls.map(
          async (url) => ((await (await fetch(`${url}/config.json`)).json()) as { anonKey: string }).anonKey,
        ),
      );
      expect(new Set(keys).size).toBe(2);
      expect(await servers[0]!.end('SIGTERM')).toBe(0);
      expect((await fetch(`${urls[1]}/health`)).status).toBe(200);
      expect(await servers[1]!.end('SIGTERM')).toBe(0);
    } finally {
      for (const installation of both) await installation.dispose();
    }
  });
});

describe('a server of an ordinary user', () => {
  test.skipIf(user === null)(
    'starts, survives kill -9 of Node and of both, and leaves no process',
    async () => {
      const installation = makeInstallation(user!);
      try {
        const first = installation.run();
        await first.ready();
        await first.end('SIGKILL');
        const second = installation.run();
        await second.ready();
        for (const pid of installation.postgresPids()) process.kill(pid, 'SIGKILL');
        await second.end('SIGKILL');
        const third = installation.run();
        const url = await third.ready();
        expect((await fetch(`${url}/health`)).status).toBe(200);
        expect(await third.end('SIGTERM')).toBe(0);
        expect(installation.postgresPids()).toEqual([]);
      } finally {
        await installation.dispose();
      }
    },
  );
});

/** What git would clone is the test's business; from an archive without it there is nothing to ask. */
const hasGit = existsSync(join(root, '.git'));

describe.skipIf(!hasGit)('npm start in a folder with spaces and an umlaut', { timeout: 180_000 }, () => {
  const processesOf = (folder: string) =>
    readdirSync('/proc').filter((pid) => {
      if (!/^\d+$/.test(pid)) return false;
      try {
        return (
          readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) ||
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)
        );
      } catch {
        // Ended meanwhile.
        return false;
      }
    });

  /** The project's files as they are now, without what is ignored, and what is installed. */
  const clone = (to: string) => {
    const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
    });
    for (const file of list.split('\0')) {
      // A file that another process is just moving.
      if (file === '' || !existsSync(join(root, file))) continue;
      mkdirSync(dirname(join(to, file)), { recursive: true });
      cpSync(join(root, file), join(to, file));
    }
    for (const folder of ['.', 'apps/server', 'apps/web', 'packages/contract', 'packages/domain']) {
      const modules = join(root, folder, 'node_modules');
      if (existsSync(modules)) copyTree(modules, join(to, folder, 'node_modules'));
    }
    // Folders and copies, but not what is hard-linked: that is still the original's.
    if (user !== null) {
      const owner = `${user.uid}:${user.gid}`;
      execFileSync('find', [
        to,
        '-name',
        'node_modules',
        '-prune',
        '-o',
        '-exec',
        'chown',
        '-h',
        owner,
        '{}',
        '+',
      ]);
      execFileSync('find', [to, '-type', 'd', '-exec', 'chown', owner, '{}', '+']);
    }
  };

  test('builds and serves without a network, and SIGTERM to npm leaves no process', async () => {
    const folder = join(dir, 'Mein Fulcrum für zwei');
    clone(folder);
    const home = join(dir, 'home');
    mkdirSync(home, { mode: 0o777 });
    chmodSync(home, 0o777);
    const child = spawn('npm', ['start'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: home, LOG_LEVEL: 'warn', PORT: '0', ...noRegistry },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    }
    try {
      await expect
        .poll(() => /ready: {2}(\S+)/.exec(printed)?.[1] ?? (child.exitCode === null ? null : printed), {
          timeout: 120_000,
          interval: 100,
        })
        .toMatch(/^http:/);
      const url = /ready: {2}(\S+)/.exec(printed)![1]!;
      expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain(
        '<div id="root">',
      );
      expect(existsSync(join(folder, '.data/postgres/PG_VERSION'))).toBe(true);
      child.kill('SIGTERM');
      await once(child, 'close');
      expect(processesOf(folder)).toEqual([]);
    } finally {
      for (const pid of processesOf(folder)) process.kill(Number(pid), 'SIGKILL');
    }
  });
});
