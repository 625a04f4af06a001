/**
 * Pictures and users for the tests of `/storage/v1`. The pictures are real ones of exactly the given number of bytes,
 * made synchronously; the stored form of one is `storedAs`.
 */
import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { kycDocuments, type UserRole } from '@fulcrum/contract';
import type { SupabaseClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { afterAll, beforeAll } from 'vitest';
import { imageType } from '../../src/features/files/images.ts';
import { createPictures } from '../../src/features/files/pictures.ts';
import { startTestServer, type TestServer, testLog, testPassword } from '../harness/index.ts';

export const bucket = 'kyc-documents';
export const megabyte = 1024 * 1024;

/** Bytes that compress badly and differ from seed to seed. */
export function noise(bytes: number, seed: string): Buffer {
  const blocks: Buffer[] = [];
  for (let i = 0; i * 64 < bytes; i += 1) blocks.push(createHash('sha512').update(`${seed} ${i}`).digest());
  return Buffer.concat(blocks, bytes);
}

const side = 16;
const pixelsOf = (seed: string) =>
  sharp(noise(side * side * 3, seed), { raw: { width: side, height: side, channels: 3 } });
/** All different variants; a seed selects one of them. */
const variants = Array.from({ length: 61 }, (_, n) => `${n}`);
const jpegs = await Promise.all(variants.map((seed) => pixelsOf(seed).jpeg({ quality: 50 }).toBuffer()));
const webps = await Promise.all(variants.map((seed) => pixelsOf(seed).webp({ quality: 50 }).toBuffer()));
const variantOf = (all: readonly Buffer[], seed: string): Buffer => {
  const picked = all[createHash('sha256').update(seed).digest().readUInt32BE() % all.length];
  if (!picked) throw new Error('there is a picture for every seed');
  return picked;
};

/** A comment is two bytes of marker, two of length and 65,533 of text at most: ITU-T T.81, B.2.4.5. */
const commentBytesMax = 65_537;
function comments(bytes: number): Buffer {
  const segments: Buffer[] = [];
  for (let left = bytes; left > 0; ) {
    // Never leaves less than an empty comment takes.
    const length = left <= commentBytesMax ? left : Math.min(commentBytesMax, left - 4);
    const segment = Buffer.alloc(length, 'x');
    segment.writeUInt16BE(0xfffe);
    segment.writeUInt16BE(length - 2, 2);
    segments.push(segment);
    left -= length;
  }
  return Buffer.concat(segments);
}

/** Of as many bytes, most of them comment. */
export function jpeg(bytes = 2000, seed = 'jpeg'): Buffer {
  const picture = variantOf(jpegs, seed);
  return Buffer.concat([picture.subarray(0, 2), comments(bytes - picture.length), picture.subarray(2)]);
}

export const chunk = (type: string, content: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(content.length);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
};

/** An 8-bit PNG with the given compressed pixels, whatever its header declares. */
export function pngOf(
  width: number,
  height: number,
  pixels: Buffer,
  { colourType = 2, more }: { readonly colourType?: number; readonly more?: Buffer } = {},
): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, colourType, 0, 0, 0]);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    more ?? Buffer.alloc(0),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Of as many bytes, most of them text. */
export function png(bytes = 2000, seed = 'png'): Buffer {
  const rows = Array.from({ length: side }, (_, row) =>
    Buffer.concat([Buffer.of(0), noise(side * 3, `${seed} ${row}`)]),
  );
  const pixels = deflateSync(Buffer.concat(rows));
  const text = bytes - pngOf(side, side, pixels).length - 12;
  const more = chunk('tEXt', Buffer.concat([Buffer.from('x\0'), Buffer.alloc(text - 2, 'x')]));
  return pngOf(side, side, pixels, { more });
}

/** Of as many bytes, most of them in a chunk that no reader knows; an even number. */
export function webp(bytes = 2000, seed = 'webp'): Buffer {
  const picture = variantOf(webps, seed);
  const unknown = Buffer.alloc(bytes - picture.length, 'x');
  unknown.write('TEXT', 'latin1');
  unknown.writeUInt32LE(unknown.length - 8, 4);
  const whole = Buffer.concat([picture, unknown]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}

/** A picture that takes about `bytes` when it is stored, too. */
export const detailed = (bytes: number, seed: string): Buffer => {
  const width = 512;
  const height = Math.ceil(bytes / (width * 3));
  const pixels = noise(width * height * 3, seed);
  const rows = Array.from({ length: height }, (_, row) =>
    Buffer.concat([Buffer.of(0), pixels.subarray(row * width * 3, (row + 1) * width * 3)]),
  );
  return pngOf(width, height, deflateSync(Buffer.concat(rows), { level: 0 }));
};

const pictures = createPictures(testLog);

/** The stored form of a picture. */
export async function storedAs(bytes: Buffer): Promise<Buffer> {
  const type = imageType(bytes);
  if (type === null) throw new Error('no picture');
  const { picture, fileBytesMax } = kycDocuments;
  const encoded = await pictures.encodeAgain(bytes, type, { ...picture, bytesMax: fileBytesMax });
  return encoded.bytes;
}

/** A plain `Blob`, so that the client sends a form. */
export const blob = (bytes: Buffer, type = 'image/jpeg') => new Blob([new Uint8Array(bytes)], { type });

export interface StorageUser {
  readonly client: SupabaseClient;
  readonly userId: string;
  readonly token: string;
}

let users = 0;

/** A signed-in user with that role. */
export async function addUser(server: TestServer, role: UserRole): Promise<StorageUser> {
  users += 1;
  const email = `${role}-${users}@example.test`;
  const { accounts, db } = server.server;
  const user = await accounts.createUser(db, {
    email,
    username: `${role}-${users}`,
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

/** Of the file that calls `shareStorage`, for all of its tests. */
export let server: TestServer;
export let trader: StorageUser;
export let admin: StorageUser;

export function shareStorage(): void {
  beforeAll(async () => {
    server = await startTestServer();
    [trader, admin] = await Promise.all([addUser(server, 'trader'), addUser(server, 'admin')]);
  });
  afterAll(() => server.close());
}
