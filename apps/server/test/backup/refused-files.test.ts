/**
 * Files that are no complete backup of this Fulcrum, and invalid targets: refused with a clear error, without leftovers.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUp, restore, verifyBackup } from '../../src/platform/backup/index.ts';
import { type ClonedDatabase, cloneDatabase, startTestServer, testLog } from '../harness/index.ts';
import { cleanUp, newFolder, onDatabase, run } from './installations.ts';

const log = testLog;
const prelude = 'fulcrum-backup 1\n';
const sealLength = 72;

let source: ClonedDatabase;
let file: string;
let whole: Buffer;

beforeAll(async () => {
  source = await cloneDatabase();
  file = join(newFolder(), 'whole.fulcrum');
  await backUp({ databaseUrl: source.url, dataDir: newFolder() }, file, { log });
  whole = readFileSync(file);
});
afterAll(async () => {
  await source.drop();
  await cleanUp();
});

const written = (content: Buffer | string): string => {
  const path = join(newFolder(), 'given.fulcrum');
  writeFileSync(path, content);
  return path;
};
/** A file with this inside, whose digest is right. */
const sealed = (body: string): Buffer => {
  const content = Buffer.concat([Buffer.from(prelude), gzipSync(body)]);
  const digest = createHash('sha256').update(content).digest('hex');
  return Buffer.concat([content, Buffer.from(`sha256 ${digest}\n`)]);
};
const body = () => gunzipSync(whole.subarray(prelude.length, whole.length - sealLength)).toString();
const flipped = (at: number): Buffer => {
  const copy = Buffer.from(whole);
  copy[at]! ^= 0x10;
  return copy;
};

/** The refusal, after which neither the data directory nor anything in the database is there. */
async function refusal(given: string): Promise<string> {
  const target = await cloneDatabase('template0');
  const dataDir = join(newFolder(), 'restored');
  try {
    const attempt = restore({ databaseUrl: target.url, dataDir }, given, { log, examine: async () => null });
    const error = await attempt.then(
      () => new Error('it was restored'),
      (reason: Error) => reason,
    );
    expect(error.name).toBe('BackupRefusal');
    expect(error.message).not.toContain('\n');
    expect(existsSync(dataDir)).toBe(false);
    const { rowCount } = await onDatabase(target.url, (client) =>
      client.query(`select from pg_namespace where nspname in ('app', 'api', 'meta')`),
    );
    expect(rowCount).toBe(0);
    return error.message;
  } finally {
    await target.drop();
  }
}

