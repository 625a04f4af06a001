/**
 * Writes a backup. Invariants: its whole content comes from one snapshot (one repeatable-read transaction), whatever is
 * traded meanwhile; under the final name there is either a complete file that was read back, or none. It holds only the
 * locks of a reader, so it blocks no query.
 *
 * Known limitations: while it runs, PostgreSQL keeps old row versions, and a migration waits for its end. The file is
 * read back through the system's cache, so a disk that decays later is found by the next check.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { isLow, type readSpace } from '../disk.ts';
import {
  copyOutStatement,
  copySettings,
  ledgerTable,
  quoteName,
  readHistory,
  readSequences,
  readTables,
} from './catalogue.ts';
import { type BackupKey, encrypt } from './encryption.ts';
import {
  BackupRefusal,
  countRows,
  endOfRows,
  type Foot,
  type Head,
  jsonLine,
  prelude,
  sameTables,
  sealOf,
} from './format.ts';
import { sumLedger } from './ledger.ts';
import { draftOf, fileExists, publish } from './publish.ts';
import { verifyBackup } from './read.ts';
import { isUnfinished } from './unfinished.ts';

/** A low level leaves the processor to the server, for a file about a tenth larger than gzip's best. */
const gzipLevel = 4;
const chunkBytes = 256 * 1024;
const mebibyte = 1024 * 1024;
/** A long queue of dirty pages would delay PostgreSQL's own writes to the same disk. */
const flushEveryBytes = 16 * mebibyte;

export interface WrittenBackup {
  readonly head: Head;
  readonly foot: Foot;
  /** Size of the file. */
  readonly bytes: number;
  /** What was read back: the content, as a restore does, or the bytes where only the public key is known. */
  readonly checked: 'content' | 'bytes';
}

interface WriteOptions {
  /** Text of `secrets.json`; null when there is none. */
  readonly secrets: string | null;
  /** Encrypts for it; null writes plain text. */
  readonly key: BackupKey | null;
  readonly signal: AbortSignal | undefined;
  /** Gives up before the disk is low, for a backup that nobody watches. */
  readonly measure: typeof readSpace | undefined;
}

/**
 * Writes the backup to `file` (mode 0600) as the owner of the schema (`client`).
 * @throws BackupRefusal when the file exists, cannot be written or not be read back, or the database holds no complete Fulcrum
 */
export async function writeBackup(
  client: pg.Client,
  file: string,
  options: WriteOptions,
): Promise<WrittenBackup> {
  // An early check, before the work; `publish` checks again.
  if (existsSync(file)) throw fileExists(file);
  const draft = draftOf(file);
  const handle = await createDraft(draft);
  try {
    const written = await withinSnapshot(
      client,
      (head) => writeFile(handle, file, { client, head, ...options }),
      options.secrets,
    );
    await handle.close();
    const checked = await readBack(draft, written, options).catch((error: unknown) => {
      if (!(error instanceof BackupRefusal)) throw error;
      throw new BackupRefusal(`${file} cannot be read back as it was written (${error.message})`, {
        cause: error,
      });
    });
    await publish(draft, file);
    await syncDirectory(dirname(file));
    const { head, foot, bytes } = written;
    return { head, foot, bytes, checked };
  } catch (error) {
    await handle.close();
    await rm(draft, { force: true });
    throw toBackupRefusal(error, file);
  }
}

interface Draft extends Pick<WrittenBackup, 'head' | 'foot' | 'bytes'> {
  /** The hash covers every byte of the file. */
  readonly sha256: string;
}

/** @throws BackupRefusal when the file does not hold what was written */
async function readBack(
  draft: string,
  { foot, sha256 }: Draft,
  { key, signal }: WriteOptions,
): Promise<WrittenBackup['checked']> {
  if (key === null || key.identity !== null) {
    const read = await verifyBackup(draft, key, signal);
    if (JSON.stringify(read.foot) === JSON.stringify(foot)) return 'content';
  } else {
    const digest = createHash('sha256');
    const source = createReadStream(draft, { highWaterMark: chunkBytes, ...(signal && { signal }) });
    for await (const piece of source as AsyncIterable<Buffer>) digest.update(piece);
    if (digest.digest('hex') === sha256) return 'bytes';
  }
  throw new BackupRefusal('its digest is another');
}

