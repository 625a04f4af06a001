/**
 * The body of an upload: a form with one file (a Blob, a File or a FormData) or the bare bytes (any other body).
 * Invariants: bytes are passed on as they arrive and no faster than they are read; stopping early leaves the connection
 * usable, so that the refusal reaches the sender.
 *
 * Known limitation: user metadata and a declared content encoding are not stored.
 */
import type { Readable } from 'node:stream';
import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { invalidRequest } from './errors.ts';

interface UploadBody {
  readonly cacheControlS: number;
  readonly bytes: AsyncIterable<Buffer>;
}

/** The client's default (CALL-18). */
const cacheControlDefaultS = 3600;
const yearS = 31_536_000;

/** `3600` of a form, `max-age=3600` of a header; anything else, a browser's own `no-cache` too, is the default. */
function cacheControlOf(text: string | undefined): number {
  const seconds = /^(?:max-age=)?(\d{1,8})$/.exec(text?.trim() ?? '')?.[1];
  return seconds === undefined ? cacheControlDefaultS : Math.min(Number(seconds), yearS);
}

const formLimits = { files: 1, fields: 8, parts: 9, fieldNameSize: 100, fieldSize: 4096, headerPairs: 20 };

/** Reads the request up to its file. Beyond `bytesMax` the form's parser may stop. */
export async function openUpload(request: FastifyRequest, bytesMax: number): Promise<UploadBody> {
  if (!request.isMultipart()) {
    return {
      cacheControlS: cacheControlOf(request.headers['cache-control']),
      bytes: withoutDestroying(request.raw),
    };
  }
  // One byte more than allowed, so that an oversized file is detected.
  const parts = request.parts({ limits: { ...formLimits, fileSize: bytesMax + 1 } });
  let cacheControl: string | undefined;
  for (let part = await nextPart(parts); part; part = await nextPart(parts)) {
    if (part.type === 'file') {
      return { cacheControlS: cacheControlOf(cacheControl), bytes: onlyFile(part.file, parts) };
    }
    if (part.fieldname === 'cacheControl' && typeof part.value === 'string') cacheControl = part.value;
  }
  throw invalidRequest('The form has no file.');
}

/** @throws AppError `invalid_argument` for a form that cannot be read; what its limits say */
async function nextPart(parts: AsyncIterator<Multipart>): Promise<Multipart | null> {
  try {
    const { done, value } = await parts.next();
    return done ? null : value;
  } catch (error) {
    throw unreadable(error);
  }
}

async function* onlyFile(
  file: Readable,
  parts: AsyncIterator<Multipart>,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* withoutDestroying(file);
  } catch (error) {
    throw unreadable(error);
  }
  // Reads to the end of the form: a truncated one, or one with a second file, is refused as a whole.
  if ((await nextPart(parts)) !== null) throw invalidRequest('The form has something behind its file.');
}

/** The parser's errors about the text of a form have no status, those about its limits do. */
const unreadable = (error: unknown): unknown =>
  error instanceof Error && 'statusCode' in error ? error : invalidRequest('The form cannot be read.');

/** Leaving a loop over it early would otherwise destroy the stream, and with a request its connection. */
const withoutDestroying = (stream: Readable): AsyncIterable<Buffer> =>
  stream.iterator({ destroyOnReturn: false });

/** Bytes that a refused sender may still send; browsers read the response only after they have sent everything. */
const drainBytesMax = 32 * 1024 * 1024;

/** Discards the rest of an unwanted body; disconnects a longer one. */
export function drain({ raw }: FastifyRequest): void {
  if (raw.readableEnded || raw.destroyed) return;
  let passed = 0;
  raw.unpipe();
  raw.on('data', (part: Buffer) => {
    passed += part.length;
    if (passed > drainBytesMax) raw.destroy();
  });
  raw.resume();
}
