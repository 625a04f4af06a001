/** Threat: a backup is stolen from the folder, the disk or the place off the machine where it lies; or changed there. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as yieldOnce } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUp, createKeyFile, readKey, restore, verifyBackup } from '../../src/platform/backup/index.ts';
import { debianParts } from '../debian-parts.ts';
import { type ClonedDatabase, cloneDatabase, testLog } from '../harness/index.ts';
import { bookDeposit, cleanUp, contentOf, newFolder, onDatabase, run } from './installations.ts';

const log = testLog;
const age = await debianParts(['age']);
const jwtSecret = 'of-the-sessions'.repeat(6);
const secretsText = `${JSON.stringify({
  jwtSecret,
  anonKey: 'sb_publishable_0123456789abcdef01234567',
  instanceId: '00000000-0000-4000-8000-00000000000a',
})}\n`;

let source: ClonedDatabase;
let dataDir: string;
let keyFile: string;
let recipient: string;
let identity: string;
let file: string;
let whole: Buffer;
let ledgerHash: string;

beforeAll(async () => {
  source = await cloneDatabase();
  dataDir = newFolder();
  writeFileSync(join(dataDir, 'secrets.json'), secretsText, { mode: 0o600 });
  await onDatabase(source.url, async (client) => {
    await bookDeposit(client, 500);
    // Several chunks of age (64 KiB) that do not compress.
    await client.query(`
      insert into app.file_uploads (id, owner_id, started_at) values
        ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-00000000000b', now());
      insert into app.file_chunks (upload_id, position, content)
        select '00000000-0000-4000-8000-000000000003', n,
               (select string_agg(sha256((n || ' ' || i)::bytea), '') from generate_series(1, 6000) i)
        from generate_series(0, 1) n`);
  });
  keyFile = join(newFolder(), 'backup.key');
  recipient = await createKeyFile(keyFile);
  identity = (await readKey(keyFile))?.identity ?? '';
  file = join(newFolder(), 'encrypted.fulcrum');
  const written = await backUp({ databaseUrl: source.url, dataDir }, file, {
    log,
    key: await readKey(keyFile),
  });
  ledgerHash = written.foot.ledger.sha256;
  whole = readFileSync(file);
});
afterAll(async () => {
  await source.drop();
  await cleanUp();
});

const publicKeyFile = (): string => {
  const path = join(newFolder(), 'public.key');
  writeFileSync(path, `# of the server\n${recipient}\n`);
  return path;
};
const refusalOf = async (given: string, key: string | null = keyFile): Promise<string> =>
  verifyBackup(given, await readKey(key)).then(
    () => 'accepted',
    (error: Error) => `${error.name}: ${error.message}`,
  );
const given = (content: Buffer): string => {
  const path = join(newFolder(), 'given.fulcrum');
  writeFileSync(path, content);
  return path;
};

describe('an encrypted backup', () => {
  test('restores into an empty database with its key: every row, the same ledger hash', async () => {
    const target = await cloneDatabase('template0');
    const into = { databaseUrl: target.url, dataDir: join(newFolder(), 'restored') };
    const { backup } = await restore(into, file, {
      log,
      key: await readKey(keyFile),
      examine: async () => null,
    });
    expect(backup.foot.ledger).toMatchObject({ sha256: ledgerHash, rows: 1000 });
    expect(await contentOf(target.url)).toEqual(await contentOf(source.url));
    expect(readFileSync(join(into.dataDir, 'secrets.json'), 'utf8')).toBe(secretsText);
    await target.drop();
  });

  test('shows a thief the name of its key, and nothing else', () => {
    const text = whole.toString('latin1');
    expect(text.slice(0, text.indexOf('\n'))).toBe(`fulcrum-backup-encrypted 1 ${recipient}`);
    for (const secret of [
      'of the sessions',
      'saver@example.test',
      'app.users',
      'fulcrum-backup 1',
      identity,
    ]) {
      expect(text).not.toContain(secret);
    }
    // No gzip member begins in it that holds anything.
    for (let at = whole.indexOf('1f8b08', 0, 'hex'); at !== -1; at = whole.indexOf('1f8b08', at + 1, 'hex')) {
      expect(() => gunzipSync(whole.subarray(at))).toThrow();
    }
  });

  test('does not contain its key: nothing in the decrypted content is that of the key file', async () => {
    const { content } = await verifyBackup(file, await readKey(keyFile));
    const decrypted: Buffer[] = [];
    for await (const piece of content.read()) decrypted.push(piece);
    const plain = Buffer.concat(decrypted);
    const body = gunzipSync(plain.subarray('fulcrum-backup 1\n'.length, -72)).toString('latin1');
    expect(body, 'it is the content').toContain('saver@example.test');
    for (const trace of ['AGE-SECRET-KEY', identity.slice(20), recipient, keyFile]) {
      expect(body.toUpperCase()).not.toContain(trace.toUpperCase());
    }
  });

  test('names the key that it needs before it decrypts anything: without a key, with another, with the public part', async () => {
    const needed = `BackupRefusal: ${file} is encrypted for the key ${recipient}`;
    expect(await refusalOf(file, null)).toBe(`${needed}; set BACKUP_KEY_FILE to the file with that key`);
    const otherFile = join(newFolder(), 'other.key');
    const other = await createKeyFile(otherFile);
    expect(await refusalOf(file, otherFile)).toBe(`${needed}, and BACKUP_KEY_FILE has the key ${other}`);
    expect(await refusalOf(file, publicKeyFile())).toMatch(
      /, and BACKUP_KEY_FILE has only its public part, which cannot decrypt; use the file that npm run backup:key wrote$/,
    );
    const begun = given(Buffer.concat([whole.subarray(0, 100), Buffer.alloc(1000)]));
    expect(await refusalOf(begun, otherFile), 'the rest is not read').toContain('has the key');
  });

  test.each([
    ['one bit of its content', (copy: Buffer) => flip(copy, copy.length >> 1)],
    ['one bit of its wrapped key', (copy: Buffer) => flip(copy, 200)],
    ['its last byte', (copy: Buffer) => copy.subarray(0, -1)],
    ['its last chunk', (copy: Buffer) => copy.subarray(0, bodyOf(copy) + 2 * chunk)],
    ['everything behind its header', (copy: Buffer) => copy.subarray(0, bodyOf(copy))],
    ['the order of two chunks', (copy: Buffer) => swapped(copy)],
    ['bytes behind its end', (copy: Buffer) => Buffer.concat([copy, Buffer.from('more')])],
    ['the name of its key', (copy: Buffer) => flip(copy, 60)],
  ])('is refused after a change of %s', async (_what, change) => {
    const changed = change(Buffer.from(whole));
    expect(changed.equals(whole)).toBe(false);
    expect(await refusalOf(given(changed))).toMatch(
      /^BackupRefusal: .*(is damaged or cut short: it does not decrypt with its key; take another copy$|is encrypted for the key)/,
    );
  });

  test('of a newer format is refused', async () => {
    const text = whole.toString('latin1').replace('encrypted 1 ', 'encrypted 2 ');
    expect(await refusalOf(given(Buffer.from(text, 'latin1')))).toMatch(
      /has the encrypted format 2 and this version of Fulcrum reads 1; restore it with the version that wrote it$/,
    );
  });

  test('is written with the public part of the key alone', async () => {
    const path = join(newFolder(), 'by-public-key');
    const key = await readKey(publicKeyFile());
    const written = await backUp({ databaseUrl: source.url, dataDir }, path, { log, key });
    const { foot } = await verifyBackup(path, await readKey(keyFile));
    expect(foot.ledger.sha256).toBe(ledgerHash);
    expect(written.checked, 'its content cannot be').toBe('bytes');
  });
});

describe('a file that is written', () => {
  const location = () => ({ databaseUrl: source.url, dataDir });

  /** Changes one byte of the draft behind the writer's back, as a failing disk does. */
  async function decay(draft: string): Promise<void> {
    while ((statSync(draft, { throwIfNoEntry: false })?.size ?? 0) < 1000) await yieldOnce();
    const handle = openSync(draft, 'r+');
    writeSync(handle, 'x', 500);
    closeSync(handle);
  }

  test.each([
    ['plain', () => null],
    ['encrypted', () => keyFile],
    ['encrypted with the public key alone', publicKeyFile],
  ])('gets its name only if it can be read back: %s', async (_what, keyOf) => {
    const path = join(newFolder(), 'decayed');
    const [outcome] = await Promise.allSettled([
      backUp(location(), path, { log, key: await readKey(keyOf()) }),
      decay(`${path}.partial`),
    ]);
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: {
        name: 'BackupRefusal',
        message: expect.stringContaining(`${path} cannot be read back as it was written (`),
      },
    });
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test('ends early, and leaves nothing, where the disk is nearly full', async () => {
    const path = join(newFolder(), 'full');
    const measure = async () => ({ freeBytes: 200 * 1024 ** 2, sizeBytes: 1024 ** 4 });
    await expect(backUp(location(), path, { log, measure })).rejects.toThrow(
      `the disk of ${path} is nearly full (200 MiB free), so no backup was written`,
    );
    expect(readdirSync(dirname(path))).toEqual([]);
  });
});