describe('a file is refused', () => {
  test('that is not there, or a folder', async () => {
    const missing = join(newFolder(), 'missing');
    expect(await refusal(missing)).toMatch(/^cannot read .+missing: ENOENT/);
    expect(await refusal(newFolder())).toMatch(/is not a file$/);
  });

  test.each([
    ['empty', () => Buffer.alloc(0)],
    ['a text', () => Buffer.from('select 1;\n')],
    ['another gzip', () => gzipSync('hello')],
    ['one of a wrong first line', () => Buffer.concat([Buffer.from('fulcrum-backup x\n'), whole])],
  ])('that is foreign: %s', async (_what, content) => {
    expect(await refusal(written(content()))).toMatch(/is not a backup of Fulcrum$/);
  });

  test('of a newer format', async () => {
    const newer = Buffer.concat([Buffer.from('fulcrum-backup 2\n'), whole.subarray(prelude.length)]);
    expect(await refusal(written(newer))).toMatch(
      /has the format 2 and this version of Fulcrum reads 1; restore it with the version that wrote it$/,
    );
  });

  test.each([
    ['to its first line', () => prelude.length],
    ['in its middle', () => Math.floor(whole.length / 2)],
    ['by its seal', () => whole.length - sealLength],
    ['by one byte', () => whole.length - 1],
  ])('that is cut short %s', async (_where, length) => {
    expect(await refusal(written(whole.subarray(0, length())))).toMatch(/is cut short/);
  });

  test.each([
    ['at the beginning of its content', () => prelude.length + 12],
    ['in its middle', () => Math.floor(whole.length / 2)],
    ['in its digest', () => whole.length - 10],
  ])('of which one bit changed %s', async (_where, at) => {
    expect(await refusal(written(flipped(at())))).toMatch(/is (damaged|cut short)/);
  });

  test('with a valid digest although its rows do not match its foot', async () => {
    const lines = body().split('\n');
    const at = lines.findIndex((line) => line.startsWith('0001_accounts.sql'));
    const without = sealed(lines.toSpliced(at, 1).join('\n'));
    expect(await refusal(written(without))).toMatch(/contradicts itself/);
  });

  test.each([
    ['no foot', (text: string) => text.slice(0, text.lastIndexOf('{"rows"'))],
    ['no head', (text: string) => text.slice(text.indexOf('\n') + 1)],
    [
      'a table that its head does not announce',
      (text: string) => text.replace('{"table":"app.users"', '{"table":"app.usurers"'),
    ],
  ])('that was sealed with %s', async (_what, change) => {
    const text = change(body());
    expect(text).not.toBe(body());
    expect(await refusal(written(sealed(text)))).not.toBe('it was restored');
  });

  test('of a newer Fulcrum, or of one whose migrations are others', async () => {
    const known = '"name":"0002_market.sql"';
    expect(await refusal(written(sealed(body().replace(known, '"name":"9999_future.sql"'))))).toMatch(
      /made by a newer Fulcrum \(migration 9999_future\.sql is unknown here\); update first$/,
    );
    const otherChecksum = body().replace(/("name":"0002_market\.sql","checksum":")[0-9a-f]/, '$1x');
    expect(await refusal(written(sealed(otherChecksum)))).toMatch(
      /made with another version of migration 0002_market\.sql/,
    );
  });
});

test('a forged file of tables that its migrations do not make is refused, and a good one goes in afterwards', async () => {
  const target = await cloneDatabase('template0');
  const location = { databaseUrl: target.url, dataDir: join(newFolder(), 'restored') };
  const forged = written(sealed(body().replaceAll('"password_hash"', '"password_hash","plain"')));
  await expect(restore(location, forged, { log, examine: async () => null })).rejects.toThrow(
    'the tables of the backup are not those that its migrations make',
  );
  await restore(location, file, { log, examine: async () => null });
  await target.drop();
});

describe('a restore does not touch', () => {
  test('a data directory that holds anything', async () => {
    const dataDir = newFolder();
    writeFileSync(join(dataDir, 'notes.txt'), 'mine');
    const { code, err } = await run('restore', [file], { DATA_DIR: dataDir });
    expect({ code, err }).toEqual({
      code: 1,
      err: `the data directory ${dataDir} is not empty (it has notes.txt); set DATA_DIR to an empty or new one\n`,
    });
    expect(readdirSync(dataDir)).toEqual(['notes.txt']);
  });

  test('a database that holds anything, also while a server runs on it', async () => {
    const server = await startTestServer();
    try {
      const trader = await server.signUpTrader();
      const dataDir = join(newFolder(), 'restored');
      const { code, err } = await run('restore', [file], {
        DATA_DIR: dataDir,
        DATABASE_URL: server.databaseUrl,
      });
      expect({ code, err }).toEqual({
        code: 1,
        err: 'the database is not empty; a backup is only restored into an empty one\n',
      });
      expect(existsSync(dataDir)).toBe(false);
      expect((await trader.client.from('wallets').select('balance').single()).data).toEqual({
        balance: 10_000,
      });
    } finally {
      await server.close();
    }
  });

  test('a folder that only looks new: a disk’s lost+found does not count as content', async () => {
    const target = await cloneDatabase('template0');
    const dataDir = newFolder();
    mkdirSync(join(dataDir, 'lost+found'));
    await restore({ databaseUrl: target.url, dataDir }, file, { log, examine: async () => null });
    expect(readdirSync(dataDir)).toEqual(['lost+found']);
    await target.drop();
  });
});

describe('a backup is refused', () => {
  test('of a data directory without a database, which stays as it is', async () => {
    const dataDir = join(newFolder(), 'nothing');
    const { code, err } = await run('backup', [join(newFolder(), 'x')], { DATA_DIR: dataDir });
    expect({ code, err }).toEqual({
      code: 1,
      err: `there is no database in ${dataDir}; is DATA_DIR the server's?\n`,
    });
    expect(existsSync(dataDir)).toBe(false);
  });

  test('of a database without Fulcrum', async () => {
    const empty = await cloneDatabase('template0');
    const to = join(newFolder(), 'x');
    const attempt = backUp({ databaseUrl: empty.url, dataDir: newFolder() }, to, { log });
    await expect(attempt).rejects.toThrow(
      'there is no Fulcrum in this database; there is nothing to back up',
    );
    expect(existsSync(`${to}.partial`)).toBe(false);
    await empty.drop();
  });

  test('into a folder that is not there, or without the name of one file', async () => {
    const location = { DATA_DIR: newFolder(), DATABASE_URL: source.url };
    expect(await run('backup', ['/no/such/folder/x'], location)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^cannot write \/no\/such\/folder\/x\.partial: ENOENT.+\n$/),
    });
    for (const args of [[], ['a', 'b']]) {
      expect(await run('backup', args, location)).toMatchObject({
        code: 1,
        err: 'usage: npm run backup -- FILE\n',
      });
    }
  });
});

test('--verify distinguishes a whole file from a damaged one and needs neither database nor folder', async () => {
  expect(await run('restore', ['--verify', file], {})).toMatchObject({ code: 0, err: '' });
  const damaged = written(flipped(60));
  expect(await run('restore', ['--verify', damaged], {})).toMatchObject({
    code: 1,
    err: `${damaged} is damaged: its content does not have the digest it names; take another copy\n`,
  });
  await expect(verifyBackup(file, null)).resolves.toMatchObject({ bytes: whole.length });
});
