/**
 * Threat: a small picture with parts beside its pixels that are expensive to unpack or to parse. The limits on pixels
 * miss them, and a running decoder cannot be stopped. The tests record every byte that reaches the decoder.
 */
import { crc32, deflateSync } from 'node:zlib';
import { kycDocuments, texts } from '@fulcrum/contract';
import type { Sharp } from 'sharp';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { imageType } from '../../src/features/files/images.ts';
import { createPictures } from '../../src/features/files/pictures.ts';
import { stripMetadata } from '../../src/features/files/strip/index.ts';
import { testLog } from '../harness/index.ts';
import { chunk, jpeg, megabyte, noise, png, pngOf, webp } from './storage-server.ts';

const handed = vi.hoisted((): Buffer[] => []);
vi.mock('sharp', async (load) => {
  const { default: real } = await load<typeof import('sharp')>();
  const recording = new Proxy(real, {
    apply(decoder, self, parameters) {
      if (Buffer.isBuffer(parameters[0])) handed.push(parameters[0]);
      return Reflect.apply(decoder, self, parameters);
    },
  });
  return { default: recording };
});
const { default: sharp } = await import('sharp');

const pictures = createPictures(testLog);
const bounds = { ...kycDocuments.picture, bytesMax: kycDocuments.fileBytesMax };
beforeEach(() => {
  handed.length = 0;
});

/** The stored picture, and the decoder's input for it, which is the same each time. */
async function encodeAgain(bytes: Buffer): Promise<{ storedBytes: Buffer; seen: Buffer }> {
  handed.length = 0;
  const type = imageType(bytes);
  if (type === null) throw new Error('no picture');
  const { bytes: storedBytes } = await pictures.encodeAgain(bytes, type, bounds);
  const [seen] = handed;
  if (!seen || handed.some((other) => !other.equals(seen)))
    throw new Error('the decoder saw several pictures');
  return { storedBytes, seen };
}

const [width, height] = [64, 32];
/** Red on the left, blue on the right. */
const halves = (): Sharp =>
  sharp({ create: { width, height, channels: 3, background: 'red' } }).composite([
    { input: { create: { width: 32, height, channels: 3, background: 'blue' } }, left: 32, top: 0 },
  ]);
const grain = () => sharp(noise(width * height * 3, 'costly'), { raw: { width, height, channels: 3 } });

/** Types of a PNG's chunks, in order. */
function chunksOf(bytes: Buffer): string[] {
  const types: string[] = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    types.push(bytes.toString('latin1', at + 4, at + 8));
  }
  return types;
}
/** A PNG with more chunks behind its header. */
const pngWith = (bytes: Buffer, ...more: Buffer[]) =>
  Buffer.concat([bytes.subarray(0, 33), ...more, bytes.subarray(33)]);

const segment = (code: number, content: Buffer) => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length + 2);
  return Buffer.concat([Buffer.of(0xff, code), length, content]);
};
/** Codes of a JPEG's segments before the first scan. */
function segmentsOf(bytes: Buffer): number[] {
  const codes: number[] = [];
  for (let at = 2; bytes[at + 1] !== 0xda; at += 2 + bytes.readUInt16BE(at + 2)) codes.push(bytes[at + 1]!);
  return codes;
}
const jpegWith = (bytes: Buffer, ...more: Buffer[]) =>
  Buffer.concat([bytes.subarray(0, 2), ...more, bytes.subarray(2)]);