async function createDraft(draft: string): Promise<FileHandle> {
  try {
    return await open(draft, 'wx', 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new BackupRefusal(
      code === 'EEXIST'
        ? `${draft} exists: another backup is writing it, or a killed one left it; remove it when none runs`
        : `cannot write ${draft}: ${message}`,
      { cause: error },
    );
  }
}

function toBackupRefusal(error: unknown, file: string): unknown {
  const code = (error as { code?: string }).code;
  if (code !== undefined && ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'].includes(code)) {
    return new BackupRefusal(`cannot write ${file}: ${(error as Error).message}`, { cause: error });
  }
  return error;
}

/** Runs `work` in a transaction with one snapshot of every table, and blocks migrations meanwhile. */
async function withinSnapshot<T>(
  client: pg.Client,
  work: (head: Head) => Promise<T>,
  secrets: string | null,
): Promise<T> {
  if (await isUnfinished(client)) {
    throw new BackupRefusal('a restore into this database did not finish; there is nothing to back up yet');
  }
  const expected = await readTables(client);
  if ((await readHistory(client)) === null || expected.length === 0) {
    throw new BackupRefusal('there is no Fulcrum in this database; there is nothing to back up');
  }
  await client.query('begin isolation level repeatable read read only');
  try {
    await client.query(copySettings);
    // LOCK takes no snapshot yet, so the first query's snapshot already sees the locked state.
    await client.query(
      `lock table ${expected.map(({ name }) => quoteName(name)).join(', ')} in access share mode`,
    );
    const head = await readHead(client, secrets);
    if (!sameTables(head.tables, expected)) {
      throw new BackupRefusal('the tables were being changed by a new version; try again');
    }
    const result = await work(head);
    await client.query('commit');
    return result;
  } catch (error) {
    // An interrupted copy leaves its connection inside a message; the caller closes it.
    void client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function readHead(client: pg.Client, secrets: string | null): Promise<Head> {
  const { rows } = await client.query<{ at: Date; version: string }>(
    `select now() as at, current_setting('server_version') as version`,
  );
  const [now] = rows;
  if (!now) throw new Error('PostgreSQL did not report its version');
  return {
    madeAt: now.at.toISOString(),
    postgresql: now.version,
    migrations: (await readHistory(client)) ?? [],
    tables: await readTables(client),
    secrets,
  };
}

async function writeFile(
  handle: FileHandle,
  file: string,
  { client, head, key, signal, measure }: WriteOptions & { readonly client: pg.Client; readonly head: Head },
): Promise<Draft> {
  let foot: Foot | undefined;
  let bytes = 0;
  let unflushed = 0;
  const digest = createHash('sha256');
  const tables = async function* () {
    foot = yield* writeTables(client, head);
  };
  const requireRoom = async () => {
    const space = (await measure?.(dirname(file))) ?? null;
    if (space === null || !isLow(space)) return;
    const free = Math.floor(space.freeBytes / mebibyte);
    throw new BackupRefusal(
      `the disk of ${file} is nearly full (${free} MiB free), so no backup was written`,
    );
  };
  const write = async (pieces: AsyncIterable<Buffer>) => {
    await requireRoom();
    for await (const piece of pieces) {
      await handle.writeFile(piece);
      digest.update(piece);
      bytes += piece.length;
      unflushed += piece.length;
      if (unflushed < flushEveryBytes) continue;
      await handle.datasync();
      await requireRoom();
      unflushed = 0;
    }
  };
  const packer = createGzip({ level: gzipLevel, chunkSize: chunkBytes });
  const options = { ...(signal && { signal }) };
  if (key === null) await pipeline(tables, packer, seal, write, options);
  else await pipeline(tables, packer, seal, (pieces) => encrypt(pieces, key.recipient), write, options);
  if (!foot) throw new Error('the backup has no foot');
  await handle.sync();
  return { head, foot, bytes, sha256: digest.digest('hex') };
}

/** Puts the first line and the digest around the packed tables. */
async function* seal(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const digest = createHash('sha256').update(prelude);
  yield prelude;
  for await (const piece of packed) {
    digest.update(piece);
    yield piece;
  }
  yield sealOf(digest.digest('hex'));
}

async function* writeTables(client: pg.Client, head: Head): AsyncGenerator<Buffer, Foot> {
  const rows: Record<string, number> = {};
  const ledger = createHash('sha256');
  let ledgerRows = 0;
  yield jsonLine(head);
  for (const table of head.tables) {
    yield jsonLine({ table: table.name, columns: table.columns });
    let count = 0;
    for await (const text of client.query(copyTo(copyOutStatement(table))) as AsyncIterable<Buffer>) {
      count += countRows(text);
      if (table.name === ledgerTable) ledger.update(text);
      yield text;
    }
    rows[table.name] = count;
    if (table.name === ledgerTable) ledgerRows = count;
    yield endOfRows;
  }
  const foot: Foot = {
    rows,
    ledger: { rows: ledgerRows, sha256: ledger.digest('hex'), sum: await sumLedger(client) },
    sequences: await readSequences(client),
  };
  yield jsonLine(foot);
  return foot;
}

/** Without this, a power cut could lose the new name, though not the content. */
async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
