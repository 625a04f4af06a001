/** Links to exported files are rows, so they work once, at whichever process they arrive. */
import { randomUUID } from 'node:crypto';
import type { SignedIn } from '@fulcrum/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeExportLink, redeemExportLink } from '../../src/features/staff/exports/export-links.ts';
import { createTestDatabase, type TestDatabase } from '../harness/index.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

const at = new Date('2026-11-22T08:00:00Z');

async function manager(): Promise<SignedIn> {
  const id = randomUUID();
  await db.query(`insert into app.users (id, email, username, role) values ($1, $2, $3, 'manager')`, [
    id,
    `${id}@example.test`,
    id.slice(0, 13),
  ]);
  const [userId, accountId, actorId] = [id, id, id];
  return { role: 'manager', userId, accountId, actorId, sessionId: randomUUID(), impersonationId: null };
}
const make = (holder: SignedIn, name: string) =>
  makeExportLink(db, holder, { kind: 'list', args: { name }, at });
const redeem = (token: string, holder: SignedIn, now = at) => redeemExportLink(db, holder, { token, now });
const names = async (tokens: readonly string[], holder: SignedIn) => {
  const files = [];
  for (const token of tokens) files.push(await redeem(token, holder));
  return files.flatMap((file) => (file ? [(file.args as { name: string }).name] : []));
};

test('a link leads its holder once, within a minute', async () => {
  const [mona, mike] = [await manager(), await manager()];
  const [first, second] = [await make(mona, 'first'), await make(mona, 'second')];
  expect(await redeem(first, mike)).toBeNull();
  expect(await redeem(first, { ...mona, sessionId: randomUUID() })).toBeNull();
  expect(await redeem(first, { ...mona, actorId: mike.actorId })).toBeNull();
  expect(await redeem(first, mona)).toEqual({ kind: 'list', args: { name: 'first' }, at });
  expect(await redeem(first, mona)).toBeNull();
  expect(await redeem(second, mona, new Date(at.getTime() + 60_000))).toBeNull();
});

test('of two who follow a link at once one gets the file', async () => {
  const mona = await manager();
  const token = await make(mona, 'once');
  const files = await Promise.all([redeem(token, mona), redeem(token, mona)]);
  expect(files.filter((file) => file !== null)).toHaveLength(1);
});

test('beyond twenty a user loses the oldest of their own links only', async () => {
  const [mona, mike] = [await manager(), await manager()];
  const other = await make(mike, 'of another user');
  const tokens = [];
  for (let n = 0; n < 30; n += 1) tokens.push(await make(mona, `file ${n}`));
  expect(await names(tokens, mona)).toEqual(Array.from({ length: 20 }, (_, n) => `file ${10 + n}`));
  expect(await names([other], mike)).toEqual(['of another user']);
});

test('the database has no link, and an expired row goes with the next link', async () => {
  const mona = await manager();
  const token = await make(mona, 'a');
  const { rows } = await db.query<{ row: string }>(
    'select row_to_json(l)::text as row from app.export_links l',
  );
  expect(rows.some(({ row }) => row.includes(token))).toBe(false);
  const later = new Date(at.getTime() + 120_000);
  await makeExportLink(db, mona, { kind: 'list', args: {}, at: later });
  const left = await db.query('select from app.export_links where expires_at <= $1', [later]);
  expect(left.rowCount).toBe(0);
});
