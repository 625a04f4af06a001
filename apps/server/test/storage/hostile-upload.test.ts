/** Threat: an upload that is not a picture, is too large, goes where it must not, or comes too often. */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { texts } from '@fulcrum/contract';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock } from '../../src/platform/clock/index.ts';
import { server, shareTestServer } from '../harness/index.ts';
import {
  addUser,
  blob,
  bucket,
  jpeg,
  megabyte,
  png,
  type StorageUser,
  stored,
  webp,
} from './storage-server.ts';

// Ahead of every real clock: the official client renews what has expired by its own.
const clock = createManualClock(Date.parse('2096-11-21T12:00:00Z'));
let trader: StorageUser;
let before: Awaited<ReturnType<typeof stored>>;
shareTestServer({ clock });
beforeAll(async () => {
  trader = await addUser(server, 'trader');
});
beforeEach(async () => {
  before = await stored(server);
});
/** After each refusal: nothing is stored. */
afterEach(async () => {
  const { versions, chunks } = await stored(server);
  expect({ versions, chunks }).toEqual({ versions: before.versions, chunks: before.chunks });
});

const files = (of: StorageUser = trader) => of.client.storage.from(bucket);
const selfie = () => `${trader.userId}/selfie.jpg`;

describe('KYC-10 A59: a file that is no JPEG, PNG or WebP by its bytes is refused', () => {
  const html = Buffer.from('<!doctype html><script>alert(1)</script>');
  const impostors: Record<string, Buffer> = {
    'html named jpg': html,
    'svg named jpg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    'html behind a byte order mark': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), html]),
    gif: Buffer.concat([Buffer.from('GIF89a'), jpeg()]),
    pdf: Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj'),
    'two bytes of a JPEG and then html': Buffer.concat([Buffer.from([0xff, 0xd8]), html]),
    'a JPEG without a segment': Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0x00]), html]),
    'a PNG without its header chunk': Buffer.concat([png().subarray(0, 8), html]),
    'a RIFF of another form': Buffer.concat([Buffer.from('RIFF\x00\x00\x00\x00WAVEfmt ', 'latin1'), html]),
    'a WebP without pictures': Buffer.concat([webp().subarray(0, 12), Buffer.from('EXIF'), html]),
    'a picture behind a space': Buffer.concat([Buffer.from(' '), jpeg()]),
    'fifteen bytes': jpeg().subarray(0, 15),
    'a beginning and nothing else': jpeg().subarray(0, 16),
    'an empty file': Buffer.alloc(0),
  };

  test.each(Object.entries(impostors))('%s', async (_name, bytes) => {
    const refusal = { status: 415, statusCode: '415', message: texts.imageRefused };
    const sent = [
      await files().upload(selfie(), blob(bytes)),
      await files().upload(selfie(), bytes, { contentType: 'image/jpeg' }),
    ];
    for (const { data, error } of sent) {
      expect(data).toBeNull();
      expect(error).toMatchObject(refusal);
    }
  });
});

describe('A59: more than 10 MB is refused, in every form of an upload', () => {
  const bytes = jpeg(10 * megabyte + 1);
  const pieces = () =>
    Readable.from(Array.from({ length: 11 }, (_, i) => (i === 0 ? jpeg(megabyte) : Buffer.alloc(megabyte))));
  test.each([
    ['11 MB in a form', () => blob(jpeg(11 * megabyte))],
    ['11 MB bare', () => jpeg(11 * megabyte)],
    ['one byte too many in a form', () => blob(bytes)],
    ['one byte too many, bare', () => bytes],
    ['11 MB without a declared size', pieces],
  ])('%s', async (_name, body) => {
    const { error } = await files().upload(selfie(), body());
    expect(error).toMatchObject({ status: 413, statusCode: '413', message: texts.imageRefused });
  });

  test('the connection serves the next request', async () => {
    expect((await files().list(trader.userId)).error).toBeNull();
  });
});

