/**
 * Users' files: uploads into the owner's folder, listings, private downloads and signed links, by the contract's
 * buckets. Invariants: a stored file is a picture that our own encoder wrote, within its bucket's size and under its
 * owner's folder. A received but not yet decoded upload cannot be read. A second upload to a path is a new version,
 * never an overwrite (A57). A revoked session neither finishes an upload nor follows a link.
 *
 * An upload takes a decoder when all bytes have arrived, and holds it until the picture is stored, so a slow sender
 * holds none. All uploads together hold at most 80 MB of files in memory: 32 a megabyte each, two decoders 20 MB
 * each, and chunks on the way to the database.
 *
 * Known limitation: a running download is not cut off when its session ends; it ends within two minutes.
 */
import { Readable } from 'node:stream';
import {
  type Bucket,
  bucketByName,
  type Caller,
  buckets as declared,
  isImpersonating,
  type SignedIn,
} from '@fulcrum/contract';
import type { Secrets } from '../../platform/config/secrets.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { createFileStore, type StoredFile } from '../../platform/files/index.ts';
import { TooManyAttempts } from '../../platform/rate-limit/too-many-attempts.ts';
import type { Services } from '../../platform/services.ts';
import { requireList, requireRead, requireReader, requireUpload } from './access.ts';
import { readHead, requirePace, withSizeLimit } from './body.ts';
import { FileError } from './errors.ts';
import { imageType } from './images.ts';
import { createTransfers, limits } from './limits.ts';
import { createLinks, type LinkClaims, linkTo } from './links.ts';
import { type ListEntry, type ListRequest, list as listFolder } from './listing.ts';
import { createPace } from './pace.ts';
import { createPictures } from './pictures.ts';

/** A view of a file, or a new link to it. */
export interface FileView {
  readonly viewerId: string;
  readonly file: StoredFile;
  readonly how: 'download' | 'link made' | 'link followed';
}

export interface FilesDependencies extends Pick<Services, 'db' | 'clock' | 'log'> {
  readonly secrets: Pick<Secrets, 'jwtSecret'>;
  /** Whether a session ended; the caller remembers that for as long as a link lives. */
  readonly isRevoked: (sessionId: string) => boolean;
  /** Runs before a view; an error prevents the view. */
  readonly beforeView?: (view: FileView) => Promise<void>;
}

export interface UploadRequest {
  readonly bucket: string;
  /** Null when the request names no valid path. */
  readonly path: string | null;
  /** The size that the request declares; null without one. */
  readonly declaredBytes: number | null;
  /** Called when the upload is admitted: the body is not read before. */
  readonly open: () => Promise<{ readonly cacheControlS: number; readonly bytes: AsyncIterable<Buffer> }>;
  /** Aborted when the sender disconnects: then nothing is stored. */
  readonly sender: AbortSignal;
}

/** A path in a bucket, at its newest version unless one is named. */
export interface FileAddress {
  readonly bucket: string;
  readonly path: string;
  readonly versionId: string | null;
}

export interface Download {
  readonly file: StoredFile;
  /** The receiver reads or destroys it. */
  readonly bytes: Readable;
}

/** A link to one version. */
export interface SignedVersion {
  readonly file: StoredFile;
  /** Path and query on this server. */
  readonly url: string;
  readonly expiresAt: Date;
}

export type Files = ReturnType<typeof createFiles>;

const sweepEveryMs = 10 * 60_000;
const stopWithinMs = 5000;
const storageRoot = '/storage/v1';
/** Boundaries, part headers and fields of a form around its file. */
const formBytesMax = 64 * 1024;