const chunk = 64 * 1024 + 16;
/** Where the chunks begin: behind our line, the header of age, and its nonce of 16 bytes. */
const bodyOf = (copy: Buffer): number => copy.indexOf('\n', copy.indexOf('\n--- ') + 1) + 1 + 16;
const flip = (copy: Buffer, at: number): Buffer => {
  copy[at]! ^= 1;
  return copy;
};
function swapped(copy: Buffer): Buffer {
  const at = bodyOf(copy);
  expect(copy.length).toBeGreaterThan(at + 3 * chunk);
  const [first, second] = [copy.subarray(at, at + chunk), copy.subarray(at + chunk, at + 2 * chunk)];
  return Buffer.concat([copy.subarray(0, at), second, first, copy.subarray(at + 2 * chunk)]);
}

describe('a key file', () => {
  test('is for its owner alone, and never replaced', async () => {
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    await expect(createKeyFile(keyFile)).rejects.toThrow(`${keyFile} exists; a key is never replaced`);
    await expect(createKeyFile('/no/such/folder/key')).rejects.toThrow(
      /^cannot write \/no\/such\/folder\/key: /,
    );
  });

  test.each([
    ['nothing', '', /does not hold one key; make one with npm run backup:key/],
    ['two keys', 'age1a\nage1b\n', /does not hold one key/],
    ['a private key of SSH', '-----BEGIN OPENSSH PRIVATE KEY-----\n', /does not hold one key/],
    ['a secret key with a wrong letter', `AGE-SECRET-KEY-1${'Q'.repeat(58)}`, /holds a damaged key$/],
    ['a public key with a wrong letter', `age1${'q'.repeat(58)}`, /holds a damaged key$/],
  ])('that holds %s is refused in one line, which does not show it', async (_what, text, expected) => {
    const path = join(newFolder(), 'wrong.key');
    writeFileSync(path, text);
    const error = await readKey(path).catch((reason: Error) => reason);
    expect(error).toMatchObject({ name: 'BackupRefusal', message: expect.stringMatching(expected) });
    expect((error as Error).message).not.toContain('QQQ');
  });

  test('that is not there is refused', async () => {
    await expect(readKey('/no/such/key')).rejects.toThrow(
      /^cannot read BACKUP_KEY_FILE=\/no\/such\/key: ENOENT/,
    );
  });
});