describe('A60: a file goes into its owner’s folder, under a name of the bucket', () => {
  test('not into another user’s, whether that exists or not', async () => {
    const other = await addUser(server, 'trader');
    for (const folder of [other.userId, randomUUID(), '', 'public', trader.userId.toUpperCase()]) {
      const { error } = await files().upload(`${folder}/selfie.jpg`, blob(jpeg()));
      expect(error).toMatchObject({ status: 403, message: 'Files go into your own folder only.' });
    }
  });

  test.each([
    'selfie.png',
    'selfie.jpg.html',
    'selfie',
    'Selfie.jpg',
    'selfie.jpg/x.jpg',
    'sub/selfie.jpg',
    'other.jpg',
    ` selfie.jpg`,
    `${'x'.repeat(300)}.jpg`,
  ])('not under the name %j', async (name) => {
    const { error } = await files().upload(`${trader.userId}/${name}`, blob(jpeg()));
    expect(error).toMatchObject({ status: 400, statusCode: '400', message: 'Invalid key' });
  });

  test.each([
    ['..%2f..%2f', 400],
    ['%2e%2e/', 400],
    ['../', 400],
    ['./', 400],
    ['.//', 400],
    ['%252e%252e%252f', 400],
    ['..%5c', 400],
    ['selfie.jpg%00', 400],
    ['%0d%0aset-cookie:x=1', 400],
    ['%c0%ae%c0%ae/', 400],
    ['%zz', 400],
  ])('not by the trick %s', async (trick, status) => {
    const path = `/storage/v1/object/${bucket}/${trader.userId}/${trick}selfie.jpg`;
    expect(await rawStatus(path)).toBe(status);
  });

  test('not by a slash that is written otherwise', async () => {
    expect(await rawStatus(`/storage/v1/object/${bucket}/${trader.userId}%2Fselfie.jpg`)).toBe(400);
    expect(await rawStatus(`/storage/v1/object/${bucket}%2F${trader.userId}/selfie.jpg`)).toBe(404);
    expect(await rawStatus(`/storage/v1/object/x/../${bucket}/${trader.userId}/selfie.jpg`)).toBe(404);
  });
});

/** A request whose path no client tidies up. */
function rawStatus(path: string): Promise<number> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${trader.token}\r\ncontent-type: image/jpeg\r\ncontent-length: 2000\r\nconnection: close\r\n\r\n`,
      );
      socket.end(jpeg());
    });
    let answer = '';
    socket.setEncoding('latin1').on('data', (part: string) => {
      answer += part;
    });
    socket.once('error', reject).once('end', () => resolve(Number(answer.split(' ', 2)[1])));
  });
}

describe('a form', () => {
  const send = async (form: FormData | string, type?: string) => {
    const answer = await fetch(`${server.url}/storage/v1/object/${bucket}/${selfie()}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${trader.token}`, ...(type && { 'content-type': type }) },
      body: form,
    });
    return { status: answer.status, body: await answer.json() };
  };

  test('with two files is refused as a whole', async () => {
    const form = new FormData();
    form.append('', blob(jpeg(400_000)));
    form.append('', blob(jpeg(400_000, 'other')));
    expect(await send(form)).toMatchObject({ status: 413, body: { statusCode: '413' } });
  });

  test('without a file is refused', async () => {
    const form = new FormData();
    form.append('cacheControl', '3600');
    expect((await send(form)).status).toBe(400);
  });

  test('with too many fields is refused', async () => {
    const form = new FormData();
    for (let i = 0; i < 50; i += 1) form.append(`field${i}`, 'x');
    form.append('', blob(jpeg()));
    expect((await send(form)).status).toBe(413);
  });

  test.each([
    ['a boundary that never comes', 'multipart/form-data; boundary=x', 'nothing of the kind'],
    ['no boundary', 'multipart/form-data', '--x--'],
    [
      'no end',
      'multipart/form-data; boundary=x',
      `--x\r\ncontent-disposition: form-data; name=""; filename="a"\r\n\r\n${jpeg().toString('latin1')}`,
    ],
  ])('that cannot be read is refused: %s', async (_name, type, text) => {
    const { status, body } = await send(text, type);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(body).toMatchObject({ statusCode: String(status) });
  });
});

test('a user who begins 60 uploads within an hour waits, also after a restart', async () => {
  const eager = await addUser(server, 'trader');
  for (let i = 0; i < 60; i += 1) {
    const { error } = await files(eager).upload(`${eager.userId}/selfie.jpg`, Buffer.from('no picture'));
    expect(error).toMatchObject({ status: 415 });
  }
  const again = () => files(eager).upload(`${eager.userId}/selfie.jpg`, Buffer.from('no picture'));
  expect((await again()).error).toMatchObject({ status: 429, message: texts.tooManyAttempts(3600) });
  await server.restart();
  expect((await again()).error).toMatchObject({ status: 429 });
  expect((await files().upload(selfie(), Buffer.from('no picture'))).error).toMatchObject({ status: 415 });
  clock.advance(14 * 60_000);
  expect((await again()).error).toMatchObject({ status: 429 });
});

test('a user whose versions fill the space can store no more', async () => {
  const hoarder = await addUser(server, 'trader');
  await server.db.query(
    `with upload as (insert into app.file_uploads (owner_id, started_at) values ($1, '2026-01-01Z') returning id)
     insert into app.files (id, bucket, path, version, owner_id, content_type, size_bytes, chunks, sha256, cache_control_s, stored_at)
     select id, $2, $1::text || '/selfie.jpg', 1, $1::uuid, 'image/png', 600 * 1024 * 1024, 1, sha256(''), 0, now() from upload`,
    [hoarder.userId, bucket],
  );
  const { error } = await files(hoarder).upload(`${hoarder.userId}/selfie.jpg`, blob(jpeg()));
  expect(error).toMatchObject({ status: 413, message: texts.filesFull });
  before = { ...before, versions: before.versions + 1 };
});
