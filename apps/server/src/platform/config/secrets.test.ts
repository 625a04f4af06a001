import { createECDH } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findSecrets, loadSecrets } from './secrets.ts';

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

  test('ENG-1: the market has a key of 32 random bytes, in each installation another', () => {
    const { marketKey } = loadSecrets(dir);
    expect(Buffer.from(marketKey, 'base64url')).toHaveLength(32);
    expect(loadSecrets(join(dir, '..', 'other')).marketKey).not.toBe(marketKey);
  });

  test('A109: adds a market key to a file of an earlier version once and leaves the rest unchanged', () => {
    const { marketKey: _, ...older } = loadSecrets(join(dir, '..', 'other'));
    mkdirSync(dir);
    writeFileSync(file, JSON.stringify(older), { mode: 0o600 });
    expect(findSecrets(dir)).toEqual(older);
    const completed = loadSecrets(dir);
    expect(completed).toMatchObject(older);
    expect(Buffer.from(completed.marketKey, 'base64url')).toHaveLength(32);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(completed);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir)).toEqual(['secrets.json']);
    expect(loadSecrets(dir)).toEqual(completed);
  });

  test('push: the key of push services is a private P-256 key, added to a file of an earlier version once', () => {
    const { vapidKey: _, ...older } = loadSecrets(join(dir, '..', 'other'));
    mkdirSync(dir);
    writeFileSync(file, JSON.stringify(older), { mode: 0o600 });
    const completed = loadSecrets(dir);
    expect(completed).toMatchObject(older);
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(completed.vapidKey, 'base64url');
    expect(pair.getPublicKey()).toHaveLength(65);
    expect(loadSecrets(dir)).toEqual(completed);
  });

  test('A119: the key of API keys is 32 random bytes, added to a file of an earlier version once', () => {
    const { apiKeysKey: _, ...older } = loadSecrets(join(dir, '..', 'other'));
    mkdirSync(dir);
    writeFileSync(file, JSON.stringify(older), { mode: 0o600 });
    const completed = loadSecrets(dir);
    expect(completed).toMatchObject(older);
    expect(Buffer.from(completed.apiKeysKey, 'base64url')).toHaveLength(32);
    expect(loadSecrets(dir)).toEqual(completed);
  });

  test('A116: the key of certificates is 32 random bytes, added to a file of an earlier version once', () => {
    const { certificatesKey: _, ...older } = loadSecrets(join(dir, '..', 'other'));
    mkdirSync(dir);
    writeFileSync(file, JSON.stringify(older), { mode: 0o600 });
    const completed = loadSecrets(dir);
    expect(completed).toMatchObject(older);
    expect(Buffer.from(completed.certificatesKey, 'base64url')).toHaveLength(32);
    expect(loadSecrets(dir)).toEqual(completed);
  });

  test('A109: of two starts at once the key of the first counts, also when it was stopped half-way', () => {
    const first = loadSecrets(join(dir, '..', 'other'));
    const { marketKey: _, ...older } = first;
    mkdirSync(dir);
    writeFileSync(file, JSON.stringify(older), { mode: 0o600 });
    writeFileSync(`${file}.next`, JSON.stringify(first), { mode: 0o600 });
    expect(loadSecrets(dir)).toEqual(first);
    expect(readdirSync(dir)).toEqual(['secrets.json']);
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
