/**
 * Threat: a local user takes the place of the socket's directory in the shared temporary folder, to prevent a start, or to
 * have foreign files removed or handed over.
 */

import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startEmbedded } from '../../src/platform/database/embedded/index.ts';
import {
  makeSocketDir,
  removeAbandonedSocketDir,
  removeSocketDir,
  renewSocketDir,
} from '../../src/platform/database/embedded/socket-dir.ts';
import { testLog } from '../harness/index.ts';

const { TMPDIR } = process.env;
let tmp: string;
beforeEach(() => {
  tmp = mkdtempSync(join(tmpdir(), 'f-'));
  // As /tmp is: everybody makes entries there, and removes only their own.
  chmodSync(tmp, 0o1777);
  process.env.TMPDIR = tmp;
});
afterEach(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  rmSync(tmp, { recursive: true, force: true });
});

const socketFiles = ['.s.PGSQL.5432', '.s.PGSQL.5432.lock'];
const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

describe("SEC-F12: the directory of the database's socket", () => {
  test('SEC-F12: has an unpredictable name, and is closed', () => {
    const made = Array.from({ length: 20 }, () => makeSocketDir(self));
    expect(new Set(made).size).toBe(20);
    for (const dir of made) {
      expect(basename(dir)).toMatch(/^fulcrum-[A-Za-z0-9]{6}$/);
      expect(statSync(dir).mode & 0o777).toBe(0o700);
      removeSocketDir(dir, self);
      expect(existsSync(dir)).toBe(false);
    }
  });

  test('SEC-F12: a foreign file in its place prevents no start, and is not touched', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'd-'));
    const cluster = join(dir, 'postgres');
    const hash = createHash('sha256').update(`${process.getuid?.()}:${cluster}`).digest('hex').slice(0, 16);
    const taken = join(tmp, `fulcrum-${hash}`);
    mkdirSync(taken);
    writeFileSync(join(taken, 'mine'), '');
    const postgres = await startEmbedded({ dir, log: testLog });
    try {
      expect(postgres.socketDir).not.toBe(taken);
      expect(statSync(postgres.socketDir).mode & 0o777).toBe(0o700);
      const client = new pg.Client({ host: postgres.socketDir, user: 'postgres', database: 'postgres' });
      await client.connect();
      await client.end();
    } finally {
      await postgres.stop();
    }
    expect(existsSync(postgres.socketDir)).toBe(false);
    expect(existsSync(join(taken, 'mine'))).toBe(true);
  });

  test('SEC-F12: a foreign directory in its place is neither used nor emptied', () => {
    const dir = makeSocketDir(self);
    removeSocketDir(dir, self);
    const victim = join(tmp, 'victim');
    mkdirSync(victim, { mode: 0o700 });
    for (const file of socketFiles) writeFileSync(join(victim, file), '');
    symlinkSync(victim, dir);
    expect(() => renewSocketDir(dir, self)).toThrow('is not the socket directory that was made');
    removeSocketDir(dir, self);
    removeAbandonedSocketDir(dir, self);
    for (const file of socketFiles) expect(existsSync(join(victim, file))).toBe(true);
    rmSync(dir);

    mkdirSync(dir, { mode: 0o700 });
    chownSync(dir, self.uid, self.gid);
    chmodSync(dir, 0o777);
    expect(() => renewSocketDir(dir, self)).toThrow('is not the socket directory that was made');
  });

  test('SEC-F12: a lock file that names another directory causes no removal there', () => {
    const elsewhere = join(tmp, 'elsewhere');
    mkdirSync(elsewhere, { mode: 0o700 });
    const inside = join(tmp, 'x', 'fulcrum-abcdef');
    mkdirSync(inside, { recursive: true, mode: 0o700 });
    for (const dir of [elsewhere, inside]) {
      for (const file of socketFiles) writeFileSync(join(dir, file), '');
      removeAbandonedSocketDir(dir, self);
      for (const file of socketFiles) expect(existsSync(join(dir, file))).toBe(true);
    }
    const left = makeSocketDir(self);
    for (const file of socketFiles) writeFileSync(join(left, file), '');
    removeAbandonedSocketDir(left, self);
    expect(existsSync(left)).toBe(false);
  });

  test('SEC-F12: it is the same for the PostgreSQL that follows one that died, and empty', () => {
    const dir = makeSocketDir(self);
    for (const file of socketFiles) writeFileSync(join(dir, file), '');
    renewSocketDir(dir, self);
    for (const file of socketFiles) expect(existsSync(join(dir, file))).toBe(false);
    rmSync(dir, { recursive: true });
    renewSocketDir(dir, self);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
  });
});
