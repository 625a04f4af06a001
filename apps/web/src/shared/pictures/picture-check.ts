/**
 * Checks whether a chosen file can be sent as a picture before it is sent: type by its first bytes, size, and
 * that the browser can show it. The server decides again, by the same rules (A59).
 */
import { texts } from '@fulcrum/contract/texts';
import { kycPictureBytesMax } from '@fulcrum/domain';

/** Limits the cost of decoding: the server refuses more. */
const pixelsMax = 40_000_000;
const sidePixelsMax = 16_384;
const headBytes = 12;

const startsWith = (head: Uint8Array, signature: readonly number[], at = 0): boolean =>
  signature.every((byte, index) => head[at + index] === byte);
const riff = [0x52, 0x49, 0x46, 0x46] as const;
const webp = [0x57, 0x45, 0x42, 0x50] as const;

/** JPEG, PNG or WebP by the first bytes, whatever the file name. */
const isPicture = (head: Uint8Array): boolean =>
  startsWith(head, [0xff, 0xd8, 0xff]) ||
  startsWith(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) ||
  (startsWith(head, riff) && startsWith(head, webp, 8));

/** Null, or the text to show. */
export async function checkPicture(file: Blob): Promise<string | null> {
  if (file.size === 0 || file.size > kycPictureBytesMax) return texts.imageRefused;
  try {
    const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
    if (!isPicture(head)) return texts.imageRefused;
    const decoded = await createImageBitmap(file);
    const { width, height } = decoded;
    decoded.close();
    if (width * height > pixelsMax) return texts.imageTooManyPixels;
    return Math.max(width, height) > sidePixelsMax ? texts.imageTooLong : null;
  } catch (cause) {
    // Any DOMException means that the browser can neither read nor show the file.
    if (cause instanceof DOMException) return 'This picture cannot be opened. It may be damaged.';
    throw cause;
  }
}

/** Compares two files byte for byte, because pages on plain http cannot hash. */
export async function isSamePicture(one: Blob, two: Blob): Promise<boolean> {
  if (one.size !== two.size) return false;
  const [a, b] = await Promise.all([one.arrayBuffer(), two.arrayBuffer()]);
  const bytes = new Uint8Array(b);
  return new Uint8Array(a).every((byte, index) => byte === bytes[index]);
}