test('the commands: a key, an encrypted backup, its check, and the refusal without the key', async () => {
  const [key, made] = [join(newFolder(), 'k'), join(newFolder(), 'made')];
  const outcome = await run('backup-key', [key], {});
  const name = /The key (age1\S+) is in /.exec(outcome.out)?.[1];
  expect(outcome).toMatchObject({ code: 0, err: '' });
  expect(readFileSync(key, 'utf8')).toContain(`# public key: ${name}\nAGE-SECRET-KEY-1`);
  expect(outcome.out, 'the secret stays in the file').not.toContain('AGE-SECRET-KEY');

  const env = { DATABASE_URL: source.url, DATA_DIR: dataDir, BACKUP_KEY_FILE: key };
  const backup = await run('backup', [made], env);
  expect(backup).toMatchObject({ code: 0, err: '' });
  expect(backup.out).toContain(`Encrypted for the key ${name}: only its secret part restores the file.`);
  expect(statSync(made).mode & 0o777).toBe(0o600);
  const [checked, refused] = await Promise.all([
    run('restore', ['--verify', made], { BACKUP_KEY_FILE: key }),
    run('restore', [made], { DATA_DIR: join(newFolder(), 'stolen') }),
  ]);
  expect(checked.out).toContain(`ledger hash   ${ledgerHash}`);
  expect(refused).toEqual({
    code: 1,
    out: '',
    err: `${made} is encrypted for the key ${name}; set BACKUP_KEY_FILE to the file with that key\n`,
  });
});

describe.skipIf(age === null)('age of Debian', () => {
  const program = (name: string, args: readonly string[], input?: Buffer): Buffer =>
    execFileSync(join(age ?? '', 'usr/bin', name), args, { input, stdio: ['pipe', 'pipe', 'ignore'] });

  test('decrypts a backup without Fulcrum, and agrees on the key', () => {
    expect(program('age-keygen', ['-y', keyFile]).toString().trim()).toBe(recipient);
    const plain = program('age', ['-d', '-i', keyFile], whole.subarray(whole.indexOf('\n') + 1));
    expect(plain.toString('latin1', 0, 17)).toBe('fulcrum-backup 1\n');
    expect(gunzipSync(plain.subarray(17, -72)).toString('latin1')).toContain('saver@example.test');
  });

  test('makes a key that backups can use', async () => {
    const path = join(newFolder(), 'age.key');
    appendFileSync(path, program('age-keygen', []));
    const made = join(newFolder(), 'with-age-key');
    const key = await readKey(path);
    await backUp({ databaseUrl: source.url, dataDir }, made, { log, key });
    expect((await verifyBackup(made, key)).foot.ledger.sha256).toBe(ledgerHash);
  });
});
