/** A path sent again is a new version; the earlier ones are evidence that cannot be changed. */
import pg from 'pg';
import { expect, test } from 'vitest';
import {
  addUser,
  admin,
  blob,
  bucket,
  detailed,
  jpeg,
  megabyte,
  png,
  type StorageUser,
  server,
  shareStorage,
  stored,
  storedAs,
  trader,
} from './storage-server.ts';

shareStorage();

const files = (of: StorageUser) => of.client.storage.from(bucket);

async function bytesAt(path: string, versionId?: string): Promise<Buffer> {
  const { data, error } = await files(admin).download(path, versionId === undefined ? {} : { versionId });
  if (error) throw error;
  return Buffer.from(await data.arrayBuffer());
}

test('A57: a second upload to a path is accepted, leads to the newer file and leaves the earlier one', async () => {
  const path = `${trader.userId}/document_front.jpg`;
  const sent = [jpeg(3000, 'first'), png(4000), jpeg(5000, 'third'), jpeg(6000, 'fourth')] as const;
  const answers = [
    await files(trader).upload(path, blob(sent[0])),
    await files(trader).upload(path, blob(sent[1]), { upsert: false }),
    await files(trader).upload(path, sent[2], { upsert: true }),
    await files(trader).update(path, blob(sent[3])),
  ];
  expect(answers.map(({ error }) => error)).toEqual([null, null, null, null]);
  const ids = answers.map(({ data }) => data?.id ?? '');
  expect(new Set(ids).size).toBe(4);
  const storedFiles = await Promise.all(sent.map(storedAs));
  expect(new Set(storedFiles.map((bytes) => bytes.toString('latin1'))).size).toBe(4);
  expect(await bytesAt(path)).toEqual(storedFiles[3]);
  for (const [i, bytes] of storedFiles.entries()) expect(await bytesAt(path, ids[i])).toEqual(bytes);

  const { rows } = await server.db.query('select version from app.files where path = $1 order by version', [
    path,
  ]);
  expect(rows).toEqual([1, 2, 3, 4].map((version) => ({ version })));
  const { data: listed } = await files(trader).list(trader.userId);
  expect(listed?.filter(({ name }) => name === 'document_front.jpg')).toHaveLength(1);
  const { data: described } = await files(admin).info(path, { versionId: ids[1] ?? '' });
  expect(described).toMatchObject({ size: storedFiles[1]?.length, contentType: 'image/png' });
});

test('A57: uploads to one path at the same moment become one version each', async () => {
  const path = `${trader.userId}/document_back.jpg`;
  const answers = await Promise.all(
    Array.from({ length: 3 }, (_, n) => files(trader).upload(path, blob(jpeg(megabyte / 2 + n, `${n}`)))),
  );
  expect(answers.map(({ error }) => error)).toEqual([null, null, null]);
  const { rows } = await server.db.query('select version from app.files where path = $1 order by version', [
    path,
  ]);
  expect(rows).toEqual([1, 2, 3].map((version) => ({ version })));
});

test('a version is found under its own path only', async () => {
  const { data: mine } = await files(trader).upload(`${trader.userId}/selfie.jpg`, blob(jpeg()));
  for (const versionId of [mine?.id ?? '', 'x', '']) {
    const { error } = await files(admin).download(`${trader.userId}/document_front.jpg`, { versionId });
    expect(error).toMatchObject({ status: 404, message: 'Object not found' });
  }
});

test('A57: the server’s own role can neither change nor delete what is stored', async () => {
  await files(trader).upload(`${trader.userId}/selfie.jpg`, blob(jpeg()));
  const before = await stored(server);
  for (const statement of [
    `update app.files set content_type = 'text/html'`,
    `update app.file_chunks set content = 'x'`,
    `update app.file_uploads set started_at = now()`,
    'delete from app.files',
    'delete from app.file_chunks',
    'delete from app.file_uploads',
    'truncate app.files cascade',
  ]) {
    await expect(server.db.query(statement)).rejects.toMatchObject({ code: '42501' });
  }
  // The function that discards does not touch finished files.
  await server.db.query(
    `select app.discard_unfinished_uploads(id, 'infinity', 'infinity') from app.file_uploads`,
  );
  await server.db.query(`select app.discard_unfinished_uploads(null, 'infinity', 'infinity')`);
  const { versions, chunks } = await stored(server);
  expect({ versions, chunks }).toEqual({ versions: before.versions, chunks: before.chunks });
});

test('a chunk that does not belong to the stored bytes is noticed, and nothing damaged is sent whole', async () => {
  const path = `${trader.userId}/selfie.jpg`;
  const { data } = await files(trader).upload(path, blob(detailed(600_000, 'damaged')));
  const owner = new pg.Client({ connectionString: server.databaseUrl });
  await owner.connect();
  await owner.query(
    `update app.file_chunks set content = overlay(content placing '\\x00' from 5) where upload_id = $1 and position = 1`,
    [data?.id],
  );
  await owner.end();
  await expect(bytesAt(path)).rejects.toThrow();
});

test('A73: the files of a deleted account go with it', async () => {
  const leaver = await addUser(server, 'trader');
  await files(leaver).upload(`${leaver.userId}/selfie.jpg`, blob(detailed(600_000, 'leaver')));
  await server.db.query('delete from app.wallets where user_id = $1', [leaver.userId]);
  await server.db.query('delete from app.users where id = $1', [leaver.userId]);
  const { rows } = await server.db.query('select from app.files where owner_id = $1', [leaver.userId]);
  expect(rows).toEqual([]);
  const { rows: orphans } = await server.db.query(
    'select from app.file_chunks c where not exists (select from app.files f where f.id = c.upload_id)',
  );
  expect(orphans).toEqual([]);
});