const riff = (type: string, content: Buffer) => {
  const framed = Buffer.alloc(8 + content.length + (content.length % 2));
  framed.write(type, 'latin1');
  framed.writeUInt32LE(content.length, 4);
  content.copy(framed, 8);
  return framed;
};
function riffChunksOf(bytes: Buffer): string[] {
  const types: string[] = [];
  for (let at = 12; at < bytes.length; ) {
    types.push(bytes.toString('latin1', at, at + 4));
    const length = bytes.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return types;
}
const webpWith = (bytes: Buffer, ...more: Buffer[]) =>
  riff('RIFF', Buffer.concat([bytes.subarray(8), ...more]));

const hundredMB = 100_000_000;
const packed = deflateSync(Buffer.alloc(hundredMB, 'a'), { level: 9 });
const plain = pngOf(100, 100, deflateSync(Buffer.alloc(301 * 100)));

describe('SEC-F3: text that unpacks to 10 GB', () => {
  test.each([
    ['zTXt', (n: number) => Buffer.concat([Buffer.from(`k${n}\0\0`), packed])],
    ['iTXt', (n: number) => Buffer.concat([Buffer.from(`k${n}\0\x01\0\0\0`), packed])],
  ])('SEC-F3: 100 × %s of 100 MB reach no decoder', async (type, contentOf) => {
    const texts100 = Array.from({ length: 100 }, (_, n) => chunk(type, contentOf(n)));
    const bomb = pngWith(plain, ...texts100);
    expect(bomb.length).toBeGreaterThan(9 * megabyte);
    const before = process.cpuUsage();
    const { storedBytes, seen } = await encodeAgain(bomb);
    const { user, system } = process.cpuUsage(before);
    expect(chunksOf(seen)).toEqual(['IHDR', 'IDAT', 'IEND']);
    expect(seen.equals(plain)).toBe(true);
    expect(await sharp(storedBytes).metadata()).toMatchObject({ format: 'png', width: 100, height: 100 });
    // Unpacking it takes 1.5 s of a quiet core, and did.
    expect((user + system) / 1000).toBeLessThan(700);
  });

  test('SEC-F3: a colour profile reaches one if it is small, also unpacked', async () => {
    const { icc } = await sharp(await halves().withIccProfile('p3').png().toBuffer()).metadata();
    const flat = stripMetadata(await halves().png().toBuffer(), 'image/png');
    const profile = (content: Buffer) => chunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), content]));
    const small = profile(deflateSync(icc!));
    expect(chunksOf((await encodeAgain(pngWith(flat, small))).seen)).toContain('iCCP');
    for (const large of [
      profile(packed),
      profile(noise(2 * megabyte, 'icc')),
      profile(Buffer.from('damaged')),
    ]) {
      const { seen } = await encodeAgain(pngWith(flat, large));
      expect(seen.equals(flat)).toBe(true);
    }
    // A second one is dropped as well.
    expect(chunksOf((await encodeAgain(pngWith(flat, small, small, profile(packed)))).seen)).toEqual(
      chunksOf(pngWith(flat, small)),
    );
  });

  test('SEC-F3: the colour chunks of a PNG stay, each once', async () => {
    const gamma = chunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f]));
    const required = [gamma, chunk('sRGB', Buffer.of(0)), chunk('cHRM', Buffer.alloc(32, 1))];
    const others = ['pHYs', 'bKGD', 'tIME', 'sPLT', 'hIST', 'acTL', 'fdAT', 'prIv'].map((type) =>
      chunk(type, Buffer.alloc(9)),
    );
    const { seen } = await encodeAgain(pngWith(plain, ...others, ...required, ...others, gamma));
    expect(chunksOf(seen)).toEqual(['IHDR', 'gAMA', 'sRGB', 'cHRM', 'IDAT', 'IEND']);
    const palette = await grain().png({ palette: true }).toBuffer();
    expect(chunksOf((await encodeAgain(palette)).seen)).toContain('PLTE');
  });
});

describe('SEC-F3: segments of a JPEG', () => {
  test('SEC-F3: of those that applications put there, JFIF, Adobe and the colour profile reach a decoder', async () => {
    const cmyk = await grain().toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer();
    const before = segmentsOf(cmyk);
    expect(before).toEqual(expect.arrayContaining([0xe2, 0xee]));
    const junk = [
      segment(0xe0, Buffer.concat([Buffer.from('JFXX\0'), noise(60_000, 'thumbnail')])),
      segment(0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), noise(60_000, 'xmp')])),
      segment(0xe2, Buffer.concat([Buffer.from('MPF\0'), noise(1000, 'mpf')])),
      segment(0xed, Buffer.concat([Buffer.from('Photoshop 3.0\0'), noise(60_000, 'iptc')])),
      segment(0xee, Buffer.from('Somebody')),
      segment(0xfe, Buffer.from('a comment')),
    ];
    const { seen } = await encodeAgain(jpegWith(cmyk, ...junk));
    const inOrder = (codes: number[]) => codes.toSorted((a, b) => a - b);
    expect(inOrder(segmentsOf(seen))).toEqual(inOrder(before.filter((code) => code !== 0xe1)));
    expect(seen.length).toBeLessThanOrEqual(cmyk.length);
    // A second one of a kind is dropped.
    const twice = jpegWith(cmyk, segment(0xee, Buffer.concat([Buffer.from('Adobe'), Buffer.alloc(7)])));
    expect(segmentsOf((await encodeAgain(twice)).seen).filter((code) => code === 0xee)).toHaveLength(1);
  });

  test('SEC-F3: a colour profile of more than a megabyte reaches none', async () => {
    const part = (n: number, content: Buffer) =>
      segment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.of(n, 40), content]));
    const parts = Array.from({ length: 40 }, (_, n) => part(n + 1, noise(60_000, `${n}`)));
    const flat = stripMetadata(await grain().jpeg().toBuffer(), 'image/jpeg');
    expect((await encodeAgain(jpegWith(flat, ...parts))).seen.equals(flat)).toBe(true);
  });

  test('SEC-F3: of many passes over the same pixels none is made', async () => {
    const progressive = await grain().jpeg({ progressive: true }).toBuffer();
    const scan = progressive.subarray(progressive.lastIndexOf(Buffer.of(0xff, 0xda)), -2);
    const bomb = Buffer.concat([
      progressive.subarray(0, -2),
      ...Array.from({ length: 200 }, () => scan),
      Buffer.of(0xff, 0xd9),
    ]);
    await expect(encodeAgain(bomb)).rejects.toMatchObject({ reason: 'image_refused' });
    expect(handed).toEqual([]);
    expect((await encodeAgain(progressive)).seen.length).toBeLessThanOrEqual(progressive.length);
  });
});

