/** Threat: a link to a document that works too long, for another user, or for another file. */
import { randomUUID } from 'node:crypto';
import { createSigner } from 'fast-jwt';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock } from '../../src/platform/clock/index.ts';
import { server, shareTestServer } from '../harness/index.ts';
import { addUser, blob, bucket, jpeg, png, type StorageUser, storedAs } from './storage-server.ts';

// Ahead of every real clock: the official client renews what has expired by its own.
const clock = createManualClock(Date.parse('2096-11-21T12:00:00Z'));
let trader: StorageUser;
let admin: StorageUser;
let path: string;
shareTestServer({ clock });
beforeAll(async () => {
  [trader, admin] = await Promise.all([addUser(server, 'trader'), addUser(server, 'admin')]);
  path = `${trader.userId}/selfie.jpg`;
  await trader.client.storage.from(bucket).upload(path, blob(jpeg(5000)));
});

async function linkOf(of: StorageUser, expiresIn = 60, options: { download?: string | boolean } = {}) {
  const { data, error } = await of.client.storage.from(bucket).createSignedUrl(path, expiresIn, options);
  if (error) throw error;
  return data.signedUrl;
}
const asUser = ({ token }: Pick<StorageUser, 'token'>) => ({ authorization: `Bearer ${token}` });
/** As the administrator by default. */
const statusOf = async (url: string, headers: Record<string, string> = asUser(admin)) => {
  const answer = await fetch(url, { headers });
  await answer.arrayBuffer();
  return answer.status;
};
const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? '';
const lifetimeOf = (link: string) => {
  const { iat, exp } = JSON.parse(Buffer.from(tokenOf(link).split('.')[1] ?? '', 'base64url').toString());
  return exp - iat;
};

test('A60: a link shows the picture to its requester, and to no caller without a session', async () => {
  expect(await statusOf(await linkOf(admin), {})).toBe(404);
  const answer = await fetch(await linkOf(admin), { headers: asUser(admin) });
  expect(answer.status).toBe(200);
  const stored = await storedAs(jpeg(5000));
  expect(Buffer.from(await answer.arrayBuffer()).equals(stored)).toBe(true);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'content-length': String(stored.length),
    'content-disposition': 'inline; filename="selfie.jpg"',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  });
  const head = { method: 'HEAD', headers: asUser(admin) };
  expect((await fetch(await linkOf(admin), head)).status).toBe(200);
});

test('A60: a link lives for the requested time and never longer than a minute', async () => {
  const [short, long] = [await linkOf(admin, 10), await linkOf(admin, 86_400)];
  expect([lifetimeOf(short), lifetimeOf(long)]).toEqual([10, 60]);
  clock.advance(9999);
  expect([await statusOf(short), await statusOf(long)]).toEqual([200, 200]);
  clock.advance(1);
  expect([await statusOf(short), await statusOf(long)]).toEqual([404, 200]);
  clock.advance(50_000);
  expect(await statusOf(long)).toBe(404);
});

test.each([0, -1, 1.5, Number.NaN])('a lifetime of %s seconds is refused', async (expiresIn) => {
  const { error } = await admin.client.storage.from(bucket).createSignedUrl(path, expiresIn);
  expect(error).toMatchObject({ status: 400 });
});

