import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const scripts = fileURLToPath(new URL('.', import.meta.url));
let clone: string;

const write = (path: string, text: string) => {
  const file = join(clone, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const start = () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(clone, 'scripts/start.ts')], {
    encoding: 'utf8',
  });
  return { stdout: stdout.trim(), stderr, status };
};

/** A clone with a built web app, whose server prints one line. */
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'fulcrum-start-'));
  write('package.json', '{"type":"module"}');
  for (const file of ['start.ts', 'lock.mjs']) cpSync(join(scripts, file), join(clone, 'scripts', file));
  write('apps/web/dist/index.html', '');
  write('.cache/web-build', createHash('sha256').digest('hex'));
  write(
    'apps/server/src/main.ts',
    "import { word } from './word.ts';\nconsole.log(word satisfies string);\n",
  );
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

const compiled = () =>
  readdirSync(join(clone, '.cache/compile'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  ).length;

test('ENG-11: a start caches what it compiled, and recompiles a changed source however alike it looks', () => {
  const source = write('apps/server/src/word.ts', "export const word: string = 'first';\n");
  expect(start()).toMatchObject({ stdout: 'first', status: 0 });
  const compiledFirst = compiled();
  expect(compiledFirst).toBeGreaterThan(0);
  expect(start().stdout).toBe('first');
  expect(compiled()).toBe(compiledFirst);

  // As long as before and of the same time.
  const { atime, mtime } = statSync(source);
  write('apps/server/src/word.ts', "export const word: string = 'other';\n");
  utimesSync(source, atime, mtime);
  expect(start()).toMatchObject({ stdout: 'other', status: 0 });
  expect(start().stdout).toBe('other');
  // In place of the former one.
  expect(compiled()).toBe(compiledFirst);
});

test('ENG-11: an error names file, line and column of the source, also from cached compilations', () => {
  write(
    'apps/server/src/word.ts',
    "type Word = string;\n\nexport const word: Word = (() => { throw new Error('here'); })();\n",
  );
  for (const round of ['compiled', 'cached']) {
    const { stderr, status } = start();
    expect(status, round).toBe(1);
    expect(stderr, round).toContain('apps/server/src/word.ts:3:');
    expect(stderr, round).toContain('Error: here');
  }
});

test('ENG-11: without a writable cache the start is only slower', () => {
  write('apps/server/src/word.ts', "export const word: string = 'first';\n");
  write('.cache/compile', 'a file in the way');
  expect(start()).toMatchObject({ stdout: 'first', status: 0, stderr: '' });
  expect(existsSync(join(clone, '.cache/compile/anything'))).toBe(false);
});
