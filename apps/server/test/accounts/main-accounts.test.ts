/** Threat: lists of main accounts cost many times the lists of all accounts (A112). */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isMainSql } from '../../src/platform/database/row-scope.ts';
import { createTestDatabase, type TestDatabase } from '../harness/index.ts';

let db: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  db = await createTestDatabase();
  owner = new pg.Client({ connectionString: db.url });
  await owner.connect();
  await owner.query(
    `create table app.many as select gen_random_uuid() as user_id, n from generate_series(1, 50000) as n`,
  );
  await owner.query(
    `insert into app.many select '00000000-0000-4000-8000-000000000001', n from generate_series(1, 20000) as n`,
  );
  await owner.query('create index on app.many (n)');
  await owner.query('create index on app.many (user_id, n)');
  await owner.query('analyze app.many');
});
afterAll(async () => {
  await owner.end();
  await db.close();
});

async function planOf(rows: string): Promise<string> {
  await owner.query('vacuum analyze app.other_accounts');
  const { rows: lines } = await owner.query<{ 'QUERY PLAN': string }>(`explain ${rows}`);
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}
const counted = `select count(*) from app.many m where ${isMainSql('m.user_id')}`;
const page = `select * from app.many m where ${isMainSql('m.user_id')} order by m.n limit 50`;

/** The rows of one account by time, as the history of a named user is read. */
const named = `select * from app.many m where m.user_id = '00000000-0000-4000-8000-000000000001'
  and ${isMainSql('m.user_id')} order by m.n desc limit 50`;

test.each([0, 20_000])(
  'A112: beside %i other accounts they are found by one hash, in the order of an index',
  async (others) => {
    await owner.query(
      `insert into app.other_accounts (id, owner_id)
     select gen_random_uuid(), gen_random_uuid() from generate_series(1, $1::integer)`,
      [others],
    );
    for (const rows of [counted, page, named]) {
      const plan = await planOf(rows);
      expect(plan).toMatch(/hashed SubPlan|ANY \(.*hashed/);
      expect(plan).not.toContain('Sort');
    }
  },
);
