/** Bodies of answers, unpacked, with a bound on what is read and on what it unpacks to. */
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { OutboundError } from './outbound-error.ts';

/** The largest answer of a provider (all pairs of the exchange) is below 2 MB. */
export const bodyBytesMax = 8 * 1024 * 1024;

const unpackers = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
} as const;
/** What `readBody` can unpack, for the header of the request. */
export const acceptEncoding = Object.keys(unpackers).join(', ');

/** @throws OutboundError `too-large`, or `network` for an encoding that was not asked for */
export async function readBody(host: string, body: Readable, encoding = 'identity'): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop by an error ends the connection.
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('the body is no stream of bytes');
    size += chunk.length;
    if (size > bodyBytesMax) throw tooLarge(host);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(await unpacked(host, Buffer.concat(chunks), encoding.trim().toLowerCase()));
}

async function unpacked(host: string, packed: Buffer, coding: string): Promise<Buffer> {
  // An answer without a body may say how it would have been packed.
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

const tooLarge = (host: string): OutboundError =>
  new OutboundError('too-large', `${host}: the answer is larger than ${bodyBytesMax} bytes`);
