/** Every view of a document is recorded before it happens: the viewer, the owner, the version, and how. */
import type { Caller } from '@fulcrum/contract';
import { beforeAll, expect, test } from 'vitest';
import { createFiles, createViewAudit } from '../../src/features/files/index.ts';
import { createManualClock } from '../../src/platform/clock/index.ts';
import { server, shareTestServer, testLog } from '../harness/index.ts';
import { addUser, blob, bucket, jpeg, png, type StorageUser, storedAs } from './storage-server.ts';

let trader: StorageUser;
let admin: StorageUser;
let path: string;
let ids: string[];
shareTestServer();
beforeAll(async () => {
  [trader, admin] = await Promise.all([addUser(server, 'trader'), addUser(server, 'admin')]);
  path = `${trader.userId}/document_front.jpg`;
  const files = trader.client.storage.from(bucket);
  const sent = [await files.upload(path, blob(jpeg())), await files.upload(path, blob(png()))];
  ids = sent.map(({ data }) => data?.id ?? '');
});

async function viewsOf(run: () => Promise<unknown>) {
  const count = 'select coalesce(max(id), 0) as last from app.audit_log';
  const { rows: before } = await server.db.query<{ last: string }>(count);
  await run();
  const { rows } = await server.db.query(
    'select actor_id, subject_id, action, detail from app.audit_log where id > $1 order by id',
    [before[0]?.last],
  );
  return rows;
}
const as = ({ token }: StorageUser) => ({ authorization: `Bearer ${token}` });
const view = (how: string, version: 1 | 2) => ({
  actor_id: admin.userId,
  subject_id: trader.userId,
  action: 'kyc.view_document',
  detail: { path, version_id: ids[version - 1], version, how },
});

test('A60: a download, a new link, and each use of it', async () => {
  const files = admin.client.storage.from(bucket);
  expect(await viewsOf(() => files.download(path))).toEqual([view('download', 2)]);
  let url = '';
  const signTwo = async () => {
    url = (await files.createSignedUrl(path, 60)).data?.signedUrl ?? '';
  };
  expect(await viewsOf(signTwo)).toEqual([view('link made', 2)]);
  const following = async () => {
    for (let i = 0; i < 2; i += 1) await (await fetch(url, { headers: as(admin) })).arrayBuffer();
  };
  expect(await viewsOf(following)).toEqual([view('link followed', 2), view('link followed', 2)]);
  expect(await viewsOf(() => files.createSignedUrls([path, `${path}x`], 60))).toEqual([view('link made', 2)]);
});

test('a description, a refusal and an invalid link are no views', async () => {
  const nothingSeen = async () => {
    const files = admin.client.storage.from(bucket);
    await files.info(path);
    await files.exists(path);
    await files.list(trader.userId);
    await files.download(`${trader.userId}/selfie.jpg`);
    for (const other of [server.client(), trader.client]) {
      await other.storage.from(bucket).download(path);
      await other.storage.from(bucket).createSignedUrl(path, 60);
    }
    await fetch(`${server.url}/storage/v1/object/sign/${bucket}/${path}?token=x`);
  };
  expect(await viewsOf(nothingSeen)).toEqual([]);
});

test('A57: a feature signs the version that its row names, for a minute', async () => {
  const clock = createManualClock(Date.now());
  const { secrets } = server.server;
  const files = createFiles({
    db: server.db,
    clock,
    secrets,
    log: testLog,
    isRevoked: () => false,
    beforeView: createViewAudit(server.db, clock),
  });
  const { userId } = admin;
  const [, claims = ''] = admin.token.split('.');
  const { session_id } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { session_id: string };
  const viewer: Caller = {
    role: 'admin',
    userId,
    accountId: userId,
    actorId: userId,
    sessionId: session_id,
    impersonationId: null,
  };
  const address = { bucket, path, versionId: ids[0] ?? '' };
  let url = '';
  const signing = async () => {
    const signed = await files.signVersion(viewer, address);
    expect(signed.file).toMatchObject({ id: ids[0], contentType: 'image/jpeg' });
    expect(signed.expiresAt.getTime()).toBe(Math.floor(clock.now() / 1000) * 1000 + 60_000);
    url = signed.url;
  };
  expect(await viewsOf(signing)).toEqual([view('link made', 1)]);
  expect(url.startsWith(`/storage/v1/object/sign/${bucket}/${path}?token=`)).toBe(true);
  const answer = await fetch(`${server.url}${url}`, { headers: as(admin) });
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(await storedAs(jpeg()));

  const foreign = { ...address, path: `${trader.userId}/selfie.jpg` };
  await expect(files.signVersion(viewer, foreign)).rejects.toMatchObject({ status: 404 });
  const owner: Caller = {
    ...viewer,
    role: 'trader',
    userId: trader.userId,
    accountId: trader.userId,
    actorId: trader.userId,
  };
  await expect(files.signVersion(owner, address)).rejects.toMatchObject({ status: 403 });
});

test('A60: a link of a user who lost the role is invalid', async () => {
  const former = await addUser(server, 'admin');
  const { data } = await former.client.storage.from(bucket).createSignedUrl(path, 60);
  const url = data?.signedUrl ?? '';
  expect((await fetch(url, { headers: as(former) })).status).toBe(200);
  const { error } = await former.client.rpc('safe_update_user_profile', {
    user_id: former.userId,
    new_role: 'trader',
  });
  expect(error).toBeNull();
  expect((await fetch(url, { headers: as(former) })).status).toBe(404);
});
