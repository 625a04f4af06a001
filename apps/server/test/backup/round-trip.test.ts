import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { verifyAuditChain } from '../../src/features/audit/index.ts';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import { backUp, restore, verifyBackup } from '../../src/platform/backup/index.ts';
import { type ClonedDatabase, cloneDatabase, startTestServer, testLog } from '../harness/index.ts';
import { bookDeposit, cleanUp, contentOf, newFolder, onDatabase, structureOf } from './installations.ts';

const log = testLog;
const targets: ClonedDatabase[] = [];

const emptyDatabase = async () => {
  const database = await cloneDatabase('template0');
  targets.push(database);
  return database.url;
};
const restoreInto = async (file: string, databaseUrl: string) => {
  const dataDir = join(newFolder(), 'restored');
  const restored = await restore({ databaseUrl, dataDir }, file, { log, examine: checkInvariants });
  return { ...restored, dataDir };
};

let source: ClonedDatabase;
let sourceDir: string;
let file: string;

beforeAll(async () => {
  source = await cloneDatabase();
  sourceDir = newFolder();
  writeFileSync(join(sourceDir, 'secrets.json'), secretsText, { mode: 0o600 });
  await onDatabase(source.url, async (client) => {
    await client.query(`
      insert into app.users (id, email, username, role) values
        ('00000000-0000-4000-8000-000000000001', 'manager@example.test', 'manager', 'manager');
      insert into app.users (id, email, username, role, manager_id) values
        ('00000000-0000-4000-8000-000000000002', 'trader@example.test', E'tab\\tline\\nback\\\\slash ☃', 'trader',
         '00000000-0000-4000-8000-000000000001');
      insert into app.sessions (user_id, user_agent, address) values
        ('00000000-0000-4000-8000-000000000002', '', '2001:db8::1'),
        ('00000000-0000-4000-8000-000000000002', null, null);
      insert into app.audit_log (action, reason, detail) values
        ('marks', E'\\\\.', '{"text": "\\\\."}'), ('marks', E'\\n\\\\.\\n', '{}'), ('marks', E'a\\n\\\\.', '{}'),
        ('marks', '\\N', '{}'), ('marks', '', '{}'), ('marks', null, '{}');
      insert into app.file_uploads (id, owner_id, started_at) values
        ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000002', '2026-02-28 23:59:59.999999Z');
      insert into app.file_chunks (upload_id, position, content)
        select '00000000-0000-4000-8000-000000000003', n, decode(repeat('5c2e0a00ff', 50000), 'hex')
        from generate_series(0, 3) n;
      insert into app.engines (id) overriding system value values (41);
      select setval('app.engines_id_seq', 41);
      update app.engine_slots set engine = 41;
    `);
    // So many that several chunks of rows go over the wire.
    await bookDeposit(client, 3000);
  });
  file = join(newFolder(), 'source.fulcrum');
  await backUp({ databaseUrl: source.url, dataDir: sourceDir }, file, { log });
});
afterEach(async () => {
  for (const target of targets.splice(0)) await target.drop();
});
afterAll(async () => {
  await source.drop();
  await cleanUp();
});

const chainOf = (url: string) =>
  onDatabase(url, (client) =>
    verifyAuditChain({
      query: async <Row>(text: string, values: readonly unknown[] = []) => {
        const { rows, rowCount } = await client.query(text, [...values]);
        return { rows: rows as Row[], rowCount: rowCount ?? 0 };
      },
    }),
  );

const secretsText = `${JSON.stringify({
  jwtSecret: 'k'.repeat(86),
  anonKey: 'sb_publishable_0123456789abcdef01234567',
  instanceId: '00000000-0000-4000-8000-00000000000a',
})}\n`;