describe('SEC-F3: chunks of a WebP', () => {
  test('SEC-F3: pixels, transparency and a small profile reach a decoder', async () => {
    const alpha = await grain().ensureAlpha(0.5).withIccProfile('p3').withXmp('<x/>').webp().toBuffer();
    expect(riffChunksOf(alpha)).toContain('XMP ');
    const { seen, storedBytes } = await encodeAgain(webpWith(alpha, riff('JUNK', noise(100_000, 'junk'))));
    expect(riffChunksOf(seen)).toEqual(['VP8X', 'ICCP', 'ALPH', 'VP8 ']);
    expect(await sharp(storedBytes).metadata()).toMatchObject({ format: 'webp', hasAlpha: true });
    const large = alpha.indexOf('ICCP');
    const profile = riff('ICCP', noise(2 * megabyte, 'icc'));
    const end = large + 8 + alpha.readUInt32LE(large + 4) + (alpha.readUInt32LE(large + 4) % 2);
    const swapped = Buffer.concat([alpha.subarray(0, large), profile, alpha.subarray(end)]);
    expect(riffChunksOf((await encodeAgain(webpWith(swapped))).seen)).toEqual(['VP8X', 'ALPH', 'VP8 ']);
  });

  test('SEC-F3: of an animation one frame does', async () => {
    const frames = await Promise.all(
      ['red', 'blue', 'green'].map((background) =>
        sharp({ create: { width, height, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const animation = await sharp(frames, { join: { animated: true } })
      .webp({ delay: [9, 9, 9] })
      .toBuffer();
    expect(riffChunksOf(animation).filter((type) => type === 'ANMF')).toHaveLength(3);
    expect(riffChunksOf((await encodeAgain(animation)).seen)).toEqual(['VP8X', 'ANIM', 'ANMF']);
  });
});

describe('A60: the orientation is applied, and nothing else of EXIF reaches a decoder', () => {
  const location = {
    IFD0: { Make: 'Camera of a user' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
  };
  const rotated = () => halves().withExif(location).withMetadata({ orientation: 6 });
  /** As some cameras write it: big-endian. */
  const bigEndian = Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex');

  test.each<[string, () => Promise<Buffer>]>([
    ['JPEG', () => rotated().jpeg().toBuffer()],
    ['PNG', () => rotated().png().toBuffer()],
    ['WebP', () => rotated().webp().toBuffer()],
    [
      'JPEG in the other order of bytes',
      async () =>
        jpegWith(
          await halves().jpeg().toBuffer(),
          segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), bigEndian])),
        ),
    ],
    [
      'PNG in the other order of bytes',
      async () => pngWith(await halves().png().toBuffer(), chunk('eXIf', bigEndian)),
    ],
  ])('SEC-F3: %s', async (_name, make) => {
    const { seen, storedBytes } = await encodeAgain(await make());
    for (const text of ['Camera', 'GPS']) expect(seen.includes(text)).toBe(false);
    const { exif, orientation } = await sharp(seen).metadata();
    expect(orientation).toBe(6);
    expect(exif!.length).toBeLessThan(40);
    const { data, info } = await sharp(storedBytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([height, width]);
    // A quarter turn: the left side becomes the top.
    expect([data[0]! > 180, data.at(-1)! > 180]).toEqual([true, true]);
  });

  test('SEC-F3: empty or invalid EXIF is left out', async () => {
    const flat = stripMetadata(await halves().jpeg().toBuffer(), 'image/jpeg');
    for (const tiff of [
      '',
      '4d4d002a',
      '4d4d002affffffff',
      '4d4d002a00000008ffff0112',
      '585800000000000800010112',
    ]) {
      const exif = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), Buffer.from(tiff, 'hex')]));
      expect((await encodeAgain(jpegWith(flat, exif))).seen.equals(flat), tiff).toBe(true);
    }
  });
});

