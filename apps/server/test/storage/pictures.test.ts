/**
 * The upload corpus: each kind of picture and of lookalikes, with its outcome. A stored picture decodes, is upright,
 * and carries nothing but pixels.
 */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { kycDocuments, texts } from '@fulcrum/contract';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import {
  addUser,
  admin,
  blob,
  bucket,
  chunk,
  jpeg,
  megabyte,
  noise,
  png,
  pngOf,
  server,
  shareStorage,
  stored,
  trader,
  webp,
} from './storage-server.ts';

shareStorage();

const path = () => `${trader.userId}/document_front.jpg`;
const upload = (bytes: Buffer) => trader.client.storage.from(bucket).upload(path(), blob(bytes));

async function download(): Promise<Buffer> {
  const { data, error } = await admin.client.storage.from(bucket).download(path());
  if (error) throw error;
  return Buffer.from(await data.arrayBuffer());
}

/** The stored form of an accepted picture. */
async function storedPicture(bytes: Buffer): Promise<Buffer> {
  expect((await upload(bytes)).error).toBeNull();
  return download();
}

const [width, height] = [64, 48];
const grain = noise(width * height * 3, 'corpus');
const picture = () => sharp(grain, { raw: { width, height, channels: 3 } });
/** Its left half is red and its right half is blue. */
const halves = (): Sharp =>
  sharp({ create: { width: 64, height: 32, channels: 3, background: 'red' } }).composite([
    { input: { create: { width: 32, height: 32, channels: 3, background: 'blue' } }, left: 32, top: 0 },
  ]);
