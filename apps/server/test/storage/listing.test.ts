/** Listings: the client's defaults, folders, pages, and the caller's own folder as the horizon. */
import { beforeAll, describe, expect, test } from 'vitest';
import { server, shareTestServer } from '../harness/index.ts';
import { addUser, blob, bucket, jpeg, type StorageUser } from './storage-server.ts';

let trader: StorageUser;
let other: StorageUser;
let admin: StorageUser;
shareTestServer();
beforeAll(async () => {
  [trader, other, admin] = await Promise.all([
    addUser(server, 'trader'),
    addUser(server, 'trader'),
    addUser(server, 'admin'),
  ]);
  await seed(120);
  await other.client.storage.from(bucket).upload(`${other.userId}/selfie.jpg`, blob(jpeg()));
});

/** Names that no upload takes, in a random order of storing; each with two versions. */
async function seed(files: number): Promise<void> {
  await server.db.query(
    `with named as (
       select format('%s/scan_%s.jpg', $1::text, to_char(n, 'FM000')) as path, version,
              gen_random_uuid() as id, timestamptz '2026-01-01Z' + n * interval '1 minute' + version * interval '1 day' as at
       from generate_series(0, $2::int - 1) n, generate_series(1, 2) version order by random()
     ), uploads as (
       insert into app.file_uploads (id, owner_id, started_at) select id, $1::uuid, at from named returning id
     )
     insert into app.files (id, bucket, path, version, owner_id, content_type, size_bytes, chunks, sha256, cache_control_s, stored_at)
     select named.id, $3, path, version, $1::uuid, 'image/png', 100 * version, 1, sha256(path::bytea), 3600, at
     from named join uploads on uploads.id = named.id`,
    [trader.userId, files, bucket],
  );
}

const scans = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => `scan_${String(from + i).padStart(3, '0')}.jpg`);

async function names(of: StorageUser, ...request: Parameters<ReturnType<typeof files>['list']>) {
  const { data, error } = await files(of).list(...request);
  if (error) throw error;
  return data.map(({ name }) => name);
}
const files = (of: StorageUser) => of.client.storage.from(bucket);

describe('CALL-17', () => {
  test('CALL-17: a listing has 100 entries from the first one, by name ascending', async () => {
    expect(await names(trader, trader.userId)).toEqual(scans(0, 100));
  });

  test('CALL-17: the server has the same defaults for an empty body', async () => {
    const answer = await fetch(`${server.url}/storage/v1/object/list/${bucket}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${trader.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prefix: trader.userId }),
    });
    const listed = (await answer.json()) as { name: string }[];
    expect(listed.map(({ name }) => name)).toEqual(scans(0, 100));
  });
});

test('pages, order and search', async () => {
  expect(await names(trader, trader.userId, { offset: 100 })).toEqual(scans(100, 20));
  expect(await names(trader, trader.userId, { limit: 3, offset: 5 })).toEqual(scans(5, 3));
  expect(await names(trader, `/${trader.userId}/`, { limit: 1 })).toEqual(scans(0, 1));
  const descending = { sortBy: { column: 'name', order: 'desc' } };
  expect(await names(trader, trader.userId, { limit: 2, ...descending })).toEqual(scans(118, 2).reverse());
  const newestFirst = { sortBy: { column: 'updated_at', order: 'desc' } };
  expect(await names(trader, trader.userId, { limit: 1, ...newestFirst })).toEqual(scans(119, 1));
  expect(await names(trader, trader.userId, { search: 'SCAN_11' })).toEqual(scans(110, 10));
  // Not a pattern: these are letters of a name like any other.
  expect(await names(trader, trader.userId, { search: 'scan%' })).toEqual([]);
  expect(await names(trader, trader.userId, { limit: 100_000 })).toHaveLength(120);
});

test('an entry describes the newest version, and when the first one came', async () => {
  const { data } = await files(trader).list(trader.userId, { limit: 1 });
  expect(data).toEqual([
    {
      name: 'scan_000.jpg',
      id: expect.any(String),
      created_at: '2026-01-02T00:00:00.000Z',
      updated_at: '2026-01-03T00:00:00.000Z',
      last_accessed_at: null,
      metadata: expect.objectContaining({ size: 200, mimetype: 'image/png', cacheControl: 'max-age=3600' }),
    },
  ]);
});

test('the root has folders, which have no id', async () => {
  const { data } = await files(admin).list();
  expect(data).toEqual(
    [trader.userId, other.userId].toSorted().map((name) => ({
      name,
      id: null,
      created_at: null,
      updated_at: null,
      last_accessed_at: null,
      metadata: null,
    })),
  );
});

test('A60: a trader sees their own folder and no other, for any prefix', async () => {
  expect(await names(trader)).toEqual([trader.userId]);
  expect(await names(trader, other.userId)).toEqual([]);
  expect(await names(trader, `${trader.userId}/../${other.userId}`)).toEqual([]);
  expect(await names(trader, '', { search: other.userId })).toEqual([]);
  expect(await names(admin, other.userId)).toEqual(['selfie.jpg']);
});

test.each([
  { limit: 0 },
  { limit: -1 },
  { limit: 1.5 },
  { offset: -1 },
  { offset: 10_000_000 },
  { sortBy: { column: 'owner_id; drop table app.files', order: 'asc' } },
  { sortBy: { column: 'name', order: 'sideways' } },
  { search: 'x'.repeat(301) },
  { search: 'scan\0' },
])('a listing that cannot be is refused: %j', async (options) => {
  const { error } = await files(trader).list(trader.userId, options);
  expect(error).toMatchObject({ status: 400, statusCode: '400' });
});

test('a folder with a NUL in its name cannot be: a refusal, not a fault', async () => {
  const { error } = await files(trader).list(`${trader.userId}\0`);
  expect(error).toMatchObject({ status: 400, statusCode: '400' });
});
