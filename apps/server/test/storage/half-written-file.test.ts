/** Threat: a partially received file is treated as complete, or stays behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { hourMs } from '@fulcrum/domain';
import { beforeAll, expect, test } from 'vitest';
import { createManualClock } from '../../src/platform/clock/index.ts';
import { createFileStore } from '../../src/platform/files/index.ts';
import { eventually } from '../harness/eventually.ts';
import { testLog } from '../harness/index.ts';
import {
  addUser,
  admin,
  blob,
  bucket,
  jpeg,
  megabyte,
  type StorageUser,
  server,
  shareStorage,
  stored,
  storedAs,
  trader,
} from './storage-server.ts';

shareStorage();
beforeAll(async () => {
  const { error } = await trader.client.storage
    .from(bucket)
    .upload(`${trader.userId}/selfie.jpg`, blob(earlier));
  if (error) throw error;
});

const untouched = { versions: 1, chunks: 1 };
const written = async () => {
  const { versions, chunks } = await stored(server);
  return { versions, chunks };
};
/** The one picture that was stored whole. */
const earlier = jpeg(5000);
async function isEarlierOne(): Promise<boolean> {
  const { data } = await admin.client.storage.from(bucket).download(`${trader.userId}/selfie.jpg`);
  return Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer()).equals(await storedAs(earlier));
}

/** An upload of which the caller sends as much as it likes; `status` is null when no answer comes. */
async function beginUpload(of: StorageUser, headers: Record<string, string | number>) {
  const sending = request(`${server.url}/storage/v1/object/${bucket}/${of.userId}/selfie.jpg`, {
    method: 'POST',
    headers: { authorization: `Bearer ${of.token}`, ...headers },
  });
  const status = new Promise<number | null>((resolve) => {
    sending.once('response', (answer) => resolve(answer.resume().statusCode ?? null));
    sending.once('error', () => resolve(null));
  });
  return { sending, status };
}
const someChunks = () =>
  eventually(async () => expect((await written()).chunks).toBeGreaterThan(untouched.chunks));
const noneLeft = () => eventually(async () => expect(await written()).toEqual(untouched));

test('an upload whose sender disconnects leaves nothing', async () => {
  const { sending, status } = await beginUpload(trader, {
    'content-type': 'image/jpeg',
    'content-length': 2 * megabyte,
  });
  sending.write(jpeg(megabyte));
  await someChunks();
  expect((await stored(server)).versions).toBe(1);
  // A received and not yet decoded file cannot be read, not even by its id.
  const { rows } = await server.db.query<{ id: string }>(
    'select id from app.file_uploads u where not exists (select from app.files f where f.id = u.id)',
  );
  expect(rows).toHaveLength(1);
  const { error } = await admin.client.storage
    .from(bucket)
    .download(`${trader.userId}/selfie.jpg`, { versionId: rows[0]?.id ?? '' });
  expect(error).toMatchObject({ status: 404 });
  sending.destroy();
  expect(await status).toBeNull();
  await noneLeft();
  expect(await isEarlierOne()).toBe(true);
});

test('a form whose sender disconnects leaves nothing', async () => {
  const { sending, status } = await beginUpload(trader, {
    'content-type': 'multipart/form-data; boundary=x',
  });
  sending.write('--x\r\ncontent-disposition: form-data; name=""; filename="a.jpg"\r\n\r\n');
  sending.write(jpeg(megabyte));
  await someChunks();
  sending.destroy();
  expect(await status).toBeNull();
  await noneLeft();
  expect(await isEarlierOne()).toBe(true);
});

test('an upload whose session ends meanwhile is not stored', async () => {
  const leaver = await addUser(server, 'trader');
  const { sending, status } = await beginUpload(leaver, { 'content-type': 'image/jpeg' });
  sending.write(jpeg(megabyte));
  await someChunks();
  await leaver.client.auth.signOut({ scope: 'local' });
  sending.end();
  expect(await status).toBe(401);
  await noneLeft();
});

