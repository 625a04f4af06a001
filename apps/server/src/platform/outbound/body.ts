/** Reads bodies of responses, whole and unpacked or in parts, with a bound on the packed and the unpacked size. */
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { OutboundError } from './outbound-error.ts';

/** The largest response of a provider (all pairs of the exchange) is below 2 MB. */
export const bodyBytesMax = 8 * 1024 * 1024;

const unpackers = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
} as const;
/** What `readBody` can unpack, for the header of the request. */
export const acceptEncoding = Object.keys(unpackers).join(', ');

/** @throws OutboundError `too-large`, or `network` for an encoding that the request did not accept */
export async function readBody(host: string, body: Readable, encoding = 'identity'): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // An error that leaves the loop ends the connection.
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('the body is no stream of bytes');
    size += chunk.length;
    if (size > bodyBytesMax) throw tooLarge(host);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(await unpacked(host, Buffer.concat(chunks), encoding.trim().toLowerCase()));
}

async function unpacked(host: string, packed: Buffer, coding: string): Promise<Buffer> {
  // A response without a body may still name an encoding.
  if (packed.length === 0 || coding === 'identity' || coding === '') return packed;
  if (coding !== 'gzip' && coding !== 'br') {
    throw new OutboundError('network', `${host}: the answer is packed in an unknown way`);
  }
  try {
    return await unpackers[coding](packed, { maxOutputLength: bodyBytesMax });
  } catch (cause) {
    if (cause instanceof RangeError) throw tooLarge(host);
    throw cause;
  }
}

interface PartsOptions {
  readonly bytesMax: number;
  /** Called once, when the reading ends in any way. */
  readonly release: () => void;
  readonly toError: (cause: unknown) => OutboundError;
}

/** The parts of a body that is not packed, as they arrive. */
export async function* readParts(
  host: string,
  body: Readable,
  { bytesMax, release, toError }: PartsOptions,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let size = 0;
  try {
    for await (const chunk of body) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError('the body is no stream of bytes');
      size += chunk.length;
      if (size > bytesMax) throw tooLarge(host, bytesMax);
      yield decoder.decode(chunk, { stream: true });
    }
  } catch (cause) {
    throw cause instanceof OutboundError ? cause : toError(cause);
  } finally {
    // An error, and a reader that has left, end the connection.
    body.destroy();
    release();
  }
}

const tooLarge = (host: string, bytesMax = bodyBytesMax): OutboundError =>
  new OutboundError('too-large', `${host}: the answer is larger than ${bytesMax} bytes`);
