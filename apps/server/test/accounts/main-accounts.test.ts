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
  await owner.query('create index on app.many (n)');
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

test.each([0, 20_000])(
  'A112: beside %i other accounts they are found by one hash or by their key',
  async (others) => {
    await owner.query(
      `insert into app.other_accounts (id, owner_id)
     select gen_random_uuid(), gen_random_uuid() from generate_series(1, $1::integer)`,
      [others],
    );
    expect(await planOf(counted)).toContain('Hash Anti Join');
    // A page looks at few rows: by key, or at the one row that there is.
    expect(await planOf(page)).toMatch(
      /Nested Loop Anti Join[\s\S]*(Index Only Scan using other_accounts_pkey|Materialize)/,
    );
  },
);
