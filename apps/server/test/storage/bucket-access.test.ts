/**
 * Permissions on files, compared with docs/authorization.md. First the document must list the contract's
 * declarations; then the unmodified client tries every cell of it, and accesses that no role has.
 */
import { buckets, type Caller, roles, type SignedIn, texts, type UserRole } from '@fulcrum/contract';
import type { SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, test } from 'vitest';
import { createFiles, type FileView } from '../../src/features/files/index.ts';
import { createManualClock } from '../../src/platform/clock/index.ts';
import { tableUnder } from '../authorization/matrix.ts';
import { server, shareTestServer, testLog } from '../harness/index.ts';
import { addUser, blob, bucket, jpeg, type StorageUser, stored } from './storage-server.ts';

const userRoles = roles.filter((role): role is UserRole => role !== 'anon');
let users: Record<UserRole, StorageUser>;
let stranger: StorageUser;
shareTestServer();
beforeAll(async () => {
  const made = await Promise.all(userRoles.map(async (role) => [role, await addUser(server, role)] as const));
  users = Object.fromEntries(made) as Record<UserRole, StorageUser>;
  stranger = await addUser(server, 'trader');
  const { error } = await stranger.client.storage
    .from(bucket)
    .upload(`${stranger.userId}/selfie.jpg`, blob(jpeg()));
  if (error) throw error;
});

const cellOf = (scope: string | undefined) => (scope === 'own folder' ? 'own' : (scope ?? '–'));

test('A60: docs/authorization.md lists the buckets that the contract declares', () => {
  const declared = buckets.flatMap(({ name, access }) =>
    (['upload', 'list', 'read'] as const).map((action) => ({
      bucket: name,
      action,
      ...Object.fromEntries(
        roles.map((role) => {
          const allowed: Readonly<Record<string, Readonly<Record<string, string>>>> = access;
          return [role, cellOf(allowed[role]?.[action])];
        }),
      ),
    })),
  );
  expect(tableUnder('Buckets')).toEqual(declared);
});

test('no bucket has a name that is a word of the protocol', () => {
  const reserved = ['authenticated', 'copy', 'info', 'list', 'list-v2', 'move', 'public', 'sign', 'upload'];
  for (const { name } of buckets) {
    expect(reserved).not.toContain(name);
    expect(name).toMatch(/^[a-z][a-z-]+$/);
  }
});

/**
 * The client's result, as the document writes it; `–` is a refusal with a status that reveals nothing about the path.
 */
type Outcome = 'done' | '–';
interface FileLocation {
  readonly bucket: string;
  /** A name that the bucket accepts. */
  readonly file: string;
}
type Attempt = (client: SupabaseClient, owner: string, location: FileLocation) => Promise<Outcome>;

function outcomeOf(error: { status?: number | undefined } | null): Outcome {
  if (!error) return 'done';
  if ([401, 403, 404].includes(error.status ?? 0)) return '–';
  throw error;
}
const locationOf = (name: string): FileLocation => ({
  bucket: name,
  file: name === bucket ? 'selfie.jpg' : `${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}.jpg`,
});
const attempts: Record<string, Attempt[]> = {
  upload: [
    async (client, owner, location) =>
      outcomeOf(
        (await client.storage.from(location.bucket).upload(`${owner}/${location.file}`, blob(jpeg()))).error,
      ),
    async (client, owner, location) =>
      outcomeOf(
        (await client.storage.from(location.bucket).update(`${owner}/${location.file}`, jpeg())).error,
      ),
  ],
  list: [
    async (client, owner, location) => {
      const { data, error } = await client.storage.from(location.bucket).list(owner);
      // Another user's folder looks empty.
      return data?.length === 0 ? '–' : outcomeOf(error);
    },
  ],
  read: [
    async (client, owner, location) =>
      outcomeOf((await client.storage.from(location.bucket).download(`${owner}/${location.file}`)).error),
    async (client, owner, location) =>
      outcomeOf((await client.storage.from(location.bucket).info(`${owner}/${location.file}`)).error),
    async (client, owner, location) =>
      outcomeOf(
        (await client.storage.from(location.bucket).createSignedUrl(`${owner}/${location.file}`, 60)).error,
      ),
    async (client, owner, location) => {
      const { data, error } = await client.storage
        .from(location.bucket)
        .createSignedUrls([`${owner}/${location.file}`], 60);
      return data?.[0]?.error ? '–' : outcomeOf(error);
    },
  ],
};

/** A file in every user's folder, including users who cannot upload: a refusal then depends on the role. */
async function ensureOwnFiles(location: FileLocation): Promise<void> {
  await server.db.query(
    `with owner as (select unnest($1::uuid[]) as id), upload as (
       insert into app.file_uploads (id, owner_id, started_at) select gen_random_uuid(), id, now() from owner returning id, owner_id
     ), chunk as (
       insert into app.file_chunks (upload_id, position, content) select id, 0, 'x' from upload
     )
     insert into app.files (id, bucket, path, version, owner_id, content_type, size_bytes, chunks, sha256, cache_control_s, stored_at)
     select id, $2, owner_id || '/' || $3, 1, owner_id, 'image/png', 1, 1, sha256('x'), 0, now() from upload`,
    [userRoles.map((role) => users[role].userId), location.bucket, location.file],
  );
}

