/**
 * Pictures, decoded and encoded again. Invariants: what is kept was written by our own encoder from pixels, so nothing of
 * what came beside them (EXIF, a place, a profile, a second format behind the end) is in it; a picture is decoded only when
 * its header says that it has few enough pixels, and that neither side is absurdly long; at most two are decoded at a time.
 *
 * A picture stays what it was: JPEG, PNG or WebP. Two become a JPEG: one that grows beyond the bucket's size by that, which
 * is refused when it is too large then as well; and a large WebP, of which a detailed one does not fit into the 512 kB that
 * its first partition has (RFC 6386, 9.1) and takes several times as long. Colours become sRGB, 16 bits become 8, the
 * orientation is applied, of an animation its first frame is kept. What the decoder calls damage or a premature end is
 * refused; a warning is not, because cameras in use cause some.
 *
 * Measured on 40 megapixels, the most in one picture: 1 to 3 s and 260 to 370 MB for a JPEG, 2 s and 400 MB for a WebP, 4 s and
 * 640 MB for an interlaced PNG of 16 bits that is turned; 0.6 s and 80 MB for a JPEG of 12 megapixels. Large ones are decoded
 * one at a time, so 900 MB are about the most. The work is done by threads of Node's pool, two of its four at most; the event
 * loop only waits for it.
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
  /** Of width and height. A decoder holds several rows at a time, and hurries with no column of millions. */
  readonly sidePixelsMax: number;
  /** Of the encoded picture. */
  readonly bytesMax: number;
}

export interface Picture {
  readonly contentType: ImageType;
  readonly bytes: Buffer;
}

const formats = { 'image/jpeg': 'jpeg', 'image/png': 'png', 'image/webp': 'webp' } as const;

/** A JPEG has no transparency. */
const paper = { background: '#ffffff' };

const encoders = {
  'image/jpeg': (pixels) => pixels.flatten(paper).jpeg({ quality: 90 }),
  // Without its filters a photograph would take a third more.
  'image/png': (pixels) => pixels.png({ adaptiveFiltering: true }),
  'image/webp': (pixels) => pixels.webp({ quality: 90, effort: 2 }),
} as const satisfies Record<ImageType, (pixels: Sharp) => Sharp>;

const smaller = (pixels: Sharp) => pixels.flatten(paper).jpeg({ quality: 75 });

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
     * @throws FileError `image_refused`, `image_too_many_pixels`, `image_too_long`, `image_too_detailed`; AppError `busy`
     */
    async encodeAgain(original: Buffer, type: ImageType, bounds: PictureLimits): Promise<Picture> {
      // The header alone.
      const { format, width, height } = await decode(
        sharp(original, { failOn, limitInputPixels: false }).metadata(),
      );
      if (format !== formats[type]) throw new FileError('image_refused');
      if (width * height > bounds.pixelsMax) throw new FileError('image_too_many_pixels');
      if (Math.max(width, height) > bounds.sidePixelsMax) throw new FileError('image_too_long');
      if (width * height <= limits.largePixels) return encode(original, type, bounds);
      return alone('large', () => encode(original, type === 'image/webp' ? 'image/jpeg' : type, bounds));
    },
  };
}
