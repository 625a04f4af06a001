/**
 * Strips a picture of everything that its pixels do not need. Decoders unpack and parse every part of a picture: 10
 * MB of compressed text become 10 GB, and no limit on pixels or rows prevents that. Invariant: the decoder gets the
 * pixels, the palette and the colours, and at most one bounded part of each ancillary kind. Of EXIF it gets only the
 * orientation, written by this module. The work is linear in the received bytes, for any content.
 *
 * Known limitation: a colour profile above its bound is dropped, so the colours of such a picture are treated as
 * sRGB.
 */
import type { ImageType } from '../images.ts';
import { stripJpeg } from './jpeg.ts';
import { stripPng } from './png.ts';
import { stripWebp } from './webp.ts';

const strippers = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
} as const satisfies Record<ImageType, (bytes: Buffer) => Buffer>;

/** The same picture in the same orientation. @throws FileError `image_refused` for a malformed file of its type */
export const stripMetadata = (bytes: Buffer, type: ImageType): Buffer => strippers[type](bytes);
