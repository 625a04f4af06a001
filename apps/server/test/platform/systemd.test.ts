/**
 * `deploy/systemd/fulcrum.service`, read by Debian's systemd. Known limitation: no systemd runs it here; what a filter or a
 * read-only folder forbids shows only on a machine that boots with systemd.
 */
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settings } from '../../src/platform/config/index.ts';
import { debianParts } from '../debian-parts.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../..', import.meta.url));
const unit = readFileSync(join(root, 'deploy/systemd/fulcrum.service'), 'utf8');
const debian = await debianParts(['systemd', 'libsystemd-shared']);
/** Of ten: what `systemd-analyze security` calls OK. Node alone takes half of it (network, JIT, /proc). */
const exposureMax = 2;

test('the unit sets known settings alone, and its data folder is the one that systemd makes', () => {
  const set = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) => line.split(' '));
  const env = Object.fromEntries(set.map((pair) => pair.split('=', 2) as [string, string]));
  expect(Object.keys(env).filter((name) => !(name in settings))).toEqual(['NODE_ENV']);
  expect(env.DATA_DIR).toBe(`/var/lib/${/^StateDirectory=(.*)$/m.exec(unit)?.[1]}`);
});

test('what it starts is here', () => {
  const [, program = '', script = ''] = /^ExecStart=(\S+) (\S+)$/m.exec(unit) ?? [];
  expect(program).toBe('/srv/fulcrum/node_modules/.bin/node');
  expect(globSync(script, { cwd: root })).toEqual([script]);
});

describe.skipIf(debian === null)('systemd-analyze', () => {
  let folder: string;
  let file: string;
  const analyze = (...args: string[]) => {
    const [library = ''] = globSync(join(debian ?? '', '{usr/lib,lib}/**/libsystemd-shared-*.so'));
    return run(join(debian ?? '', 'usr/bin/systemd-analyze'), [...args, file], {
      env: {
        LD_LIBRARY_PATH: dirname(library),
        SYSTEMD_UNIT_PATH: ['lib', 'usr/lib'].map((at) => join(debian ?? '', at, 'systemd/system')).join(':'),
        SYSTEMD_COLORS: '0',
      },
    });
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fulcrum-systemd-'));
    file = join(folder, 'fulcrum.service');
    // An installed clone, where the unit expects one.
    const clone = join(folder, 'clone');
    mkdirSync(join(clone, 'node_modules/.bin'), { recursive: true });
    symlinkSync(process.execPath, join(clone, 'node_modules/.bin/node'));
    mkdirSync(join(clone, 'docs'));
    writeFileSync(join(clone, 'docs/operations.md'), '');
    writeFileSync(file, unit.replaceAll('/srv/fulcrum', clone));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('verify reports nothing', async () => {
    const { stdout, stderr } = await analyze('verify', '--man=false');
    expect(stdout + stderr).toBe('');
  });

  test(`its exposure is at most ${exposureMax} of 10`, async () => {
    const { stdout } = await analyze(
      'security',
      '--offline=true',
      '--no-pager',
      `--threshold=${exposureMax * 10}`,
    );
    expect(stdout).toContain('Overall exposure level for fulcrum.service');
  });

  test('a mistake in it is found', async () => {
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n[Service]\nProtectSytem=strict\n`);
    await expect(analyze('verify', '--man=false').then(({ stderr }) => stderr)).resolves.toContain(
      'ProtectSytem',
    );
  });
});
