/**
 * A table that only tests declare: a column of every type, a row update under declared columns, and an embed. It is a
 * real table and view of the test's own database, so shapes that no declared table has yet are proved on PostgreSQL.
 */
import {
  bigint,
  bool,
  date,
  int,
  json,
  nullable,
  numeric,
  type Table,
  tableByName,
  text,
  textList,
  timestamp,
  uuid,
} from '@fulcrum/contract';
import type { TestDatabase } from '../harness/index.ts';

export const samples = {
  name: 'samples',
  columns: {
    id: uuid,
    user_id: uuid,
    label: nullable(text),
    amount: nullable(numeric),
    rank: nullable(int),
    serial: nullable(bigint),
    done: nullable(bool),
    born: nullable(date),
    seen: nullable(timestamp),
    tags: nullable(textList),
    detail: nullable(json),
  },
  key: ['id'],
  owner: 'user_id',
  relations: [{ name: 'user', table: 'users', column: 'user_id' }],
  access: {
    trader: {
      select: { rows: 'own', columns: '*' },
      insert: {
        by: 'row',
        rows: 'own',
        columns: ['label', 'amount', 'rank', 'serial', 'done', 'born', 'seen', 'tags', 'detail'],
        upsert: false,
      },
      update: { by: 'row', rows: 'own', columns: ['label', 'amount', 'tags', 'detail', 'born'] },
      delete: { by: 'row', rows: 'own' },
    },
    support: {
      select: { rows: 'own', columns: '*' },
      update: { by: 'row', rows: 'own', columns: ['label'] },
      writesWhileImpersonating: 'allowed',
    },
    admin: { select: { rows: 'all', columns: '*' } },
  },
  realtime: false,
} as const satisfies Table;

export const tablesWithSamples: ReadonlyMap<string, Table> = new Map<string, Table>([
  ...tableByName,
  [samples.name, samples],
]);

export async function createSamples(db: TestDatabase): Promise<void> {
  await db.asOwner(
    `create table app.samples (
       id uuid primary key default gen_random_uuid(), user_id uuid not null references app.users (id), label text,
       amount numeric(28, 8), rank integer, serial bigint, done boolean, born date, seen timestamptz, tags text[],
       detail jsonb)`,
  );
  await db.asOwner(
    `create view api.samples as
       select id, user_id, label, amount, rank, serial, done, born, seen, tags, detail from app.samples`,
  );
  await db.asOwner('grant select, insert, update, delete on app.samples to fulcrum_app');
  await db.asOwner('grant select on api.samples to fulcrum_app');
}
