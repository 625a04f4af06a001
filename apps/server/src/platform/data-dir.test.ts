import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureDataDir, restrictDataDir } from './data-dir.ts';
import { createLog } from './log/index.ts';

let parent: string;
let lines: string[];
const log = () => createLog({ logLevel: 'info' }, { write: (line: string) => void lines.push(line) });
const modeOf = (dir: string) => (statSync(dir).mode & 0o7777).toString(8);
const open = (mode: number, ...entries: string[]) => {
  const dir = join(parent, 'open');
  mkdirSync(dir);
  for (const entry of entries) writeFileSync(join(dir, entry), '');
  chmodSync(dir, mode);
  return dir;
};

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'fulcrum-data-dir-'));
  lines = [];
});
afterEach(() => rmSync(parent, { recursive: true }));

describe('SEC-F12: the data directory', () => {
  test('SEC-F12: is made for its owner alone, whatever the umask; folders above it are not', () => {
    const before = process.umask(0o022);
    try {
      ensureDataDir(join(parent, 'srv/fulcrum'));
    } finally {
      process.umask(before);
    }
    expect(modeOf(join(parent, 'srv/fulcrum'))).toBe('700');
    expect(modeOf(join(parent, 'srv'))).toBe('755');
  });

  test.each([[0o755], [0o777], [0o750]])('SEC-F12: of an earlier version (%i) is closed', (mode) => {
    const dir = open(mode, 'postgres', 'postgres.log', 'postgres.owner', 'secrets.json', 'outbox');
    restrictDataDir(dir, log());
    expect(statSync(dir).mode & 0o066).toBe(0);
    expect(lines.join('')).toContain('is closed to other users now');
    lines = [];
    restrictDataDir(dir, log());
    expect(lines).toEqual([]);
  });

  test('SEC-F12: leaves a folder with other files unchanged and logs it', () => {
    const dir = open(0o755, 'secrets.json', 'public.html');
    restrictDataDir(dir, log());
    expect(modeOf(dir)).toBe('755');
    expect(JSON.parse(lines.join(''))).toMatchObject({ level: 'warn', dir, mode: '755' });
  });

  test('SEC-F12: that everybody shares is left as it is', () => {
    const dir = open(0o1777);
    restrictDataDir(dir, log());
    expect(modeOf(dir)).toBe('1777');
    expect(lines.join('')).toContain('"level":"warn"');
  });
});
