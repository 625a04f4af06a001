/** Pictures and people for the tests of `/storage/v1`. The pictures have true signatures and, behind them, noise. */
import { createHash } from 'node:crypto';
import type { UserRole } from '@fulcrum/contract';
import type { SupabaseClient } from '@supabase/supabase-js';
import { type TestServer, testPassword } from '../support/index.ts';

export const bucket = 'kyc-documents';
export const megabyte = 1024 * 1024;

/** Bytes that differ from chunk to chunk and from seed to seed, so that a chunk lost or swapped shows. */
function noise(bytes: number, seed: string): Buffer {
  const block = createHash('sha512').update(seed).digest();
  const filled = Buffer.alloc(bytes, block);
  for (let i = 0; i + 4 <= bytes; i += 4096) filled.writeUInt32BE(i, i);
  return filled;
}

const withHead = (head: Buffer, bytes: number, seed: string) =>
  Buffer.concat([head, noise(bytes - head.length, seed)]);

export const jpeg = (bytes = 2000, seed = 'jpeg') =>
  withHead(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00]), bytes, seed);

export const png = (bytes = 2000, seed = 'png') =>
  withHead(
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]),
    bytes,
    seed,
  );

export const webp = (bytes = 2000, seed = 'webp') =>
  withHead(Buffer.from('RIFF\xd0\x07\x00\x00WEBPVP8 ', 'latin1'), bytes, seed);

/** A plain `Blob`, so that the client sends a form. */
export const blob = (bytes: Buffer, type = 'image/jpeg') => new Blob([new Uint8Array(bytes)], { type });

export interface Person {
  readonly client: SupabaseClient;
  readonly userId: string;
  readonly token: string;
}

let people = 0;

/** Somebody with that role, signed in. */
export async function person(server: TestServer, role: UserRole): Promise<Person> {
  people += 1;
  const email = `${role}-${people}@example.test`;
  const { accounts, db } = server.server;
  const user = await accounts.createUser(db, {
    email,
    username: `${role}-${people}`,
    password: testPassword,
    role,
    initialBalance: role === 'trader' ? 0n : null,
  });
  const client = server.client();
  const { data, error } = await client.auth.signInWithPassword({ email, password: testPassword });
  if (error) throw error;
  return { client, userId: user.id, token: data.session.access_token };
}

/** What is in the tables of files, in the order of writing. */
export async function stored(server: TestServer) {
  const { rows } = await server.db.query<{
    versions: string;
    chunks: string;
    attempts: string;
  }>(
    `select (select count(*) from app.files) as versions, (select count(*) from app.file_chunks) as chunks,
            (select count(*) from app.file_uploads) as attempts`,
  );
  const [row] = rows;
  if (!row) throw new Error('a count has one row');
  return { versions: Number(row.versions), chunks: Number(row.chunks), attempts: Number(row.attempts) };
}