test('an upload that the end of the server cuts off leaves nothing', async () => {
  const { sending, status } = await beginUpload(trader, { 'content-type': 'image/jpeg' });
  sending.write(jpeg(megabyte));
  await someChunks();
  await server.restart();
  expect(await status).toBeNull();
  expect(await written()).toEqual(untouched);
  expect(await isEarlierOne()).toBe(true);
});

test('a process killed between two chunks leaves nothing after the next start', async () => {
  const writer = spawn(
    process.execPath,
    [fileURLToPath(new URL('./slow-upload.ts', import.meta.url)), server.databaseUrl, trader.userId],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(writer.stdout, 'data');
  expect((await written()).chunks).toBeGreaterThan(untouched.chunks);
  writer.kill('SIGKILL');
  await once(writer, 'exit');
  expect(await isEarlierOne()).toBe(true);
  await server.restart();
  expect(await written()).toEqual(untouched);
  expect(await isEarlierOne()).toBe(true);
});

const selfie = () => ({
  ownerId: trader.userId,
  bucket,
  path: `${trader.userId}/selfie.jpg`,
  contentType: 'image/jpeg',
  cacheControlS: 0,
});

test('an upload whose bytes another server sweeps away in the moment of its end is not stored', async () => {
  const store = createFileStore({
    db: server.db,
    clock: createManualClock(Date.now()),
    log: testLog,
    rememberAttemptsMs: hourMs,
  });
  async function* bytes() {
    yield jpeg(1000);
  }
  const { promise: held, resolve: commitSweep } = Promise.withResolvers<void>();
  const { promise: swept, resolve: hasSwept } = Promise.withResolvers<void>();
  const id = await store.begin(trader.userId);
  let sweeping: Promise<void> | undefined;
  const { sha256 } = await store.receive(id, trader.userId, bytes());
  const content = { bytes: jpeg(1000), originalSha256: sha256 };
  const finishing = store.finish(id, selfie(), content, async () => {
    sweeping = server.db.transaction(async (tx) => {
      await tx.query(`select app.discard_unfinished_uploads($1, 'infinity', '-infinity')`, [id]);
      hasSwept();
      await held;
    });
    await swept;
  });
  const refused = expect(finishing).rejects.toMatchObject({ code: 'busy' });
  const isWaiting = () => server.db.query('select from pg_locks where not granted');
  await eventually(async () => expect((await isWaiting()).rowCount).toBe(1));
  commitSweep();
  await sweeping;
  await refused;
  expect(await written()).toEqual(untouched);
});

test('the sweep takes what was abandoned, leaves what is under way, and remembers attempts for as long as they count', async () => {
  const clock = createManualClock(Date.now());
  const rememberAttemptsMs = hourMs;
  const store = createFileStore({ db: server.db, clock, log: testLog, rememberAttemptsMs });
  const { attempts: before } = await stored(server);
  let sendRest: () => void = () => undefined;
  const rest = new Promise<void>((resolve) => {
    sendRest = resolve;
  });
  // It requests more bytes only after writing the first part, so no chunk is on its way when the sweep runs.
  const { promise: half, resolve: isHalf } = Promise.withResolvers<void>();
  async function* slowly() {
    yield jpeg(megabyte);
    isHalf();
    await rest;
    yield jpeg(megabyte);
  }
  const id = await store.begin(trader.userId);
  const receiving = store.receive(id, trader.userId, slowly());
  await half;

  clock.advance(9 * 60_000);
  await store.sweep('abandoned');
  expect((await written()).chunks).toBeGreaterThan(untouched.chunks);
  clock.advance(2 * 60_000);
  await store.sweep('abandoned');
  expect(await written()).toEqual(untouched);
  expect((await stored(server)).attempts).toBe(before + 1);

  // A sender that was only slow is asked to try again, and has stored nothing.
  sendRest();
  await expect(store.collect(id, trader.userId, await receiving)).rejects.toMatchObject({ code: 'busy' });
  await store.abandon(id);
  expect(await written()).toEqual(untouched);
  clock.advance(rememberAttemptsMs);
  await store.sweep('abandoned');
  expect((await stored(server)).attempts).toBe(1);
});
