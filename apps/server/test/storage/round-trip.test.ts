/** `/storage/v1` with the unmodified client: the picture that goes in comes out, in every way the client has to send and to read. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { texts } from '@fulcrum/contract';
import { describe, expect, test } from 'vitest';
import {
  addUser,
  admin,
  blob,
  bucket,
  detailed,
  jpeg,
  megabyte,
  png,
  server,
  shareStorage,
  storedAs,
  trader,
  webp,
} from './storage-server.ts';

shareStorage();

const traderFiles = () => trader.client.storage.from(bucket);
const adminFiles = () => admin.client.storage.from(bucket);
const pathOf = (name: string) => `${trader.userId}/${name}.jpg`;

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function bytesAt(path: string): Promise<Buffer> {
  const { data, error } = await adminFiles().download(path);
  if (error) throw error;
  return Buffer.from(await data.arrayBuffer());
}

describe('what an upload sends is decoded, encoded again and read back', () => {
  const largest = jpeg(10 * megabyte, 'largest');
  const bodies = {
    'a Blob (a form)': [jpeg(700_001, 'blob'), (bytes: Buffer) => blob(bytes)],
    'a File (a form)': [
      jpeg(3000, 'file'),
      (bytes: Buffer) => new File([new Uint8Array(bytes)], 'ä "x".jpg'),
    ],
    'a FormData': [
      png(4000),
      (bytes: Buffer) => {
        const form = new FormData();
        form.append('picture', blob(bytes), 'a.jpg');
        return form;
      },
    ],
    'a Buffer': [webp(300_000), (bytes: Buffer) => bytes],
    'an ArrayBuffer': [jpeg(500), (bytes: Buffer) => new Uint8Array(bytes).buffer],
    'a stream': [
      jpeg(600_000, 'stream'),
      (bytes: Buffer) => Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]),
    ],
    'a picture of many chunks': [detailed(700_000, 'chunks'), (bytes: Buffer) => blob(bytes)],
    'the largest file': [largest, (bytes: Buffer) => blob(bytes)],
  } as const;

  test.each(Object.entries(bodies))('CALL-16, CALL-62: %s', async (_name, [bytes, body]) => {
    const path = pathOf('selfie');
    const { data, error } = await traderFiles().upload(path, body(bytes));
    expect(error).toBeNull();
    expect(data).toEqual({
      path,
      fullPath: `${bucket}/${path}`,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const read = await bytesAt(path);
    expect(sha256(read)).toBe(sha256(await storedAs(bytes)));
    const { rows } = await server.db.query<{ sha256: Buffer; original_sha256: Buffer }>(
      'select sha256, original_sha256 from app.files where id = $1',
      [data?.id],
    );
    expect(rows[0]?.sha256.toString('hex')).toBe(sha256(read));
    expect(rows[0]?.original_sha256.toString('hex')).toBe(sha256(bytes));
  });
});

test('KYC-11 KYC-12 KYC-13: the three documents lie in their owner’s folder', async () => {
  const names = ['document_front', 'document_back', 'selfie'];
  const sent = await Promise.all(names.map((name) => traderFiles().upload(pathOf(name), blob(jpeg()))));
  expect(sent.map(({ data }) => data?.path)).toEqual(names.map(pathOf));
  const { data } = await traderFiles().list(trader.userId);
  expect(data?.map(({ name }) => name)).toEqual(['document_back.jpg', 'document_front.jpg', 'selfie.jpg']);
});

test('KYC-10: the type follows from the bytes, for any name and header', async () => {
  await traderFiles().upload(pathOf('document_front'), blob(webp(), 'image/jpeg'));
  await traderFiles().upload(pathOf('document_back'), png(), { contentType: 'text/html' });
  const { data } = await traderFiles().list(trader.userId);
  expect(
    Object.fromEntries((data ?? []).map(({ name, metadata }) => [name, metadata?.mimetype])),
  ).toMatchObject({
    'document_front.jpg': 'image/webp',
    'document_back.jpg': 'image/png',
  });
  const { data: picture } = await adminFiles().download(pathOf('document_front'));
  expect(picture?.type).toBe('image/webp');
});

describe('the cache control of an upload is stored', () => {
  const cacheControl = async () => (await adminFiles().info(pathOf('selfie'))).data?.cacheControl;

  test('CALL-18: 3600 by default, in a form and in a header', async () => {
    await traderFiles().upload(pathOf('selfie'), blob(jpeg()));
    expect(await cacheControl()).toBe('max-age=3600');
    await traderFiles().upload(pathOf('selfie'), jpeg());
    expect(await cacheControl()).toBe('max-age=3600');
  });

  test('CALL-18: a stated value, in a form and in a header', async () => {
    await traderFiles().upload(pathOf('selfie'), blob(jpeg()), { cacheControl: '60' });
    expect(await cacheControl()).toBe('max-age=60');
    await traderFiles().upload(pathOf('selfie'), jpeg(), { cacheControl: '61' });
    expect(await cacheControl()).toBe('max-age=61');
  });

  test('a download is never cached all the same', async () => {
    const { data } = await adminFiles().createSignedUrl(pathOf('selfie'), 60);
    const headers = { authorization: `Bearer ${admin.token}` };
    const answer = await fetch(data?.signedUrl ?? '', { headers });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    await answer.arrayBuffer();
  });
});

test('info and exists describe one file', async () => {
  await traderFiles().upload(pathOf('selfie'), blob(jpeg(5000)));
  const stored = await storedAs(jpeg(5000));
  const { data } = await adminFiles().info(pathOf('selfie'));
  expect(data).toMatchObject({
    name: pathOf('selfie'),
    bucketId: bucket,
    size: stored.length,
    contentType: 'image/jpeg',
    etag: `"${sha256(stored)}"`,
  });
  expect((await adminFiles().exists(pathOf('selfie'))).data).toBe(true);
  expect((await adminFiles().exists(`${admin.userId}/selfie.jpg`)).data).toBe(false);
});

test('download reads as a stream too, and HEAD answers the headers alone', async () => {
  const sent = detailed(megabyte, 'streamed');
  const { length } = await storedAs(sent);
  expect(length).toBeGreaterThan(megabyte / 2);
  await traderFiles().upload(pathOf('selfie'), blob(sent));
  const { data: stream } = await adminFiles().download(pathOf('selfie')).asStream();
  let bytes = 0;
  for await (const part of stream ?? []) bytes += part.length;
  expect(bytes).toBe(length);

  for (const route of ['object', 'object/authenticated']) {
    const answer = await fetch(`${server.url}/storage/v1/${route}/${bucket}/${pathOf('selfie')}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${admin.token}` },
    });
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(length)]);
    expect(await answer.text()).toBe('');
  }
});

test('24 uploads at once are all stored whole', async () => {
  const eight = await Promise.all(Array.from({ length: 8 }, () => addUser(server, 'trader')));
  const sent = await Promise.all(
    eight.flatMap(({ client, userId }, i) =>
      Array.from({ length: 3 }, async (_, n) => {
        const bytes = png(megabyte + n, `${i} ${n}`);
        const { data, error } = await client.storage
          .from(bucket)
          .upload(`${userId}/${n % 2 ? 'selfie' : 'document_front'}.jpg`, blob(bytes));
        return { path: data?.path ?? '', id: data?.id ?? '', error, bytes };
      }),
    ),
  );
  expect(sent.map(({ error }) => error)).toEqual(sent.map(() => null));
  for (const { path, id, bytes } of sent) {
    const { data } = await adminFiles().download(path, { versionId: id });
    const read = Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer());
    expect(read.equals(await storedAs(bytes))).toBe(true);
  }
});

test('more than three uploads of one user at once are refused as too many', async () => {
  const { client, userId } = await addUser(server, 'trader');
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      client.storage.from(bucket).upload(`${userId}/selfie.jpg`, blob(jpeg(2 * megabyte))),
    ),
  );
  const refused = answers.flatMap(({ error }) => (error ? [error] : []));
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThanOrEqual(17);
  for (const error of refused)
    expect(error).toMatchObject({ status: 429, message: texts.tooManyAttempts(1) });
});