describe.each(tableUnder('Buckets'))('A60 X-20: $action in $bucket', (line) => {
  const location = locationOf(line.bucket ?? '');
  beforeAll(async () => {
    const { rows } = await server.db.query('select from app.files where owner_id = $1 and bucket = $2', [
      users.admin.userId,
      location.bucket,
    ]);
    if (rows.length === 0) await ensureOwnFiles(location);
  });

  test.each(roles)('by %s', async (role) => {
    const cell = line[role] ?? '';
    const client = role === 'anon' ? server.client() : users[role].client;
    for (const attempt of attempts[line.action ?? ''] ?? []) {
      expect(await attempt(client, stranger.userId, location)).toBe(cell === 'all' ? 'done' : '–');
      if (role !== 'anon') {
        expect(await attempt(client, users[role].userId, location)).toBe(cell === '–' ? '–' : 'done');
      }
    }
  });
});

test('A60: a caller who may not read learns nothing about existing files', async () => {
  const there = `${stranger.userId}/selfie.jpg`;
  const notThere = `${stranger.userId}/document_back.jpg`;
  for (const client of [
    server.client(),
    ...userRoles.filter((r) => r !== 'admin').map((r) => users[r].client),
  ]) {
    const bucketOf = client.storage.from(bucket);
    for (const ask of [
      async (path: string) => (await bucketOf.download(path)).error,
      async (path: string) => (await bucketOf.info(path)).error,
      async (path: string) => (await bucketOf.createSignedUrl(path, 60)).error,
      async (path: string) => (await bucketOf.upload(path, blob(jpeg()))).error,
    ]) {
      expect(JSON.stringify(await ask(there))).toBe(JSON.stringify(await ask(notThere)));
    }
  }
});

test('a bucket that is not declared does not exist, for anybody', async () => {
  for (const client of [server.client(), users.admin.client, users.trader.client]) {
    const bucketOf = client.storage.from('avatars');
    const errors = [
      (await bucketOf.upload('a/selfie.jpg', blob(jpeg()))).error,
      (await bucketOf.list()).error,
      (await bucketOf.download('a.jpg')).error,
      (await bucketOf.createSignedUrl('a.jpg', 60)).error,
      (await bucketOf.createSignedUrls(['a.jpg'], 60)).error,
      (await bucketOf.info('a.jpg')).error,
    ];
    for (const error of errors) {
      expect(error).toMatchObject({ status: 404, statusCode: '404', message: 'Bucket not found' });
    }
  }
});