describe('an invalid link looks like a missing file', () => {
  let link: string;
  beforeEach(async () => {
    link = await linkOf(admin);
  });

  test('without its token, with another one, or with a letter changed', async () => {
    const token = tokenOf(link);
    const at = token.indexOf('.') + 20;
    const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
    const [head, body] = token.split('.');
    for (const forged of ['', 'x', changed, `${head}.${body}.`, `${token}A`, 'a'.repeat(3000)]) {
      expect(await statusOf(`${link.split('?')[0]}?token=${forged}`)).toBe(404);
    }
    expect(await statusOf(link.split('?')[0] ?? '')).toBe(404);
    expect(await statusOf(link)).toBe(200);
  });

  test('unsigned, or signed with the key of access tokens', async () => {
    const [, body = ''] = tokenOf(link).split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
    const none = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${body}.`;
    const signed = createSigner({ key: server.server.secrets.jwtSecret, algorithm: 'HS256' })(claims);
    for (const token of [none, signed]) {
      expect(await statusOf(`${link.split('?')[0]}?token=${token}`)).toBe(404);
    }
  });

  test('on another path or bucket', async () => {
    await trader.client.storage.from(bucket).upload(`${trader.userId}/document_back.jpg`, blob(jpeg()));
    for (const target of [`${bucket}/${trader.userId}/document_back.jpg`, `avatars/${path}`]) {
      expect(await statusOf(`${server.url}/storage/v1/object/sign/${target}?token=${tokenOf(link)}`)).toBe(
        404,
      );
    }
  });

  test('as an access token, and an access token as a link', async () => {
    const download = `${server.url}/storage/v1/object/${bucket}/${path}`;
    expect(await statusOf(download, { authorization: `Bearer ${tokenOf(link)}` })).toBe(401);
    expect(await statusOf(`${link.split('?')[0]}?token=${admin.token}`)).toBe(404);
  });

  test('used by another signed-in user, or with an invalid session', async () => {
    const second = await addUser(server, 'admin');
    expect(await statusOf(link, asUser(second))).toBe(404);
    expect(await statusOf(link, asUser(trader))).toBe(404);
    expect(await statusOf(link, { authorization: 'Bearer broken' })).toBe(404);
    expect(await statusOf(link)).toBe(200);
  });

  test('after the session that it was made in has ended', async () => {
    const leaver = await addUser(server, 'admin');
    const theirs = await linkOf(leaver);
    expect(await statusOf(theirs, asUser(leaver))).toBe(200);
    await leaver.client.auth.signOut({ scope: 'local' });
    expect(await statusOf(theirs, asUser(leaver))).toBe(404);
    await server.restart();
    expect(await statusOf(theirs, asUser(leaver))).toBe(404);
    expect(await statusOf(link)).toBe(200);
  });
});

test('A57: a link leads to the version it was made for, also when a newer one has come', async () => {
  const link = await linkOf(admin);
  const newer = png(7000, 'newer');
  await trader.client.storage.from(bucket).upload(path, blob(newer));
  const at = async (url: string) =>
    Buffer.from(await (await fetch(url, { headers: asUser(admin) })).arrayBuffer());
  expect(await at(link)).toEqual(await storedAs(jpeg(5000)));
  expect(await at(await linkOf(admin))).toEqual(await storedAs(newer));
});

test('several links at once: those that exist, and the same word for all others', async () => {
  const paths = [path, `${trader.userId}/none.jpg`, '../secrets', `${randomUUID()}/selfie.jpg`];
  const { data } = await admin.client.storage.from(bucket).createSignedUrls(paths, 60);
  expect(data?.map(({ path: of, error }) => [of, error])).toEqual([
    [path, null],
    ...paths.slice(1).map((of) => [of, 'Object not found']),
  ]);
  expect(await statusOf(data?.[0]?.signedUrl ?? '')).toBe(200);
  const many = Array.from({ length: 101 }, () => path);
  const { error } = await admin.client.storage.from(bucket).createSignedUrls(many, 60);
  expect(error).toMatchObject({ status: 400 });
});

test('a trader makes no links, not even to the own files', async () => {
  const { error } = await trader.client.storage.from(bucket).createSignedUrl(path, 60);
  expect(error).toMatchObject({ status: 403 });
  const { error: several } = await trader.client.storage.from(bucket).createSignedUrls([path], 60);
  expect(several).toMatchObject({ status: 403 });
});

test.each([
  [true, 'attachment; filename="selfie.jpg"; filename*=UTF-8\'\'selfie.jpg'],
  ['passport.png', 'attachment; filename="passport.png"; filename*=UTF-8\'\'passport.png'],
  [
    'a"b\\c/../d;e\r\nx: y.jpg',
    'attachment; filename="a_b_c_.._d_e__x_ y.jpg"; filename*=UTF-8\'\'a_b_c_.._d_e__x_%20y.jpg',
  ],
  [
    'пас порт.jpg',
    'attachment; filename="___ ____.jpg"; filename*=UTF-8\'\'%D0%BF%D0%B0%D1%81%20%D0%BF%D0%BE%D1%80%D1%82.jpg',
  ],
  ['..', 'attachment; filename="selfie.jpg"; filename*=UTF-8\'\'selfie.jpg'],
])('the name under which a browser saves it: %j', async (download, expected) => {
  const answer = await fetch(await linkOf(admin, 60, { download }), { headers: asUser(admin) });
  expect(answer.headers.get('content-disposition')).toBe(expected);
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(0);
});
