import { kycPictures } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { drawKycPicture } from './drawings.ts';

test('demo: no two users of an identity check share a picture, so that none looks like a duplicate', async () => {
  const users = Array.from({ length: 40 }, (_, slot) => slot);
  for (const picture of kycPictures) {
    const drawn = await Promise.all(users.map((slot) => drawKycPicture(picture, slot)));
    expect(new Set(drawn.map((bytes) => bytes.toString('base64'))).size).toBe(users.length);
  }
});
