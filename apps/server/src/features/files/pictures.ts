/**
 * Pictures, decoded and encoded again. Invariants: what is kept was written by our own encoder from pixels, so nothing of
 * what came beside them (EXIF, a place, a profile, a second format behind the end) is in it; a picture is decoded only when
 * its header says that it has few enough pixels; at most two are decoded at a time.
 *
 * A picture stays what it was: JPEG, PNG or WebP. One that grows beyond the bucket's size by that becomes a JPEG of lower
 * quality, and is refused when that is too large as well. Colours become sRGB, 16 bits become 8, the orientation is applied,
 * of an animation its first frame is kept. What the decoder calls damage or a premature end is refused; a warning is not,
 * because cameras in use cause some.
 *
 * Measured on 40 megapixels, the most in one picture: 1 to 3 s and 260 to 370 MB for a JPEG, up to 6 s and 550 MB for a WebP;
 * 0.6 s and 80 MB for 12 megapixels. Large ones are decoded one at a time, so about 750 MB are the most. The work is done by
 * threads of Node's pool, two of its four at most; the event loop only waits for it.
 *
 * Known limitation: the timeout is looked at between rows, and a WebP is decoded and encoded in one piece each.
 */
import { busy } from '@fulcrum/contract';
import sharp, { type Sharp } from 'sharp';
import { createFairQueue } from '../../platform/fair-queue.ts';
import type { Log } from '../../platform/log/index.ts';
import { FileError } from './errors.ts';
import type { ImageType } from './images.ts';
import { limits } from './limits.ts';

// Of the whole process: no two pictures have anything in common, and each takes one thread.
sharp.cache(false);
sharp.concurrency(1);
// Whatever else the library could read (SVG, PDF, TIFF, GIF) it does not, however a file may look to it.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});

export interface PictureLimits {
  readonly pixelsMax: number;
  /** Of the encoded picture. */
  readonly bytesMax: number;
}

export interface Picture {
  readonly contentType: ImageType;
  readonly bytes: Buffer;
}

const formats = { 'image/jpeg': 'jpeg', 'image/png': 'png', 'image/webp': 'webp' } as const;

const encoders = {
  'image/jpeg': (pixels) => pixels.jpeg({ quality: 90 }),
  // Without its filters a photograph would take a third more.
  'image/png': (pixels) => pixels.png({ adaptiveFiltering: true }),
  'image/webp': (pixels) => pixels.webp({ quality: 90, effort: 2 }),
} as const satisfies Record<ImageType, (pixels: Sharp) => Sharp>;

const smaller = (pixels: Sharp) => pixels.flatten({ background: '#ffffff' }).jpeg({ quality: 75 });

const failOn = 'error';

export function createPictures(log: Log) {
  const inTurn = createFairQueue(limits.decoders);
  // Of two that are decoded, one may wait here for the other.
  const alone = createFairQueue({ runningMax: 1, waitingMax: 1, waitingOfOneMax: 1 });

  /** @throws FileError `image_refused` for what cannot be decoded; AppError `busy` when it took too long */
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
    const instead = await decode(smaller(pixels()).toBuffer());
    if (instead.length > bytesMax) throw new FileError('image_too_detailed');
    return { contentType: 'image/jpeg', bytes: instead };
  }

  return {
    /** Waits for one of the decoders; `work` holds it to its end. @throws AppError `busy` when too many wait */
    inTurn,
    /**
     * The picture that `original` is, as we write it. To be called within `inTurn`.
     * @throws FileError `image_refused`, `image_too_many_pixels`, `image_too_detailed`; AppError `busy`
     */
    async encodeAgain(original: Buffer, type: ImageType, bounds: PictureLimits): Promise<Picture> {
      // The header alone.
      const { format, width, height } = await decode(
        sharp(original, { failOn, limitInputPixels: false }).metadata(),
      );
      if (format !== formats[type]) throw new FileError('image_refused');
      if (width * height > bounds.pixelsMax) throw new FileError('image_too_many_pixels');
      const step = () => encode(original, type, bounds);
      return width * height > limits.largePixels ? alone('large', step) : step();
    },
  };
}
