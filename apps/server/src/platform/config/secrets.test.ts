import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadSecrets } from './secrets.ts';

describe('loadSecrets', () => {
  let dir: string;
  let file: string;
  beforeEach(() => {
    dir = join(mkdtempSync(join(tmpdir(), 'fulcrum-secrets-')), 'data');
    file = join(dir, 'secrets.json');
  });
  afterEach(() => rmSync(join(dir, '..'), { recursive: true }));

  test('makes them once, for the owner alone, and reads the same ones later', () => {
    const secrets = loadSecrets(dir);
    expect(secrets.anonKey).toMatch(/^sb_publishable_/);
    expect(Buffer.from(secrets.jwtSecret, 'base64url')).toHaveLength(64);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir)).toEqual(['secrets.json']);
    expect(loadSecrets(dir)).toEqual(secrets);
  });

  test.each(['', '{"jwtSecret":"short"}', 'not json'])('a damaged file stops the start: %j', (text) => {
    loadSecrets(dir);
    writeFileSync(file, text);
    expect(() => loadSecrets(dir)).toThrow(/is damaged; restore it/);
  });

  test('a file that others may read stops the start', () => {
    loadSecrets(dir);
    chmodSync(file, 0o644);
    expect(() => loadSecrets(dir)).toThrow(`${file} is open to other users; run: chmod 600 ${file}`);
  });
});
