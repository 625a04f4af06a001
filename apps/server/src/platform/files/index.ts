/**
 * Stores files in PostgreSQL: bytes in chunks, versions behind a path. Invariants: a version is stored with all its bytes
 * or not at all; a stored version never changes (the server's role may not update or delete it); neither an upload nor a
 * download holds more than two chunks in memory, or a connection while it waits for the network.
 *
 * An upload is received, read as a whole (`collect`), and finished with the bytes to store in place of the received ones.
 * Each chunk is its own transaction, and a last transaction makes the chunks a version. So a slow sender uses no
 * connection; the chunks of a failed upload are invisible, and are discarded at once (`abandon`), at the next start, or by
 * the sweep.
 *
 * Known limitation: a server that starts discards every unfinished upload of its database, also those of another running
 * server; their senders receive `busy`.
 */
import { createHash } from 'node:crypto';
import { busy } from '@fulcrum/contract';
import type { Queryable } from '../database/index.ts';
import { createFairQueue } from '../fair-queue.ts';
import type { Services } from '../services.ts';

/** TOAST rows of this size are cheap to read one by one, and 10 MB are 40 statements. */
const chunkBytes = 256 * 1024;
/**
 * `runningMax` is a part of the pool's 16 connections: trading goes first. Each transfer runs one statement at a time, and
 * features/files limits the transfers, so the waiting bounds are never reached.
 */
const statements = { runningMax: 4, waitingMax: 128, waitingOfOneMax: 32 };
/** Longer than any request may take. */
const abandonedAfterMs = 10 * 60_000;

/** A version of a file. */
export interface StoredFile {
  readonly id: string;
  readonly bucket: string;
  readonly path: string;
  /** 1 for the first file sent to a path. */
  readonly version: number;
  readonly ownerId: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly chunks: number;
  /** SHA-256 of the stored bytes. */
  readonly sha256: Buffer;
  readonly cacheControlS: number;
  readonly storedAt: Date;
}

interface NewFile {
  readonly ownerId: string;
  readonly bucket: string;
  readonly path: string;
  readonly contentType: string;
  readonly cacheControlS: number;
}

interface NewContent {
  readonly bytes: Buffer;
  /** SHA-256 of the received bytes, from which the stored ones were made. */
  readonly originalSha256: Buffer;
}

/** The result of receiving an upload. */
interface ReceivedUpload {
  readonly chunks: number;
  readonly sizeBytes: number;
  readonly sha256: Buffer;
}

interface FileStoreDependencies extends Pick<Services, 'db' | 'clock' | 'log'> {
  /** Older attempts are no longer counted, in milliseconds. */
  readonly rememberAttemptsMs: number;
}

interface FileRow {
  readonly id: string;
  readonly bucket: string;
  readonly path: string;
  readonly version: number;
  readonly owner_id: string;
  readonly content_type: string;
  readonly size_bytes: number;
  readonly chunks: number;
  readonly sha256: Buffer;
  readonly cache_control_s: number;
  readonly stored_at: Date;
}

const fileOf = (row: FileRow): StoredFile => ({
  id: row.id,
  bucket: row.bucket,
  path: row.path,
  version: row.version,
  ownerId: row.owner_id,
  contentType: row.content_type,
  sizeBytes: row.size_bytes,
  chunks: row.chunks,
  sha256: row.sha256,
  cacheControlS: row.cache_control_s,
  storedAt: row.stored_at,
});

