/**
 * Decodes and re-encodes pictures. Invariants: our own encoder writes every stored file from pixels. Nothing else of
 * the original (EXIF, a location, a profile, a second format behind the end) is stored, and hardly any of it reaches
 * a decoder (`strip/`). A picture is decoded only when its header states few enough pixels and no absurdly long side.
 * At most two are decoded at a time.
 *
 * A picture keeps its format: JPEG, PNG or WebP. Two kinds become a JPEG. One grows beyond the bucket's size by
 * re-encoding; it is refused if the JPEG is too large as well. The other is a large WebP: a detailed one does not fit
 * into the 512 kB of its first partition (RFC 6386, 9.1) and takes several times as long. Colours become sRGB, 16
 * bits become 8, the orientation is applied, and only the first frame of an animation remains. Damage or a premature
 * end is refused; a decoder's warning is not, because common cameras cause some.
 *
 * Measured on 40 megapixels, the maximum: 1 to 3 s and 260 to 370 MB for a JPEG, 2 s and 400 MB for a WebP, 4 s and
 * 640 MB for an interlaced 16-bit PNG with a rotation. A JPEG of 12 megapixels takes 0.6 s and 80 MB. Large ones are
 * decoded one at a time, so about 900 MB is the maximum. Threads of Node's pool do the work, at most two of its four;
 * the event loop only waits.
 *
 * Known limitation: the timeout is checked between rows, and a WebP is decoded and encoded in one piece each.
 */
import { busy } from '@fulcrum/contract';
import sharp, { type Sharp } from 'sharp';
import { createFairQueue } from '../../platform/fair-queue.ts';
import type { Log } from '../../platform/log/index.ts';
import { FileError } from './errors.ts';
import type { ImageType } from './images.ts';
import { limits } from './limits.ts';
import { stripMetadata } from './strip/index.ts';

// For the whole process: pictures share nothing, and each takes one thread.
sharp.cache(false);
sharp.concurrency(1);
// Disables every other format of the library (SVG, PDF, TIFF, GIF), whatever a file resembles.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});

interface PictureLimits {
  readonly pixelsMax: number;
  /** Of width and height. A decoder holds several rows at a time, and is slow on a column of millions. */
  readonly sidePixelsMax: number;
  /** The most bytes of the encoded picture. */
  readonly bytesMax: number;
}

export interface Picture {
  readonly contentType: ImageType;
  readonly bytes: Buffer;
}

const formats = { 'image/jpeg': 'jpeg', 'image/png': 'png', 'image/webp': 'webp' } as const;

/** A JPEG has no transparency. */
const opaqueBackground = { background: '#ffffff' };

const encoders = {
  'image/jpeg': (pixels) => pixels.flatten(opaqueBackground).jpeg({ quality: 90 }),
  // Without its filters a photograph would take a third more.
  'image/png': (pixels) => pixels.png({ adaptiveFiltering: true }),
  'image/webp': (pixels) => pixels.webp({ quality: 90, effort: 2 }),
} as const satisfies Record<ImageType, (pixels: Sharp) => Sharp>;

const toSmallerJpeg = (pixels: Sharp) => pixels.flatten(opaqueBackground).jpeg({ quality: 75 });

const failOn = 'error';

export function createPictures(log: Log) {
  const withDecodeSlot = createFairQueue(limits.decoders);
  // Of two decoding pictures, one may wait here for the other.
  const withLargePictureSlot = createFairQueue({ runningMax: 1, waitingMax: 1, waitingOfOneMax: 1 });

  /** @throws FileError `image_refused` for an undecodable file; AppError `busy` when it took too long */
  async function decode<T>(step: Promise<T>): Promise<T> {
    try {
      return await step;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      log.info({ reason: message }, 'a picture was not decoded');
      throw message.startsWith('timeout') ? busy() : new FileError('image_refused');
    }
  }

  async function encode(
    original: Buffer,
    type: ImageType,
    { pixelsMax, bytesMax }: PictureLimits,
  ): Promise<Picture> {
    const pixels = () =>
      sharp(original, { failOn, limitInputPixels: pixelsMax })
        .autoOrient()
        .timeout({ seconds: limits.decodeSMax });
    const bytes = await decode(encoders[type](pixels()).toBuffer());
    if (bytes.length <= bytesMax) return { contentType: type, bytes };
    const instead = await decode(toSmallerJpeg(pixels()).toBuffer());
    if (instead.length > bytesMax) throw new FileError('image_too_detailed');
    return { contentType: 'image/jpeg', bytes: instead };
  }

  return {
    /** Waits for a decoder; `work` holds it until it ends. @throws AppError `busy` when too many wait */
    withDecodeSlot,
    /**
     * Re-encodes the picture `original`. The caller holds a slot of `withDecodeSlot`.
     * @throws FileError `image_refused`, `image_too_many_pixels`, `image_too_long`, `image_too_detailed`; AppError
     * `busy`
     */
    async encodeAgain(original: Buffer, type: ImageType, bounds: PictureLimits): Promise<Picture> {
      const stripped = stripMetadata(original, type);
      // Reads only the header.
      const { format, width, height } = await decode(
        sharp(stripped, { failOn, limitInputPixels: false }).metadata(),
      );
      if (format !== formats[type]) throw new FileError('image_refused');
      if (width * height > bounds.pixelsMax) throw new FileError('image_too_many_pixels');
      if (Math.max(width, height) > bounds.sidePixelsMax) throw new FileError('image_too_long');
      if (width * height <= limits.largePixels) return encode(stripped, type, bounds);
      return withLargePictureSlot('large', () =>
        encode(stripped, type === 'image/webp' ? 'image/jpeg' : type, bounds),
      );
    },
  };
}