export function createFiles({ db, clock, secrets, log, isRevoked, beforeView }: FilesDependencies) {
  const store = createFileStore({ db, clock, log, rememberAttemptsMs: limits.attempts.windowMs });
  const links = createLinks(secrets.jwtSecret, clock);
  const pictures = createPictures(log);
  const uploads = createTransfers(limits.uploads);
  const downloads = createTransfers(limits.downloads);
  let sweeping: NodeJS.Timeout | undefined;

  /**
   * Stores a file as the next version of its path.
   * @throws FileError; TooManyAttempts; AppError `busy`; what `open` and its bytes throw
   */
  async function upload(caller: Caller, request: UploadRequest): Promise<StoredFile> {
    const { bucket, path, caller: owner } = requireUpload(caller, request.bucket, request.path);
    const { declaredBytes } = request;
    if (declaredBytes !== null && declaredBytes > bucket.fileBytesMax + formBytesMax) {
      throw new FileError('image_too_large');
    }
    const end = uploads.begin(owner.userId);
    try {
      const id = await attempt(owner.userId);
      try {
        const { type, cacheControlS, original } = await receive(id, owner, bucket, request);
        return await pictures.withDecodeSlot(owner.userId, async () => {
          // An upload whose sender disconnected while waiting takes no decoder.
          requirePresent(request);
          const { contentType, bytes } = await pictures.encodeAgain(
            await store.collect(id, owner.userId, original),
            type,
            { ...bucket.picture, bytesMax: bucket.fileBytesMax },
          );
          requirePresent(request);
          const file = { ownerId: owner.userId, bucket: bucket.name, path, contentType, cacheControlS };
          return store.finish(id, file, { bytes, originalSha256: original.sha256 }, (tx) =>
            admit(tx, owner, id),
          );
        });
      } catch (error) {
        await store.abandon(id);
        throw error;
      }
    } finally {
      end();
    }
  }

  /**
   * Writes the received bytes to the database, where they cannot be read. @throws FileError; what `open` and its
   * bytes throw
   */
  async function receive(id: string, owner: SignedIn, bucket: Bucket, request: UploadRequest) {
    const pace = createPace(clock, limits.uploadPace);
    const { cacheControlS, bytes } = await pace.wait(request.open());
    const received = bytes[Symbol.asyncIterator]();
    const body = requirePace(received, pace);
    try {
      const head = await readHead(body);
      const type = imageType(head);
      if (type === null || !bucket.types.includes(type)) throw new FileError('image_refused');
      const original = await store.receive(id, owner.userId, withSizeLimit(head, body, bucket.fileBytesMax));
      return { type, cacheControlS, original };
    } finally {
      // Releases the stream, because the sender still needs an answer. A sender that was too slow is not waited for;
      // the stream ends with the connection.
      if (!pace.isTooSlow) await received.return?.();
    }
  }

  /** Records an attempt of the user and returns its id. @throws TooManyAttempts */
  async function attempt(userId: string): Promise<string> {
    const { max, windowMs } = limits.attempts;
    const { rows } = await db.query<{ attempts: string; oldest: Date | null }>(
      'select count(*) as attempts, min(started_at) as oldest from app.file_uploads where owner_id = $1 and started_at > $2',
      [userId, new Date(clock.now() - windowMs)],
      'file_attempts',
    );
    const { attempts = '0', oldest = null } = rows[0] ?? {};
    if (oldest !== null && Number(attempts) >= max) {
      const endsInMs = oldest.getTime() + windowMs - clock.now();
      throw new TooManyAttempts(endsInMs / 1000);
    }
    return store.begin(userId);
  }

  /** The last check before a file exists, with its owner's row locked. */
  async function admit(tx: Queryable, owner: SignedIn, upload: string): Promise<void> {
    if (isRevoked(owner.sessionId)) throw new FileError('not_signed_in');
    const { rows } = await tx.query<{ full: boolean }>(
      `select (select coalesce(sum(size_bytes), 0) from app.files where owner_id = $1 and discarded_at is null)
            + (select coalesce(sum(length(content)), 0) from app.file_chunks where upload_id = $2) > $3 as full`,
      [owner.userId, upload, limits.bytesPerOwnerMax],
    );
    if (rows[0]?.full !== false) throw new FileError('storage_full');
  }

  /** Files and folders in a folder, as far as the caller may see them. @throws FileError */
  async function list(caller: Caller, bucketName: string, request: ListRequest): Promise<ListEntry[]> {
    const { bucket, readablePrefix } = requireList(caller, bucketName);
    return listFolder(db, bucket.name, readablePrefix, request);
  }

  /** A file that the caller may read. @throws FileError */
  async function find(caller: Caller, { bucket, path, versionId }: FileAddress) {
    const permission = requireRead(caller, bucket, path);
    const file = await store.find(bucket, path, versionId);
    if (!file) throw new FileError('object_unknown');
    return { ...permission, file };
  }

  const describe = async (caller: Caller, address: FileAddress): Promise<StoredFile> =>
    (await find(caller, address)).file;

  /** @throws FileError; AppError `busy` */
  async function download(caller: Caller, address: FileAddress): Promise<Download> {
    const { file, caller: viewer } = await find(caller, address);
    return show({ viewerId: viewer.userId, file, how: 'download' });
  }

  async function show(view: FileView): Promise<Download> {
    const end = downloads.begin(view.viewerId);
    try {
      await beforeView?.(view);
      const bytes = Readable.from(store.read(view.file, view.viewerId), { objectMode: false });
      const tooSlow = setTimeout(
        () => bytes.destroy(new Error('the reader is too slow')),
        limits.downloadMsMax,
      ).unref();
      bytes.once('close', () => {
        clearTimeout(tooSlow);
        end();
      });
      return { file: view.file, bytes };
    } catch (error) {
      end();
      throw error;
    }
  }

  /** A link to a file that the caller may read, and the file. @throws FileError */
  async function link(caller: Caller, address: FileAddress, lifetimeS: number) {
    const { bucket, caller: viewer, file } = await find(caller, address);
    return makeLink(viewer, file, Math.min(lifetimeS, bucket.linkLifetimeSMax));
  }

  async function makeLink(viewer: SignedIn, file: StoredFile, lifetimeS: number) {
    await beforeView?.({ viewerId: viewer.userId, file, how: 'link made' });
    const subject = {
      bucket: file.bucket,
      path: file.path,
      file: file.id,
      sub: viewer.userId,
      session_id: viewer.sessionId,
    };
    return { file, ...links.sign(subject, lifetimeS) };
  }

  /**
   * A token that gives read access to one version for `lifetimeS` seconds, at most as long as the bucket allows.
   * @throws FileError
   */
  const sign = async (caller: Caller, address: FileAddress, lifetimeS: number): Promise<string> =>
    (await link(caller, address, lifetimeS)).token;

  /**
   * For features whose rows name a version by its id: a link to exactly that version, for as long as the bucket
   * allows, usable as an `<img src>` of our own pages. Only the caller can use it. Each call writes a view to the
   * audit log, over a connection of its own. So the feature calls it after all other checks of the request, and not
   * within a transaction.
   * @throws FileError `object_unknown` when there is no such version at that path; what `beforeView` throws
   */
  async function signVersion(
    viewer: Caller,
    address: FileAddress & { readonly versionId: string },
  ): Promise<SignedVersion> {
    const { file, token, expiresAt } = await link(viewer, address, Number.POSITIVE_INFINITY);
    return { file, url: `${storageRoot}${linkTo(file.bucket, file.path, token)}`, expiresAt };
  }

  /**
   * As `signVersion`, where the bucket gives nobody a path to read: the feature has decided that the caller may see this
   * version.
   * @throws FileError `object_unknown`, `while_impersonating`
   */
  async function signAdmitted(
    viewer: SignedIn,
    { bucket, path, versionId }: FileAddress & { readonly versionId: string },
  ): Promise<SignedVersion> {
    if (isImpersonating(viewer)) throw new FileError('while_impersonating');
    const lifetimeS = bucketByName.get(bucket)?.linkLifetimeSMax;
    const stored = lifetimeS === undefined ? null : await store.find(bucket, path, versionId);
    if (!stored || lifetimeS === undefined) throw new FileError('object_unknown');
    const { file, token, expiresAt } = await makeLink(viewer, stored, lifetimeS);
    return { file, url: `${storageRoot}${linkTo(file.bucket, file.path, token)}`, expiresAt };
  }

  /**
   * Tokens for several paths; null for one that the caller cannot read or that does not exist.
   * @throws FileError when the caller may read nothing in this bucket
   */
  async function signAll(
    caller: Caller,
    bucketName: string,
    paths: readonly string[],
    lifetimeS: number,
  ): Promise<(string | null)[]> {
    requireReader(caller, bucketName);
    const tokens: (string | null)[] = [];
    for (const path of paths) {
      try {
        tokens.push(await sign(caller, { bucket: bucketName, path, versionId: null }, lifetimeS));
      } catch (error) {
        if (!(error instanceof FileError) || error.reason !== 'object_unknown') throw error;
        tokens.push(null);
      }
    }
    return tokens;
  }

  /**
   * The file behind a link, for the caller who requested the link.
   * @throws FileError `object_unknown`, whatever is wrong with the link
   */
  async function follow(caller: Caller, address: Omit<FileAddress, 'versionId'>, token: string) {
    const claims = links.verify(token);
    if (
      claims === null ||
      claims.bucket !== address.bucket ||
      claims.path !== address.path ||
      isRevoked(claims.session_id) ||
      !isViewer(caller, claims)
    ) {
      throw new FileError('object_unknown');
    }
    const file = await store.find(claims.bucket, claims.path, claims.file);
    if (!file) throw new FileError('object_unknown');
    return { viewerId: claims.sub, file, how: 'link followed' } satisfies FileView;
  }

  async function sweep(which: 'all' | 'abandoned'): Promise<void> {
    try {
      await store.sweep(which);
    } catch (error) {
      // A leftover is invisible; the next sweep tries again.
      log.warn({ err: error }, 'discarding unfinished uploads failed');
    }
  }

  return {
    upload,
    list,
    describe,
    download,
    sign,
    signVersion,
    signAdmitted,
    signAll,
    /** As `follow`, and shows the file. */
    downloadLinked: async (caller: Caller, address: Omit<FileAddress, 'versionId'>, token: string) =>
      show(await follow(caller, address, token)),
    describeLinked: async (caller: Caller, address: Omit<FileAddress, 'versionId'>, token: string) =>
      (await follow(caller, address, token)).file,
    /** Discards the leftovers of a crash. */
    async start(): Promise<void> {
      requireShortLinks();
      await sweep('all');
      sweeping = setInterval(() => void sweep('abandoned'), sweepEveryMs).unref();
    },
    /** The caller calls it after the last request: waits until aborted uploads have cleaned up. */
    async stop(): Promise<void> {
      clearInterval(sweeping);
      let patience: NodeJS.Timeout | undefined;
      const gaveUp = new Promise<void>((resolve) => {
        patience = setTimeout(resolve, stopWithinMs);
      });
      await Promise.race([Promise.all([uploads.idle(), downloads.idle()]), gaveUp]);
      clearTimeout(patience);
    },
  };
}

/** A link belongs to the caller and the session that requested it; for any other one it is invalid. */
const isViewer = (caller: Caller, { sub, session_id }: LinkClaims): boolean =>
  caller.role !== 'anon' &&
  caller.userId === sub &&
  caller.actorId === sub &&
  caller.sessionId === session_id;

/** Ended sessions are remembered for as long as an access token lives, so no link may live longer. */
const linkLifetimeSLimit = 15 * 60;
function requireShortLinks(): void {
  for (const { name, linkLifetimeSMax } of declared) {
    if (linkLifetimeSMax > linkLifetimeSLimit) {
      throw new Error(`links into ${name} must not live longer than ${linkLifetimeSLimit} s`);
    }
  }
}

/** @throws FileError `upload_broken_off` when the sender has disconnected */
function requirePresent({ sender }: UploadRequest): void {
  if (sender.aborted) throw new FileError('upload_broken_off');
}
