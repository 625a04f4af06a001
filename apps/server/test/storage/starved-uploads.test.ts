/** Threat: a few accounts begin uploads that they hardly send, so that other users find no free place. */
import { connect, type Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTransfers, limits } from '../../src/features/files/limits.ts';
import { createManualClock } from '../../src/platform/clock/index.ts';
import { server, shareTestServer } from '../harness/index.ts';
import { addUser, blob, bucket, jpeg, megabyte, type StorageUser, stored } from './storage-server.ts';

// Ahead of every real clock: the official client renews what has expired by its own.
const clock = createManualClock(Date.parse('2096-11-21T12:00:00Z'));
let trader: StorageUser;
shareTestServer({ clock });
beforeAll(async () => {
  trader = await addUser(server, 'trader');
});

interface Sender {
  send(bytes: Buffer): void;
  /** The whole answer, when the server has closed the connection. */
  readonly answer: Promise<string>;
}
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

type Form = 'bare' | 'form';

/** An upload of `size` bytes of which nothing is sent yet but the request's head and, in a form, the file's. */
function begin(of: StorageUser, size: number, form: Form = 'bare'): Sender {
  const { hostname, port } = new URL(server.url);
  const [type, partHead] =
    form === 'bare'
      ? ['image/jpeg', '']
      : [
          'multipart/form-data; boundary=x',
          '--x\r\ncontent-disposition: form-data; name=""; filename="a"\r\ncontent-type: image/jpeg\r\n\r\n',
        ];
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.write(
    `POST /storage/v1/object/${bucket}/${of.userId}/selfie.jpg HTTP/1.1\r\nhost: ${hostname}\r\n` +
      `authorization: Bearer ${of.token}\r\ncontent-type: ${type}\r\ncontent-length: ${size + partHead.length}\r\n` +
      `x-upsert: true\r\nconnection: close\r\n\r\n${partHead}`,
  );
  const answer = new Promise<string>((resolve) => {
    let text = '';
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part;
    });
    // A reset connection has delivered everything it had.
    socket.once('error', () => resolve(text)).once('close', () => resolve(text));
  });
  return { send: (bytes) => void socket.write(bytes), answer };
}

const upload = (of: StorageUser) =>
  of.client.storage.from(bucket).upload(`${of.userId}/selfie.jpg`, blob(jpeg()), { upsert: true });
const attempts = async () => (await stored(server)).attempts;

describe('users with stalled uploads', () => {
  test('eight of them take no place from users without one; a further one of their own is refused', async () => {
    const crowd = await Promise.all(Array.from({ length: 8 }, () => addUser(server, 'trader')));
    const before = await attempts();
    const held = crowd.flatMap((one) =>
      Array.from({ length: limits.uploads.perUserMax }, () => begin(one, megabyte)),
    );
    await expect.poll(attempts).toBe(before + held.length);
    expect(held).toHaveLength(24);

    expect((await upload(crowd[0]!)).error).toMatchObject({ status: 429 });
    expect((await upload(trader)).error).toBeNull();
    const slow = begin(trader, megabyte);
    await expect.poll(attempts).toBe(before + held.length + 2);
    expect(
      (await upload(trader)).error,
      'a user with one upload finds the rest reserved for others',
    ).toMatchObject({
      status: 503,
    });

    clock.advance(limits.uploadPace.graceMs + 1);
    for (const { answer } of [...held, slow])
      expect(await answer).toMatch(/^HTTP\/1.1 400 [\s\S]+RequestTimeout/);
    expect((await upload(crowd[0]!)).error).toBeNull();
    expect((await stored(server)).chunks, 'nothing of a cut-off upload is stored').toBe(2);
  });

  test('the last quarter of the places goes to those who have none, one each', () => {
    const transfers = createTransfers({ atOnceMax: 8, perUserMax: 3 });
    const ends = ['a', 'a', 'a', 'b', 'b', 'b'].map((name) => transfers.begin(name));
    expect(() => transfers.begin('a')).toThrow(expect.objectContaining({ code: 'too_many_attempts' }));
    ends.push(transfers.begin('c'));
    expect(() => transfers.begin('c')).toThrow(expect.objectContaining({ code: 'busy' }));
    ends.push(transfers.begin('d'));
    expect(() => transfers.begin('e')).toThrow(expect.objectContaining({ code: 'busy' }));
    for (const end of ends.splice(0, 3)) end();
    transfers.begin('c');
  });
});

describe('a slow sender', () => {
  test.each<[string, Form, Buffer]>([
    ['that sends nothing', 'bare', Buffer.alloc(0)],
    ['that sends the beginning of a picture', 'bare', jpeg(20_000)],
    ['of a form that sends nothing of its file', 'form', Buffer.alloc(0)],
    ['of a form that sends the beginning of a picture', 'form', jpeg(20_000)],
  ])('%s is cut off after the grace, and nothing is stored', async (_name, form, bytes) => {
    const before = await stored(server);
    const sender = begin(trader, megabyte, form);
    await expect.poll(attempts).toBe(before.attempts + 1);
    sender.send(bytes);
    clock.advance(limits.uploadPace.graceMs + 1);
    const answer = await sender.answer;
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('The upload was too slow.');
    expect(await stored(server)).toMatchObject({ versions: before.versions, chunks: before.chunks });
  });

  test('with a good average can finish, after a pause of any length', async () => {
    const before = await stored(server);
    const picture = jpeg(megabyte);
    const sender = begin(trader, picture.length);
    // Three quarters of a megabyte pay for 48 seconds.
    sender.send(picture.subarray(0, 0.75 * megabyte));
    await expect.poll(async () => (await stored(server)).chunks).toBe(before.chunks + 3);
    clock.advance(40_000);
    sender.send(picture.subarray(0.75 * megabyte));
    expect(await sender.answer).toMatch(/^HTTP\/1.1 200 /);
    expect((await stored(server)).versions).toBe(before.versions + 1);
  });
});
