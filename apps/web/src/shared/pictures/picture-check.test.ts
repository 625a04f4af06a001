import { texts } from '@fulcrum/contract/texts';
import { kycPictureBytesMax } from '@fulcrum/domain';
import { afterEach, expect, test, vi } from 'vitest';
import { checkPicture, isSamePicture } from './picture-check.ts';

const jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46, 0, 1] as const;
const heads = {
  jpeg,
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13],
  webp: [...new TextEncoder().encode('RIFF\0\0\0\0WEBP')],
} as const;
const file = (bytes: readonly number[] | string) =>
  new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], { type: 'image/jpeg' });

const decodesTo = (width: number, height: number) =>
  vi.stubGlobal('createImageBitmap', async () => ({ width, height, close: () => undefined }));
afterEach(() => vi.unstubAllGlobals());

test.each(Object.entries(heads))('KYC-10: %s is accepted', async (_type, head) => {
  decodesTo(1000, 630);
  expect(await checkPicture(file(head))).toBeNull();
});

test.each([
  ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['a page', '<!doctype html><title>x</title>'],
  ['a GIF', 'GIF89a.............'],
  ['another RIFF', 'RIFF\0\0\0\0WAVEfmt '],
  ['nothing', ''],
])('KYC-10: %s is refused, whatever its declared type', async (_what, bytes) => {
  decodesTo(1000, 630);
  expect(await checkPicture(file(bytes))).toBe(texts.imageRefused);
});

test('a file over 10 MB or with too many pixels is refused', async () => {
  decodesTo(8000, 5001);
  expect(await checkPicture(new Blob([new Uint8Array(jpeg), new Uint8Array(kycPictureBytesMax)]))).toBe(
    texts.imageRefused,
  );
  expect(await checkPicture(file(jpeg))).toBe(texts.imageTooManyPixels);
  decodesTo(16_385, 10);
  expect(await checkPicture(file(jpeg))).toBe(texts.imageTooLong);
});

test('a picture that the browser cannot open is reported as damaged', async () => {
  vi.stubGlobal('createImageBitmap', async () => {
    throw new DOMException('no', 'InvalidStateError');
  });
  expect(await checkPicture(file(jpeg))).toBe('This picture cannot be opened. It may be damaged.');
});

test('the same picture is recognised by its bytes', async () => {
  expect(await isSamePicture(file(jpeg), file([...jpeg]))).toBe(true);
  expect(await isSamePicture(file(jpeg), file([...jpeg.slice(0, -1), 2]))).toBe(false);
  expect(await isSamePicture(file(jpeg), file([...jpeg, 0]))).toBe(false);
});
