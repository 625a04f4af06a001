/**
 * The chunks of a WebP (RFC 9649, 2.3 to 2.7). Invariant: pixels, transparency, a bounded colour profile and the
 * orientation reach the decoder, of an animation only the first frame.
 */
import { orientationOf, tiffOf } from './orientation.ts';
import { refused } from './pieces.ts';
import { profileBytesMax } from './profile.ts';

/** 'RIFF', the size of what follows, 'WEBP'. */
const fileHeaderBytes = 12;
const chunkHeaderBytes = 8;
/** The position, the size and the duration of a frame. */
const frameHeaderBytes = 16;
/** Of VP8X: flags, then the size of the canvas. */
const extendedBytes = 10;
const flags = { profile: 0x20, alpha: 0x10, exif: 0x08, animation: 0x02 } as const;

const types = ['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L', 'EXIF'] as const;
type ChunkType = (typeof types)[number];
/** By the four bytes of their name as one number. */
const typeByCode = new Map(types.map((type) => [Buffer.from(type, 'latin1').readUInt32LE(), type]));
/** Contents by type. */
type Chunks = ReadonlyMap<ChunkType, Buffer>;

/** The first chunk of each wanted type. @throws FileError `image_refused` */
function firstChunks(bytes: Buffer): Chunks {
  const chunks = new Map<ChunkType, Buffer>();
  for (let at = 0; at + chunkHeaderBytes <= bytes.length; ) {
    const type = typeByCode.get(bytes.readUInt32LE(at));
    const from = at + chunkHeaderBytes;
    const to = from + bytes.readUInt32LE(at + 4);
    if (to > bytes.length) throw refused();
    if (type && !chunks.has(type)) chunks.set(type, bytes.subarray(from, to));
    at = to + ((to - from) % 2);
  }
  return chunks;
}

function framed(type: string, content: Buffer): Buffer {
  const chunk = Buffer.alloc(chunkHeaderBytes + content.length + (content.length % 2));
  chunk.write(type, 'latin1');
  chunk.writeUInt32LE(content.length, 4);
  content.copy(chunk, chunkHeaderBytes);
  return chunk;
}

/** The pixels of a picture or a frame, behind their transparency. */
function pixelsOf(chunks: Chunks): Buffer[] {
  const [alpha, lossy, lossless] = [chunks.get('ALPH'), chunks.get('VP8 '), chunks.get('VP8L')];
  // A lossless one contains its transparency itself.
  if (lossless) return [framed('VP8L', lossless)];
  if (lossy) return [...(alpha ? [framed('ALPH', alpha)] : []), framed('VP8 ', lossy)];
  throw refused();
}

function animationOf(chunks: Chunks): Buffer[] {
  const [animation, frame] = [chunks.get('ANIM'), chunks.get('ANMF')];
  if (!animation || !frame) throw refused();
  const pixels = pixelsOf(firstChunks(frame.subarray(frameHeaderBytes)));
  return [
    framed('ANIM', animation),
    framed('ANMF', Buffer.concat([frame.subarray(0, frameHeaderBytes), ...pixels])),
  ];
}

function extended(header: Buffer, chunks: Chunks): Buffer[] {
  if (header.length !== extendedBytes) throw refused();
  const declaredFlags = header[0] ?? 0;
  const given = chunks.get('ICCP');
  const profile = given && given.length <= profileBytesMax ? given : null;
  const orientation = orientationOf(chunks.get('EXIF') ?? Buffer.alloc(0));
  const content = Buffer.from(header);
  content[0] =
    (declaredFlags & (flags.alpha | flags.animation)) |
    (profile ? flags.profile : 0) |
    (orientation === null ? 0 : flags.exif);
  return [
    framed('VP8X', content),
    ...(profile ? [framed('ICCP', profile)] : []),
    ...((declaredFlags & flags.animation) === 0 ? pixelsOf(chunks) : animationOf(chunks)),
    ...(orientation === null ? [] : [framed('EXIF', tiffOf(orientation))]),
  ];
}

/** @throws FileError `image_refused` */
export function stripWebp(bytes: Buffer): Buffer {
  const end = chunkHeaderBytes + bytes.readUInt32LE(4);
  if (end > bytes.length || end < fileHeaderBytes) throw refused();
  const chunks = firstChunks(bytes.subarray(fileHeaderBytes, end));
  const header = chunks.get('VP8X');
  const retained = header ? extended(header, chunks) : pixelsOf(chunks);
  return framed('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...retained]));
}
