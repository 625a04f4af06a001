/**
 * The chunks of a PNG (W3C, Portable Network Graphics, 5 and 11). Invariant: only the chunks below reach the decoder.
 */
import { crc32 } from 'node:zlib';
import { orientationOf, tiffOf } from './orientation.ts';
import { Pieces, refused } from './pieces.ts';
import { isBoundedProfile, profileBytesMax } from './profile.ts';

const typeOf = (name: string) => Buffer.from(name, 'latin1').readUInt32BE();
const header = typeOf('IHDR');
const pixels = typeOf('IDAT');
const end = typeOf('IEND');
const exif = typeOf('eXIf');
const profile = typeOf('iCCP');

/** The most bytes of content, for chunks that occur once. */
const single: ReadonlyMap<number, number> = new Map([
  [header, 13],
  [typeOf('PLTE'), 768],
  [typeOf('tRNS'), 256],
  [typeOf('gAMA'), 4],
  [typeOf('sRGB'), 1],
  [typeOf('cHRM'), 32],
  [profile, profileBytesMax],
]);

const signatureBytes = 8;
/** Length, type and checksum. */
const frameBytes = 12;
/** A lower-case first letter: a decoder may ignore the chunk (5.4). */
const isAncillary = (type: number) => (type & 0x20_00_00_00) !== 0;

function chunkOf(type: number, content: Buffer): Buffer {
  const chunk = Buffer.alloc(content.length + frameBytes);
  chunk.writeUInt32BE(content.length);
  chunk.writeUInt32BE(type, 4);
  content.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

/** @throws FileError `image_refused` */
export function stripPng(bytes: Buffer): Buffer {
  const pieces = new Pieces(bytes);
  pieces.addRange(0, signatureBytes);
  const seen = new Set<number>();
  for (let at = signatureBytes; at + frameBytes <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.readUInt32BE(at + 4);
    const next = at + frameBytes + length;
    if (next > bytes.length || (at === signatureBytes) !== (type === header)) throw refused();
    const content = () => bytes.subarray(at + 8, next - 4);
    if (type === end) {
      pieces.addRange(at, next);
      return pieces.toBuffer();
    }
    if (type === pixels) pieces.addRange(at, next);
    else if (type === exif && !seen.has(exif)) {
      const orientation = orientationOf(content());
      if (orientation !== null) pieces.addBytes(chunkOf(exif, tiffOf(orientation)));
    } else if (!seen.has(type) && length <= (single.get(type) ?? -1)) {
      if (type !== profile || isBoundedProfile(content())) pieces.addRange(at, next);
    } else if (!isAncillary(type)) throw refused();
    if (type === exif || single.has(type)) seen.add(type);
    at = next;
  }
  throw refused();
}
