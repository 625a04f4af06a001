/**
 * Reads a backup, encrypted or not. Invariant: before any row is used, `verifyBackup` checks the digest of the whole content,
 * its format, its row counts and its ledger hash. Both passes hold a few chunks in memory, whatever the file's size.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ledgerTable } from './catalogue.ts';
import { type BackupKey, decrypt, firstLineMax, recipientOf, requireIdentity } from './encryption.ts';
import {
  BackupRefusal,
  type BackupTable,
  countRows,
  endOfRows,
  type Foot,
  formatVersion,
  type Head,
  magic,
  parseFoot,
  parseHead,
  parseSection,
  prelude,
  sealLength,
  sealOf,
} from './format.ts';

/** The head names every table and migration, and holds the secrets; a longer line is not of this format. */
const lineBytesMax = 16 * 1024 * 1024;
const chunkBytes = 256 * 1024;
const lineFeed = 10;

/** What `format.ts` describes: the file, or what an encrypted file decrypts to. */
interface Content {
  /** From the beginning; each call reads the file again. */
  readonly read: () => AsyncIterable<Buffer>;
  readonly bytes: number;
}

export interface VerifiedBackup {
  readonly file: string;
  /** Size of the file. */
  readonly bytes: number;
  readonly content: Content;
  readonly head: Head;
  readonly foot: Foot;
}

/**
 * @throws BackupRefusal with a one-line reason: missing, foreign, of a newer format, for another key, truncated, or changed
 * since it was written
 */