test('what is not served is refused in the client’s own error, and changes nothing', async () => {
  const { client } = users.admin;
  const bucketOf = client.storage.from(bucket);
  const path = `${stranger.userId}/selfie.jpg`;
  const before = await stored(server);
  const answers = [
    await bucketOf.remove([path]),
    await bucketOf.move(path, `${users.admin.userId}/selfie.jpg`),
    await bucketOf.copy(path, `${users.admin.userId}/selfie.jpg`),
    await bucketOf.createSignedUploadUrl(path),
    await bucketOf.uploadToSignedUrl(path, 'x', blob(jpeg())),
    await bucketOf.listV2(),
    await bucketOf.purgeCache(path),
    await bucketOf.download(path, { transform: { width: 10 } }),
    await client.storage.listBuckets(),
    await client.storage.getBucket(bucket),
    await client.storage.createBucket('more'),
    await client.storage.updateBucket(bucket, { public: true }),
    await client.storage.emptyBucket(bucket),
    await client.storage.deleteBucket(bucket),
  ];
  for (const { error } of answers) expect(error).toMatchObject({ status: 404, statusCode: '404' });
  const { error } = await bucketOf.createSignedUrl(path, 60, { transform: { width: 10 } });
  expect(error).toMatchObject({ status: 400 });
  const { publicUrl } = bucketOf.getPublicUrl(path).data;
  for (const url of [publicUrl, publicUrl.replace('/object/', '/render/image/')]) {
    expect((await fetch(url)).status).toBe(404);
  }
  const resumable = await fetch(`${server.url}/storage/v1/upload/resumable`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${users.trader.token}`,
      'tus-resumable': '1.0.0',
      'upload-length': '10',
    },
  });
  expect(resumable.status).toBe(404);
  const { versions, chunks } = await stored(server);
  expect({ versions, chunks }).toEqual({ versions: before.versions, chunks: before.chunks });
});

test('an ended session, a broken token and a foreign key are refused at once', async () => {
  const leaver = await addUser(server, 'admin');
  const ask = (headers: Record<string, string>) =>
    fetch(`${server.url}/storage/v1/object/${bucket}/${stranger.userId}/selfie.jpg`, { headers });
  const authorization = `Bearer ${leaver.token}`;
  expect((await ask({ authorization })).status).toBe(200);
  expect((await ask({ authorization, apikey: 'sb_publishable_other' })).status).toBe(401);
  expect((await ask({ authorization: `${authorization}x` })).status).toBe(401);
  await leaver.client.auth.signOut({ scope: 'local' });
  const refused = await ask({ authorization });
  expect(refused.status).toBe(401);
  expect(await refused.json()).toEqual({
    statusCode: '401',
    code: 'InvalidJWT',
    error: 'InvalidJWT',
    message: 'This session has ended.',
  });
});

test('A45: an admin who impersonates a trader can neither upload nor list the trader’s files', async () => {
  const staff = await addUser(server, 'admin');
  const { error: begun } = await staff.client.rpc('impersonate_user', {
    p_user_id: stranger.userId,
    p_reason: 'a question about documents',
  });
  expect(begun).toBeNull();
  const { error: refreshed } = await staff.client.auth.refreshSession();
  expect(refreshed).toBeNull();
  const bucketOf = staff.client.storage.from(bucket);
  for (const { error } of [
    await bucketOf.upload(`${stranger.userId}/selfie.jpg`, blob(jpeg())),
    await bucketOf.list(stranger.userId),
    await bucketOf.download(`${stranger.userId}/selfie.jpg`),
  ]) {
    expect(error).toMatchObject({ status: 403, message: texts.notWhileImpersonating });
  }
});

describe('the feature itself', () => {
  const makeFiles = (beforeView?: (view: FileView) => Promise<void>) =>
    createFiles({
      db: server.db,
      clock: createManualClock(Date.now()),
      secrets: server.server.secrets,
      log: testLog,
      isRevoked: () => false,
      ...(beforeView && { beforeView }),
    });
  const callerOf = (role: UserRole, more: Partial<SignedIn> = {}): Caller => ({
    role,
    userId: users[role].userId,
    accountId: users[role].userId,
    actorId: users[role].userId,
    sessionId: '00000000-0000-4000-8000-000000000000',
    impersonationId: null,
    ...more,
  });
  const address = () => ({ bucket, path: `${stranger.userId}/selfie.jpg`, versionId: null });

  test('A45: an impersonation has access to no file', async () => {
    const impersonation = {
      actorId: stranger.userId,
      impersonationId: '00000000-0000-4000-8000-000000000001',
    };
    const refusal = { code: 'not_allowed', status: 403 };
    const files = makeFiles();
    const trader = callerOf('trader', impersonation);
    await expect(
      files.upload(trader, {
        bucket,
        path: `${users.trader.userId}/selfie.jpg`,
        declaredBytes: null,
        open: () => Promise.reject(new Error('not to be opened')),
        sender: new AbortController().signal,
      }),
    ).rejects.toMatchObject(refusal);
    const page = {
      prefix: '',
      limit: 1,
      offset: 0,
      search: '',
      sortBy: { column: 'name', order: 'asc' },
    } as const;
    await expect(files.list(trader, bucket, page)).rejects.toMatchObject(refusal);
    const admin = callerOf('admin', impersonation);
    await expect(files.download(admin, address())).rejects.toMatchObject(refusal);
    await expect(files.sign(admin, address(), 60)).rejects.toMatchObject(refusal);
    const token = await files.sign(callerOf('admin'), address(), 60);
    await expect(files.downloadLinked(admin, address(), token)).rejects.toMatchObject({ status: 404 });
  });

  test('the view recorder is called before each view, and can refuse it', async () => {
    const views: string[] = [];
    const files = makeFiles(async ({ viewerId, file, how }) => {
      views.push(`${viewerId} ${file.path} ${how}`);
    });
    const admin = callerOf('admin');
    const token = await files.sign(admin, address(), 60);
    for (const { bytes } of [
      await files.download(admin, address()),
      await files.downloadLinked(admin, address(), token),
    ]) {
      bytes.destroy();
    }
    expect(views).toEqual(
      ['link made', 'download', 'link followed'].map(
        (how) => `${users.admin.userId} ${stranger.userId}/selfie.jpg ${how}`,
      ),
    );
    const closed = makeFiles(() => Promise.reject(new Error('the record cannot be written')));
    await expect(closed.download(admin, address())).rejects.toThrow('the record cannot be written');
    await expect(closed.sign(admin, address(), 60)).rejects.toThrow();
    await expect(closed.downloadLinked(admin, address(), token)).rejects.toThrow(
      'the record cannot be written',
    );
    // Another caller than the requester is refused before any recording.
    await expect(files.downloadLinked({ role: 'anon' }, address(), token)).rejects.toMatchObject({
      status: 404,
    });
    expect(views).toHaveLength(3);
  });

  test('downloads at once are limited for each user, and a finished one makes room', async () => {
    const files = makeFiles();
    const admin = callerOf('admin');
    const open = await Promise.all(Array.from({ length: 12 }, () => files.download(admin, address())));
    await expect(files.download(admin, address())).rejects.toMatchObject({ code: 'too_many_attempts' });
    const closed = new Promise((resolve) => open[0]?.bytes.once('close', resolve));
    open[0]?.bytes.destroy();
    await closed;
    open.push(await files.download(admin, address()));
    for (const { bytes } of open) bytes.destroy();
    await files.stop();
  });
});