async function colourAt(bytes: Buffer, left: number, top: number): Promise<'red' | 'blue' | 'another'> {
  const { data } = await sharp(bytes)
    .extract({ left, top, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [red = 0, green = 0, blue = 0] = data;
  if (green > 60) return 'another';
  if (red > 180 && blue < 80) return 'red';
  return blue > 180 && red < 80 ? 'blue' : 'another';
}

const html = '<!doctype html><script>alert(1)</script>';
/** An empty zip archive: only its end record. */
const zip = Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`, 'latin1');
const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF');

describe('KYC-10 A59: a picture keeps its format', () => {
  test.each<[string, 'jpeg' | 'png' | 'webp', () => Promise<Buffer>]>([
    ['JPEG', 'jpeg', () => picture().jpeg().toBuffer()],
    ['progressive JPEG', 'jpeg', () => picture().jpeg({ progressive: true }).toBuffer()],
    ['grey JPEG', 'jpeg', () => picture().greyscale().jpeg().toBuffer()],
    ['CMYK JPEG', 'jpeg', () => picture().toColourspace('cmyk').jpeg().toBuffer()],
    ['JPEG with a wide colour profile', 'jpeg', () => picture().withIccProfile('p3').jpeg().toBuffer()],
    ['PNG', 'png', () => picture().png().toBuffer()],
    ['PNG of 16 bits', 'png', () => picture().toColourspace('rgb16').png().toBuffer()],
    [
      'interlaced PNG with transparency',
      'png',
      () => picture().ensureAlpha(0.5).png({ progressive: true }).toBuffer(),
    ],
    ['PNG of a palette', 'png', () => picture().png({ palette: true }).toBuffer()],
    ['WebP', 'webp', () => picture().webp().toBuffer()],
    ['lossless WebP', 'webp', () => picture().webp({ lossless: true }).toBuffer()],
  ])('%s', async (_name, format, make) => {
    const bytes = await storedPicture(await make());
    const header = await sharp(bytes, { failOn: 'warning' }).metadata();
    expect(header).toMatchObject({ format, width, height, depth: 'uchar' });
    expect(['srgb', 'b-w']).toContain(header.space);
    expect(header).not.toHaveProperty('icc');
    await sharp(bytes, { failOn: 'warning' }).raw().toBuffer();
  });

  test('for any name and declared type', async () => {
    const bytes = await picture().webp().toBuffer();
    const { error } = await trader.client.storage
      .from(bucket)
      .upload(path(), new File([new Uint8Array(bytes)], 'holiday.gif', { type: 'image/gif' }));
    expect(error).toBeNull();
    const { data } = await admin.client.storage.from(bucket).info(path());
    expect(data?.contentType).toBe('image/webp');
  });

  test('of an animation its first frame', async () => {
    const frames = await Promise.all(
      ['red', 'blue'].map((background) =>
        sharp({ create: { width, height, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const animation = await sharp(frames, { join: { animated: true } })
      .webp({ delay: [100, 100] })
      .toBuffer();
    expect((await sharp(animation).metadata()).pages).toBe(2);
    const bytes = await storedPicture(animation);
    expect((await sharp(bytes).metadata()).pages).toBeUndefined();
    expect(await colourAt(bytes, 10, 10)).toBe('red');
  });

  test('a WebP of more than 16 megapixels is stored as a JPEG', async () => {
    const size = { width: 4001, height: 4000 };
    const sent = sharp({ create: { ...size, channels: 4, background: 'red' } });
    const bytes = await storedPicture(await sent.webp({ lossless: true, effort: 0 }).toBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', ...size });
    expect(await colourAt(bytes, 2000, 2000)).toBe('red');
  });

  test('colours of another profile look as they did', async () => {
    const red = await halves().withIccProfile('p3').jpeg().toBuffer();
    expect((await sharp(red).metadata()).hasProfile).toBe(true);
    const bytes = await storedPicture(red);
    expect([await colourAt(bytes, 5, 16), await colourAt(bytes, 60, 16)]).toEqual(['red', 'blue']);
  });
});

describe('A60: nothing comes along with the pixels', () => {
  test('EXIF with a place, a camera and an orientation is removed, and the picture is upright', async () => {
    const sent = await halves()
      .withExif({
        IFD0: { Make: 'Camera of a user', Copyright: 'somebody' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
      })
      .withMetadata({ orientation: 6 })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">a user</x:xmpmeta>')
      .jpeg()
      .toBuffer();
    expect(await sharp(sent).metadata()).toMatchObject({ orientation: 6, exif: expect.any(Buffer) });
    const bytes = await storedPicture(sent);
    const header = await sharp(bytes).metadata();
    expect(header).toMatchObject({ width: 32, height: 64 });
    for (const key of ['exif', 'xmp', 'iptc', 'icc', 'orientation', 'comments'])
      expect(header).not.toHaveProperty(key);
    for (const text of ['Camera', 'somebody', 'Exif', 'GPS']) expect(bytes.includes(text)).toBe(false);
    // A quarter turn: the left side becomes the top.
    expect([await colourAt(bytes, 16, 5), await colourAt(bytes, 16, 60)]).toEqual(['red', 'blue']);
  });

  const behind: Record<string, Buffer> = {
    html: Buffer.from(html),
    'a zip, and with it a jar': Buffer.concat([Buffer.from('secret.class'), zip]),
    javascript: Buffer.from('*/=1;alert(document.cookie)//'),
    pdf,
    'a second picture': Buffer.concat([Buffer.from('second'), png()]),
  };
  test.each(Object.entries(behind))('a second format behind the end: %s', async (_name, tail) => {
    for (const make of [jpeg, png, webp]) {
      const bytes = await storedPicture(Buffer.concat([make(), tail]));
      expect(bytes.includes(tail.subarray(0, 12))).toBe(false);
      await sharp(bytes, { failOn: 'warning' }).raw().toBuffer();
    }
  });

  test('text within: comments, text chunks and unknown chunks', async () => {
    const text = Buffer.from(html);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(text.length + 2);
    const comment = Buffer.concat([Buffer.of(0xff, 0xfe), length, text]);
    const [flat, whole] = [await picture().jpeg().toBuffer(), await picture().png().toBuffer()];
    for (const sent of [
      Buffer.concat([flat.subarray(0, 2), comment, flat.subarray(2)]),
      Buffer.concat([
        whole.subarray(0, 33),
        chunk('tEXt', Buffer.concat([Buffer.from('x\0'), text])),
        whole.subarray(33),
      ]),
      Buffer.concat([whole.subarray(0, 33), chunk('prIv', text), whole.subarray(33)]),
    ]) {
      expect(sent.includes('alert')).toBe(true);
      expect((await storedPicture(sent)).includes('alert')).toBe(false);
    }
  });
});

describe('KYC-10: refused files leave nothing behind', () => {
  const flipped = (bytes: Buffer, from: number) => {
    const changed = Buffer.from(bytes);
    for (let i = from; i < from + 40; i += 1) changed[i] = (changed[i] ?? 0) ^ 0x5a;
    return changed;
  };
  const half = (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1);
  const large = (of: Buffer) => {
    // The size in the frame header: ITU-T T.81, B.2.2.
    const frame = of.indexOf(Buffer.of(0xff, 0xc0));
    const changed = Buffer.from(of);
    changed.writeUInt16BE(7000, frame + 5);
    changed.writeUInt16BE(7200, frame + 7);
    return changed;
  };
  /** The beginning of a lossless WebP of 16383 × 16383: RFC 9649, 3.4. */
  const webpOf16383 = () => {
    const bytes = Buffer.alloc(200);
    bytes.write('RIFF', 0, 'latin1');
    bytes.writeUInt32LE(192, 4);
    bytes.write('WEBPVP8L', 8, 'latin1');
    bytes.writeUInt32LE(180, 16);
    bytes[20] = 0x2f;
    bytes.writeUInt32LE(16_382 | (16_382 << 14), 21);
    return bytes;
  };

  test.each<[string, 413 | 415, string, () => Buffer | Promise<Buffer>]>([
    [
      'svg',
      415,
      texts.imageRefused,
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
    ['html named jpg', 415, texts.imageRefused, () => Buffer.from(html)],
    ['pdf', 415, texts.imageRefused, () => pdf],
    ['zip', 415, texts.imageRefused, () => zip],
    ['gif', 415, texts.imageRefused, () => picture().gif().toBuffer()],
    ['tiff', 415, texts.imageRefused, () => picture().tiff().toBuffer()],
    ['empty', 415, texts.imageRefused, () => Buffer.alloc(0)],
    ['html behind a GIF signature', 415, texts.imageRefused, () => Buffer.from(`GIF89a/*${html}`)],
    [
      'html behind the beginning of a JPEG',
      415,
      texts.imageRefused,
      () => Buffer.concat([jpeg().subarray(0, 40), Buffer.from(html)]),
    ],
    [
      'html behind the beginning of a PNG',
      415,
      texts.imageRefused,
      () => Buffer.concat([png().subarray(0, 40), Buffer.from(html)]),
    ],
    [
      'html behind the beginning of a WebP',
      415,
      texts.imageRefused,
      () => Buffer.concat([webp().subarray(0, 40), Buffer.from(html)]),
    ],
    ['half a JPEG', 415, texts.imageRefused, async () => half(await picture().jpeg().toBuffer())],
    ['half a PNG', 415, texts.imageRefused, async () => half(await picture().png().toBuffer())],
    ['half a WebP', 415, texts.imageRefused, async () => half(await picture().webp().toBuffer())],
    [
      'a PNG with damage',
      415,
      texts.imageRefused,
      async () => flipped(await picture().png().toBuffer(), 200),
    ],
    [
      'a JPEG with a damaged header',
      415,
      texts.imageRefused,
      async () => flipped(await picture().jpeg().toBuffer(), 2),
    ],
    ['a PNG without pixels', 415, texts.imageRefused, () => pngOf(16, 16, Buffer.alloc(0))],
    ['11 MB', 413, texts.imageRefused, () => jpeg(11 * megabyte)],
    [
      'a PNG of 50 megapixels in 50 kB',
      413,
      texts.imageTooManyPixels,
      () => pngOf(10_000, 5000, deflateSync(Buffer.alloc(30_001 * 5000))),
    ],
    [
      'a PNG that declares 10 gigapixels',
      413,
      texts.imageTooManyPixels,
      () => pngOf(100_000, 100_000, Buffer.alloc(10)),
    ],
    [
      'a JPEG that declares 50 megapixels',
      413,
      texts.imageTooManyPixels,
      async () => large(await picture().jpeg().toBuffer()),
    ],
    [
      'a PNG of one row of 39 megapixels, which would take 2 GB',
      413,
      texts.imageTooLong,
      () => pngOf(39_000_000, 1, Buffer.alloc(10)),
    ],
    [
      'a PNG of one column of 39 megapixels, which would take half a minute',
      413,
      texts.imageTooLong,
      () => pngOf(1, 39_000_000, Buffer.alloc(10)),
    ],
    ['a WebP that declares 268 megapixels', 413, texts.imageTooManyPixels, webpOf16383],
  ])('%s', async (_name, status, message, make) => {
    const before = await stored(server);
    const { data, error } = await upload(await make());
    expect(data).toBeNull();
    expect(error).toMatchObject({ status, statusCode: String(status), message });
    const { versions, chunks } = await stored(server);
    expect({ versions, chunks }).toEqual({ versions: before.versions, chunks: before.chunks });
  });

  test('the text about megapixels matches the bucket', () => {
    expect(texts.imageTooManyPixels).toContain(
      `more than ${kycDocuments.picture.pixelsMax / 1_000_000} megapixels`,
    );
    expect(texts.imageTooLong).toContain(
      `more than ${kycDocuments.picture.sidePixelsMax.toLocaleString('en-US')} pixels`,
    );
    expect(texts.imageTooDetailed).toContain(`more than ${kycDocuments.fileBytesMax / megabyte} MB`);
  });
});

test('a PNG that grows beyond 10 MB by being encoded again is stored as a JPEG', async () => {
  // A byte per pixel selects one of 256 colours; our PNG stores the colour itself.
  const side = 2600;
  const rows = noise(side * (side + 1), 'colours');
  for (let row = 0; row < side; row += 1) rows[row * (side + 1)] = 0;
  const palette = chunk('PLTE', noise(256 * 3, 'palette'));
  const sent = pngOf(side, side, deflateSync(rows, { level: 0 }), { colourType: 3, more: palette });
  expect(sent.length).toBeLessThan(10 * megabyte);
  const bytes = await storedPicture(sent);
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: side, height: side });
  const { data } = await admin.client.storage.from(bucket).info(path());
  expect(data).toMatchObject({ contentType: 'image/jpeg', size: bytes.length });
  expect(bytes.length).toBeLessThan(10 * megabyte);
});

test('the same picture thrice is three versions, with the same hash of the sent bytes', async () => {
  const sent = await picture().jpeg().toBuffer();
  const names = ['document_front', 'document_back', 'selfie'];
  const owner = await addUser(server, 'trader');
  for (const name of names) {
    const { error } = await owner.client.storage
      .from(bucket)
      .upload(`${owner.userId}/${name}.jpg`, blob(sent));
    expect(error).toBeNull();
  }
  const { rows } = await server.db.query<{ original: Buffer; stored: Buffer }>(
    'select original_sha256 as original, sha256 as stored from app.files where owner_id = $1',
    [owner.userId],
  );
  expect(rows).toHaveLength(3);
  const original = createHash('sha256').update(sent).digest('hex');
  expect(rows.map((row) => row.original.toString('hex'))).toEqual(names.map(() => original));
  expect(new Set(rows.map((row) => row.stored.toString('hex'))).size).toBe(1);
});