describe('a restored database', () => {
  test('has every row of every table, also text that looks like the format’s own marks', async () => {
    const target = await emptyDatabase();
    await restoreInto(file, target);
    const [expected, found] = [await contentOf(source.url), await contentOf(target)];
    expect(found).toEqual(expected);
    expect(Object.keys(expected)).toContain('app.file_chunks');
  });

  test('has the same keys, checks, triggers and sequences, which continue from the backup’s values', async () => {
    const target = await emptyDatabase();
    await restoreInto(file, target);
    expect(await structureOf(target)).toEqual(await structureOf(source.url));
    const { rows } = await onDatabase(target, (client) =>
      client.query(`insert into app.audit_log (action) values ('next') returning id`),
    );
    expect(rows).toEqual([{ id: '7' }]);
  });

  test('has the chain over its audit log, and continues it', async () => {
    const target = await emptyDatabase();
    await restoreInto(file, target);
    const [expected, found] = [await chainOf(source.url), await chainOf(target)];
    expect(expected).toMatchObject({ links: 6, fault: null });
    expect(found).toEqual(expected);
    await onDatabase(target, (client) => client.query(`insert into app.audit_log (action) values ('next')`));
    expect(await chainOf(target)).toMatchObject({ links: 7, fault: null });
  });

  test('contains the secrets, readable by their owner alone, and leaves no mark behind', async () => {
    const { dataDir } = await restoreInto(file, await emptyDatabase());
    expect(readdirSync(dataDir)).toEqual(['secrets.json']);
    expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe(secretsText);
    expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  test('backed up again has the same ledger hash and rows', async () => {
    const target = await emptyDatabase();
    const { dataDir, backup } = await restoreInto(file, target);
    const again = await backUp({ databaseUrl: target, dataDir }, join(newFolder(), 'again'), { log });
    expect(again.foot.ledger).toEqual(backup.foot.ledger);
    expect(again.foot.rows).toEqual(backup.foot.rows);
    expect(again.foot.ledger.rows).toBe(6000);
  });

  test('of a role that is no superuser is restored as well', async () => {
    const role = `restorer_${process.pid}`;
    const target = await emptyDatabase();
    await onDatabase(target, async (client) => {
      await client.query(`create role ${role} login`);
      await client.query(`grant fulcrum_app to ${role}`);
      await client.query(
        `do $$ begin execute format('grant all on database %I to ${role}', current_database()); end $$`,
      );
    });
    const url = target.replace('postgres@', `${role}@`);
    try {
      await restoreInto(file, url);
      expect(await contentOf(target)).toEqual(await contentOf(source.url));
    } finally {
      await onDatabase(target, (client) => client.query(`drop owned by ${role}; drop role ${role}`));
    }
  });

  test('with an unbalanced ledger is restored unchanged, with a report of it', async () => {
    const broken = await cloneDatabase();
    targets.push(broken);
    await onDatabase(broken.url, (client) =>
      client.query(`
        insert into app.users (id, email, username, role)
          values ('00000000-0000-4000-8000-000000000005', 'rich@example.test', 'rich', 'trader');
        insert into app.wallets (user_id, available_balance) values ('00000000-0000-4000-8000-000000000005', 1)`),
    );
    const of = join(newFolder(), 'broken');
    await backUp({ databaseUrl: broken.url, dataDir: newFolder() }, of, { log });
    const { findings } = await restoreInto(of, await emptyDatabase());
    expect(findings.violations.map(({ invariant }) => invariant)).toContain(
      'a wallet is the sum of its ledger entries',
    );
  });
});

test('a server starts on a restored database, takes it over from the old engine, and trades', async () => {
  const target = await cloneDatabase('template0');
  const { dataDir } = await restoreInto(file, target.url);
  const server = await startTestServer({ config: { databaseUrl: target.url, dataDir } });
  try {
    expect(server.anonKey).toBe(JSON.parse(secretsText).anonKey);
    const { rows } = await server.db.query(
      `select e.id, e.ended_at is null as lives, count(s.slot)::int as slots
       from app.engines e left join app.engine_slots s on s.engine = e.id group by 1 order by 1`,
    );
    expect(rows).toEqual([
      { id: '41', lives: false, slots: 0 },
      { id: '42', lives: true, slots: 256 },
    ]);
    server.feed.setPrice('BTCUSDT', '100');
    const trader = await server.signUpTrader({ balance: 1000 });
    const { error } = await trader.client.rpc('open_position', {
      p_symbol: 'BTCUSDT',
      p_side: 'BUY',
      p_size: 1,
      p_leverage: 10,
    });
    expect(error).toBeNull();
  } finally {
    await server.close();
    await target.drop();
  }
});

describe('a file', () => {
  test('is checked without a database', async () => {
    const { head, foot } = await verifyBackup(file, null);
    expect(head.tables.map(({ name }) => name)).toContain('meta.schema_migrations');
    expect(foot.rows['app.file_chunks']).toBe(4);
    expect(foot.ledger.sum).toBe('0.00000000');
  });

  test('is never replaced, and an interrupted one leaves nothing', async () => {
    const written = readFileSync(file);
    const location = { databaseUrl: source.url, dataDir: sourceDir };
    await expect(backUp(location, file, { log })).rejects.toThrow(
      `${file} exists; a backup never replaces a file`,
    );
    expect(readFileSync(file).equals(written)).toBe(true);

    const folder = newFolder();
    mkdirSync(join(folder, 'half.partial'));
    await expect(backUp(location, join(folder, 'half'), { log })).rejects.toThrow(/half\.partial exists/);

    const stopped = join(newFolder(), 'stopped');
    await expect(backUp(location, stopped, { log, signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(existsSync(stopped) || existsSync(`${stopped}.partial`)).toBe(false);
  });
});