test('SEC-F3: the pixels are those that they were', async () => {
  const makes: (() => Sharp)[] = [
    () => grain().jpeg(),
    () => grain().jpeg({ progressive: true }),
    () => grain().greyscale().jpeg(),
    () => grain().toColourspace('cmyk').jpeg(),
    () => grain().png(),
    () => grain().ensureAlpha(0.5).png({ progressive: true }),
    () => grain().png({ palette: true }),
    () => grain().toColourspace('rgb16').png(),
    () => grain().webp(),
    () => grain().webp({ lossless: true }),
    () => grain().ensureAlpha(0.5).webp(),
  ];
  for (const make of makes) {
    const bytes = await make().toBuffer();
    const stripped = stripMetadata(bytes, imageType(bytes)!);
    expect(await sharp(stripped).raw().toBuffer()).toEqual(await sharp(bytes).raw().toBuffer());
    expect(stripMetadata(stripped, imageType(bytes)!).equals(stripped), 'a second time changes nothing').toBe(
      true,
    );
  }
});

describe('SEC-F3: malformed files', () => {
  const refuses = (bytes: Buffer) => {
    const type = imageType(bytes);
    expect(type).not.toBeNull();
    expect(() => stripMetadata(bytes, type!)).toThrow(texts.imageRefused);
  };
  const long = (bytes: Buffer, at: number) => {
    const changed = Buffer.from(bytes);
    changed.writeUInt32BE(0x7fffffff, at);
    return changed;
  };
  const many = (one: Buffer, other: Buffer) =>
    Buffer.concat(Array.from({ length: 20_000 }, () => [one, other]).flat());

  test.each<[string, () => Buffer]>([
    ['a PNG whose chunk ends behind the file', () => long(png(), 33)],
    ['a PNG without an end', () => plain.subarray(0, -12)],
    ['a PNG with two headers', () => pngWith(plain, plain.subarray(8, 33))],
    ['a PNG with an unknown critical chunk', () => pngWith(plain, chunk('PRIV', Buffer.alloc(4)))],
    [
      'a PNG with two palettes',
      () => pngWith(plain, chunk('PLTE', Buffer.alloc(3)), chunk('PLTE', Buffer.alloc(3))),
    ],
    [
      'a PNG in twenty thousand pieces',
      () => pngWith(plain, many(chunk('IDAT', Buffer.alloc(0)), chunk('tEXt', Buffer.alloc(0)))),
    ],
    [
      'a JPEG whose segment ends behind the file',
      () => jpegWith(jpeg(), Buffer.of(0xff, 0xe5, 0xff, 0xff)).subarray(0, 900),
    ],
    ['a JPEG with a segment of no length', () => jpegWith(jpeg(), Buffer.of(0xff, 0xe5, 0, 1))],
    ['a JPEG of a hierarchical process', () => jpegWith(jpeg(), segment(0xde, Buffer.alloc(9)))],
    ['a JPEG in a JPEG', () => jpegWith(jpeg(), jpeg())],
    ['a WebP that is shorter than its header states', () => webp().subarray(0, -2)],
    [
      'a WebP without pixels',
      () => webpWith(Buffer.from('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1')),
    ],
    [
      'a WebP with the animation flag and no frame',
      () => webpWith(Buffer.from('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\0\0\0\0\0\0', 'latin1')),
    ],
  ])('SEC-F3: %s is refused', (_name, make) => refuses(make()));

  test('SEC-F3: any change or truncation gives a picture or a refusal', () => {
    for (const bytes of [jpeg(900), png(900), webp(900)]) {
      const type = imageType(bytes)!;
      for (let n = 0; n < 3000; n += 1) {
        const changed = Buffer.from(bytes.subarray(0, bytes.length - (n % 7 === 0 ? n % 800 : 0)));
        const random = crc32(Buffer.from(`${type} ${n}`));
        changed[12 + (random % (changed.length - 12))] = random >>> 24;
        try {
          expect(stripMetadata(changed, type).length).toBeLessThanOrEqual(changed.length);
        } catch (error) {
          expect(error).toMatchObject({ reason: 'image_refused' });
        }
      }
    }
  });
});
