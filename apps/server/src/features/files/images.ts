/**
 * Detects the type of an image by its first bytes; names and declared content types are ignored. Invariant: a file
 * with any other beginning is no image, so HTML and SVG never are.
 *
 * Known limitation: only the beginning is checked. That refuses most other files before more is received;
 * `pictures.ts` decodes the rest.
 */
export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp';

/** The length of the longest signature. */
export const signatureBytes = 16;

const ascii = (head: Buffer, from: number, length: number) => head.toString('latin1', from, from + length);

/** SOI and the marker of a segment that may follow it: ITU-T T.81, table B.1. */
function isJpeg(head: Buffer): boolean {
  const marker = head[3] ?? 0;
  return head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff && marker >= 0xc0 && marker <= 0xfe;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The signature and the header chunk, which must come first and has 13 bytes: PNG, 5.2 and 11.2.1. */
function isPng(head: Buffer): boolean {
  return (
    head.subarray(0, 8).equals(pngSignature) && head.readUInt32BE(8) === 13 && ascii(head, 12, 4) === 'IHDR'
  );
}

/** A RIFF container of form WEBP and its first chunk: RFC 9649, 2.3 to 2.7. */
function isWebp(head: Buffer): boolean {
  return (
    ascii(head, 0, 4) === 'RIFF' &&
    ascii(head, 8, 4) === 'WEBP' &&
    ['VP8 ', 'VP8L', 'VP8X'].includes(ascii(head, 12, 4))
  );
}

/** The type of a file that begins with `head`, its first 16 bytes; null when it is none of the three. */
export function imageType(head: Buffer): ImageType | null {
  if (head.length < signatureBytes) return null;
  if (isJpeg(head)) return 'image/jpeg';
  if (isPng(head)) return 'image/png';
  if (isWebp(head)) return 'image/webp';
  return null;
}