export async function verifyBackup(
  file: string,
  key: BackupKey | null,
  signal?: AbortSignal,
): Promise<VerifiedBackup> {
  const handle = await openFile(file);
  try {
    const { size } = await handle.stat();
    const read = await openContent(handle, file, { key, signal });
    const content = { read, bytes: await refuseDamaged(read, file) };
    return { file, bytes: size, content, ...(await readThrough(content, file)) };
  } catch (error) {
    if (error instanceof BackupRefusal || signal?.aborted) throw error;
    throw new BackupRefusal(`cannot read ${file}: ${(error as Error).message}`, { cause: error });
  } finally {
    await handle.close();
  }
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file, 'r');
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    throw new BackupRefusal(`cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
  throw new BackupRefusal(`${file} is not a file`);
}

/** @throws BackupRefusal for an encrypted file that `key` does not decrypt */
async function openContent(
  handle: FileHandle,
  file: string,
  { key, signal }: { readonly key: BackupKey | null; readonly signal: AbortSignal | undefined },
): Promise<Content['read']> {
  const start = Buffer.alloc(firstLineMax);
  const { bytesRead } = await handle.read(start, 0, start.length, 0);
  const recipient = recipientOf(file, start.toString('latin1', 0, bytesRead));
  if (recipient === null) {
    return () => createReadStream(file, { highWaterMark: chunkBytes, ...(signal && { signal }) });
  }
  const identity = requireIdentity(file, recipient, key);
  return () => decrypt(file, { recipient, identity, signal });
}

function refuseForeign(start: Buffer, file: string): void {
  const [, version] = new RegExp(`^${magic}(\\d{1,6})\n`).exec(start.toString('latin1', 0, 64)) ?? [];
  if (version === undefined) throw new BackupRefusal(`${file} is not a backup of Fulcrum`);
  if (Number(version) === formatVersion) return;
  throw new BackupRefusal(
    `${file} has the format ${version} and this version of Fulcrum reads ${formatVersion}; restore it with the version that wrote it`,
  );
}

/** Resolves with the number of bytes of the content. */
async function refuseDamaged(read: Content['read'], file: string): Promise<number> {
  const digest = createHash('sha256');
  let bytes = 0;
  /** What the digest does not cover yet: the last bytes may be the seal. */
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of read()) {
    held = Buffer.concat([held, piece]);
    if (bytes === 0) refuseForeign(held, file);
    bytes += piece.length;
    const covered = Math.max(0, held.length - sealLength);
    digest.update(held.subarray(0, covered));
    held = held.subarray(covered);
  }
  if (bytes === 0) refuseForeign(held, file);
  if (bytes < prelude.length + sealLength || !/^sha256 [0-9a-f]{64}\n$/.test(held.toString('latin1'))) {
    throw new BackupRefusal(`${file} is cut short: its last line is missing; take another copy`);
  }
  if (sealOf(digest.digest('hex')).equals(held)) return bytes;
  throw new BackupRefusal(
    `${file} is damaged: its content does not have the digest it names; take another copy`,
  );
}

/** The gzip member between the first line and the seal. */
async function* packedBody({ read, bytes }: Content): AsyncGenerator<Buffer> {
  const [start, end] = [prelude.length, bytes - sealLength];
  let at = 0;
  for await (const piece of read()) {
    const part = piece.subarray(Math.max(0, start - at), Math.max(0, end - at));
    at += piece.length;
    if (part.length > 0) yield part;
  }
}

/** The second pass reads the content: everything has to be present and to match the foot. */
async function readThrough(content: Content, file: string): Promise<{ head: Head; foot: Foot }> {
  const rows: Record<string, number> = {};
  const ledger = createHash('sha256');
  const { head, foot } = await readBody(content, async (table, texts) => {
    let count = 0;
    for await (const text of texts) {
      count += countRows(text);
      if (table.name === ledgerTable) ledger.update(text);
    }
    rows[table.name] = count;
  });
  const isWhole =
    head.tables.every(({ name }) => foot.rows[name] === rows[name]) &&
    foot.ledger.rows === rows[ledgerTable] &&
    foot.ledger.sha256 === ledger.digest('hex');
  if (!isWhole) throw new BackupRefusal(`${file} contradicts itself: its foot does not agree with its rows`);
  return { head, foot };
}

/** Calls `use` for each table in sequence; `use` has to consume all rows. @throws BackupRefusal for a violated format. */
export async function readBody(
  content: Content,
  use: (table: BackupTable, rows: AsyncIterable<Buffer>) => Promise<void>,
): Promise<{ readonly head: Head; readonly foot: Foot }> {
  const packed = Readable.from(packedBody(content), { objectMode: false });
  const unpacked = packed.pipe(createGunzip({ chunkSize: chunkBytes }));
  // `pipe` does not pass errors on.
  packed.on('error', (error) => unpacked.destroy(error));
  const body = new Body(unpacked);
  try {
    const head = parseHead(await body.line());
    for (const table of head.tables) {
      const { table: name, columns } = parseSection(await body.line());
      if (name !== table.name || columns.join() !== table.columns.join()) {
        throw new BackupRefusal(`the backup has ${name} where its head announces ${table.name}`);
      }
      await use(table, body.rows());
    }
    return { head, foot: parseFoot(await body.line()) };
  } finally {
    packed.destroy();
    unpacked.destroy();
  }
}

/** Splits a byte stream with arbitrary chunk boundaries into lines and rows. */
class Body {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The next line without its line feed. */
  async line(): Promise<string> {
    for (;;) {
      const end = this.#held.indexOf(lineFeed);
      if (end !== -1) return this.#take(end + 1).toString('utf8', 0, end);
      if (this.#held.length > lineBytesMax)
        throw new BackupRefusal('the backup does not keep to its own format');
      await this.#more();
    }
  }

  /** Yields the rows up to the end mark; consumes the mark. */
  async *rows(): AsyncGenerator<Buffer> {
    while (this.#held.length < endOfRows.length) await this.#more();
    if (this.#held.subarray(0, endOfRows.length).equals(endOfRows)) {
      this.#take(endOfRows.length);
      return;
    }
    const marked = Buffer.concat([Buffer.of(lineFeed), endOfRows]);
    for (;;) {
      const end = this.#held.indexOf(marked);
      if (end !== -1) {
        yield this.#take(end + 1);
        this.#take(endOfRows.length);
        return;
      }
      // The mark may span two chunks: what could be its beginning waits for the next chunk.
      const certain = this.#held.length - marked.length + 1;
      if (certain > 0) yield this.#take(certain);
      await this.#more();
    }
  }

  #take(length: number): Buffer {
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#source.next();
    if (done) throw new BackupRefusal('the backup ends before its foot');
    this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value]);
  }
}
