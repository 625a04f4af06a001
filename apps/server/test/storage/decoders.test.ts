/** Threat: pictures that occupy the decoders and block all users; a library that reads more than pictures. */
import type { Caller } from '@fulcrum/contract';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { createFiles } from '../../src/features/files/index.ts';
import { createPictures } from '../../src/features/files/pictures.ts';
import { systemClock } from '../../src/platform/clock/index.ts';
import { server, shareTestServer, testLog } from '../harness/index.ts';
import { addUser, bucket, jpeg, megabyte, noise, type StorageUser, stored } from './storage-server.ts';

let trader: StorageUser;
shareTestServer();
beforeAll(async () => {
  trader = await addUser(server, 'trader');
});

const [width, height] = [64, 48];
const picture = () => sharp(noise(width * height * 3, 'decoders'), { raw: { width, height, channels: 3 } });

describe('the decoders', () => {
  const { promise: never } = Promise.withResolvers<void>();

  test('a picture that is too large in every form is refused, and so is one of another type than it began as', async () => {
    const pictures = createPictures(testLog);
    const bytes = await picture().png().toBuffer();
    const bounds = { pixelsMax: width * height, sidePixelsMax: Math.max(width, height), bytesMax: 400 };
    await expect(pictures.encodeAgain(bytes, 'image/png', bounds)).rejects.toMatchObject({
      reason: 'image_too_detailed',
    });
    await expect(pictures.encodeAgain(bytes, 'image/jpeg', bounds)).rejects.toMatchObject({
      reason: 'image_refused',
    });
    const fewer = { ...bounds, pixelsMax: width * height - 1 };
    await expect(pictures.encodeAgain(bytes, 'image/png', fewer)).rejects.toMatchObject({
      reason: 'image_too_many_pixels',
    });
    const shorter = { ...bounds, sidePixelsMax: bounds.sidePixelsMax - 1 };
    await expect(pictures.encodeAgain(bytes, 'image/png', shorter)).rejects.toMatchObject({
      reason: 'image_too_long',
    });
  });

  test('two work at once; 30 more wait for them, and the next is refused as busy', async () => {
    const { withDecodeSlot } = createPictures(testLog);
    let running = 0;
    const hold = () => {
      running += 1;
      return never;
    };
    for (let i = 0; i < 32; i += 1) void withDecodeSlot(`person ${i}`, hold);
    await expect(withDecodeSlot('one more', hold)).rejects.toMatchObject({ code: 'busy' });
    expect(running).toBe(2);
  });

  test('they decode only the given formats', async () => {
    for (const bytes of [
      await picture().gif().toBuffer(),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ]) {
      await expect(sharp(bytes).metadata()).rejects.toThrow('unsupported image format');
    }
  });
});

test('an upload whose sender left the queue is not decoded, and nothing is stored', async () => {
  const before = await stored(server);
  const { db, secrets } = server.server;
  const files = createFiles({ db, clock: systemClock, secrets, log: testLog, isRevoked: () => false });
  const { userId } = trader;
  const caller: Caller = {
    role: 'trader',
    userId,
    accountId: userId,
    actorId: userId,
    sessionId: userId,
    impersonationId: null,
  };
  async function* body() {
    yield jpeg(megabyte);
  }
  const sending = files.upload(caller, {
    bucket,
    path: `${userId}/selfie.jpg`,
    declaredBytes: null,
    open: async () => ({ cacheControlS: 0, bytes: body() }),
    sender: AbortSignal.abort(),
  });
  await expect(sending).rejects.toMatchObject({ reason: 'upload_broken_off' });
  const { versions, chunks } = await stored(server);
  expect({ versions, chunks }).toEqual({ versions: before.versions, chunks: before.chunks });
});
