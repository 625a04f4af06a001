import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../harness/index.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });
const insufficientPrivilege = code('42501');
const checkViolation = code('23514');

describe('the role the application works as', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.close());

  const book = (entries: readonly { account: string; userId: string | null; amount: string }[]) => {
    const group = randomUUID();
    return db.query(
      `insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id)
       select $1, account, user_id, amount, 'deposit', $1
       from unnest($2::text[], $3::uuid[], $4::numeric[]) as entry (account, user_id, amount)`,
      [group, entries.map((e) => e.account), entries.map((e) => e.userId), entries.map((e) => e.amount)],
    );
  };

  test('logs in as fulcrum_app, which is not a superuser and owns nothing', async () => {
    const { rows } = await db.query(
      `select current_user::text as role, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls,
              (select count(*)::int from pg_class where relowner = r.oid) as owned
       from pg_roles r where rolname = current_user`,
    );
    expect(rows).toEqual([
      {
        role: 'fulcrum_app',
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolbypassrls: false,
        owned: 0,
      },
    ]);
  });

  test('books a group that sums to zero and refuses one that does not', async () => {
    const userId = randomUUID();
    await book([
      { account: 'user:cash', userId, amount: '100.00000001' },
      { account: 'external', userId: null, amount: '-100.00000001' },
    ]);
    const unbalanced = book([
      { account: 'user:cash', userId, amount: '100.00000001' },
      { account: 'external', userId: null, amount: '-100' },
    ]);
    await expect(unbalanced).rejects.toEqual(checkViolation);
    const { rows } = await db.query('select sum(amount) as cash from app.ledger_entries where user_id = $1', [
      userId,
    ]);
    expect(rows).toEqual([{ cash: '100.00000001' }]);
  });

  test.each(['app.ledger_entries', 'app.audit_log'])('cannot change or remove a row of %s', async (table) => {
    for (const statement of [
      `update ${table} set id = default`,
      `delete from ${table}`,
      `truncate ${table}`,
      `alter table ${table} disable trigger all`,
      `drop table ${table}`,
    ]) {
      await expect(db.query(statement), statement).rejects.toEqual(insufficientPrivilege);
    }
  });

  test.each(['app.ledger_entries', 'app.audit_log'])(
    '%s refuses a change even from its owner',
    async (table) => {
      const column = table === 'app.audit_log' ? 'action' : 'kind';
      for (const statement of [
        `update ${table} set ${column} = ${column}`,
        `delete from ${table}`,
        `truncate ${table}`,
      ]) {
        await expect(db.asOwner(statement), statement).rejects.toEqual(insufficientPrivilege);
      }
    },
  );

  test.each([
    'create table app.mine (id int)',
    'create table public.mine (id int)',
    'create temporary table mine (id int)',
    'create schema mine',
    'create view api.mine as select 1 as one',
    'create function app.mine() returns int language sql as $$ select 1 $$',
    'alter table app.wallets add column mine int',
    'alter table app.wallets drop constraint wallets_available_balance_check',
    'create index on app.users (kyc_status)',
    'drop view api.users',
    'truncate app.wallets',
    'delete from meta.schema_migrations',
    'create role mine',
    'set role postgres',
    "copy (select 1) to program 'true'",
  ])('may not: %s', async (statement) => {
    await expect(db.query(statement)).rejects.toEqual(insufficientPrivilege);
  });

  test('reads every view of the api and writes none', async () => {
    const { rows } = await db.query<{ name: string; reads: boolean; writes: boolean }>(
      `select relname as name, has_table_privilege(oid, 'select') as reads,
              has_table_privilege(oid, 'insert, update, delete, truncate') as writes
       from pg_class where relnamespace = 'api'::regnamespace`,
    );
    expect(rows.map(({ name }) => name)).toContain('positions');
    expect(rows.filter(({ reads, writes }) => !reads || writes)).toEqual([]);
  });
});