export function createFileStore({ db, clock, log, rememberAttemptsMs }: FileStoreDependencies) {
  const withStatementSlot = createFairQueue(statements);

  /** Records an attempt and returns its id, which becomes the version's. */
  async function begin(ownerId: string): Promise<string> {
    const { rows } = await db.query<{ id: string }>(
      'insert into app.file_uploads (owner_id, started_at) values ($1, $2) returning id',
      [ownerId, new Date(clock.now())],
      'file_begin',
    );
    const [upload] = rows;
    if (!upload) throw new Error('noting an upload returned no row');
    return upload.id;
  }

  /** Stores `source` to its end as bytes of an upload, which no read returns. @throws what `source` throws */
  const receive = (upload: string, ownerId: string, source: AsyncIterable<Buffer>): Promise<ReceivedUpload> =>
    writeChunks(upload, ownerId, source);

  /** Returns the received bytes as one buffer. @throws AppError `busy` when the upload was discarded meanwhile */
  async function collect(upload: string, ownerId: string, received: ReceivedUpload): Promise<Buffer> {
    const whole = Buffer.allocUnsafe(received.sizeBytes);
    const hash = createHash('sha256');
    let filled = 0;
    for (let position = 0; position < received.chunks; position += 1) {
      const content = await readChunk(upload, ownerId, position);
      if (content === null) throw busy();
      hash.update(content);
      filled += content.copy(whole, filled);
    }
    if (!hash.digest().equals(received.sha256)) throw new Error(`upload ${upload} does not have its hash`);
    return whole;
  }

  /**
   * Replaces the received bytes by `content` and makes it the next version of its path. `admit` runs in the last
   * transaction, with the owner's row locked; an error that it throws refuses the file.
   * @throws what `admit` throws; AppError `busy` when the upload was discarded meanwhile
   */
  async function finish(
    upload: string,
    file: NewFile,
    content: NewContent,
    admit: (tx: Queryable) => Promise<void>,
  ): Promise<StoredFile> {
    await discard(upload);
    const written = await writeChunks(upload, file.ownerId, [content.bytes]);
    return withStatementSlot(file.ownerId, () =>
      db.transaction(async (tx) => {
        // Serialises the version numbers of one owner; an account that is being deleted gets no more files.
        const { rowCount } = await tx.query('select from app.users where id = $1 for no key update', [
          file.ownerId,
        ]);
        if (rowCount === 0) throw busy();
        await admit(tx);
        return insertVersion(tx, upload, file, content.originalSha256, written);
      }),
    );
  }

  /** Discards an upload that failed. The sender receives the original error; a failure here is only logged. */
  async function abandon(upload: string): Promise<void> {
    try {
      await discard(upload);
    } catch (error) {
      // The sweep repeats it.
      log.warn({ err: error, upload }, 'discarding a failed upload failed');
    }
  }

  async function writeChunks(
    upload: string,
    ownerId: string,
    source: AsyncIterable<Buffer> | Iterable<Buffer>,
  ): Promise<ReceivedUpload> {
    const hash = createHash('sha256');
    let pending: Buffer[] = [];
    let pendingBytes = 0;
    let chunks = 0;
    let sizeBytes = 0;
    const flush = async () => {
      const content = Buffer.concat(pending, pendingBytes);
      pending = [];
      pendingBytes = 0;
      await withStatementSlot(ownerId, () =>
        db.query(
          'insert into app.file_chunks (upload_id, position, content) values ($1, $2, $3)',
          [upload, chunks, content],
          'file_chunk',
        ),
      );
      chunks += 1;
    };
    for await (const received of source) {
      sizeBytes += received.length;
      for (let from = 0; from < received.length; ) {
        const part = received.subarray(from, from + chunkBytes - pendingBytes);
        // Part by part: a whole picture at once would block other requests.
        hash.update(part);
        pending.push(part);
        pendingBytes += part.length;
        from += part.length;
        if (pendingBytes === chunkBytes) await flush();
      }
    }
    if (pendingBytes > 0) await flush();
    return { chunks, sizeBytes, sha256: hash.digest() };
  }

  async function insertVersion(
    tx: Queryable,
    upload: string,
    file: NewFile,
    originalSha256: Buffer,
    written: ReceivedUpload,
  ): Promise<StoredFile> {
    const { rows } = await tx.query<FileRow>(
      `insert into app.files (id, bucket, path, version, owner_id, content_type, size_bytes, chunks, sha256, cache_control_s, stored_at,
                              original_sha256)
       select $1, $2, $3, (select coalesce(max(version), 0) + 1 from app.files where bucket = $2 and path = $3),
              $4, $5, $6, $7, $8, $9, $10, $11
       returning *`,
      [
        upload,
        file.bucket,
        file.path,
        file.ownerId,
        file.contentType,
        written.sizeBytes,
        written.chunks,
        written.sha256,
        file.cacheControlS,
        new Date(clock.now()),
        originalSha256,
      ],
    );
    const [row] = rows;
    if (!row) throw new Error('inserting a file returned no row');
    // Its key now protects the upload from sweeps; an earlier sweep has deleted the bytes.
    const { rowCount } = await tx.query(
      `select from app.file_chunks where upload_id = $1 having (count(*), sum(length(content))) = ($2::int, $3::int)`,
      [upload, written.chunks, written.sizeBytes],
    );
    if (rowCount === 0) throw busy();
    return fileOf(row);
  }

  /** Discards the bytes of an unfinished upload; never those of a finished one. */
  async function discard(upload: string): Promise<void> {
    await db.query(`select app.discard_unfinished_uploads($1, 'infinity', '-infinity')`, [upload]);
  }

  /** Discards unfinished uploads: all at the start, later only those surely abandoned. */
  async function sweep(which: 'all' | 'abandoned'): Promise<void> {
    const now = clock.now();
    await db.query('select app.discard_unfinished_uploads(null, $1, $2)', [
      which === 'all' ? 'infinity' : new Date(now - abandonedAfterMs),
      new Date(now - rememberAttemptsMs),
    ]);
  }

  /** Returns the newest version at a path, or the one with that id if it belongs to the path; null when there is none. */
  async function find(
    bucket: string,
    path: string,
    versionId: string | null = null,
  ): Promise<StoredFile | null> {
    const { rows } = await db.query<FileRow>(
      `select * from app.files where bucket = $1 and path = $2 and ($3::uuid is null or id = $3::uuid) and discarded_at is null
       order by version desc limit 1`,
      [bucket, path, versionId],
      'file_find',
    );
    return rows[0] ? fileOf(rows[0]) : null;
  }

  async function readChunk(upload: string, readerId: string, position: number): Promise<Buffer | null> {
    const { rows } = await withStatementSlot(readerId, () =>
      db.query<{ content: Buffer }>(
        'select content from app.file_chunks where upload_id = $1 and position = $2',
        [upload, position],
        'file_read',
      ),
    );
    return rows[0]?.content ?? null;
  }

  /**
   * Reads the bytes of a version for a user, chunk by chunk. The last chunk is yielded only if all match the stored hash.
   * @throws Error when the bytes are damaged, or were deleted with their owner's account meanwhile
   */
  async function* read(file: StoredFile, readerId: string): AsyncGenerator<Buffer, void, undefined> {
    const hash = createHash('sha256');
    for (let position = 0; position < file.chunks; position += 1) {
      const content = await readChunk(file.id, readerId, position);
      if (content === null) throw new Error(`file ${file.id} has no chunk ${position}`);
      hash.update(content);
      if (position === file.chunks - 1 && !hash.digest().equals(file.sha256)) {
        throw new Error(`file ${file.id} does not have its hash`);
      }
      yield content;
    }
  }

  return { begin, receive, collect, finish, abandon, sweep, find, read };
}
