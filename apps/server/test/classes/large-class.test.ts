/** A class of the most members that there may be (A112): what is read of it is bounded, by indexes, and in a slot of the read limiter. */
import { randomUUID } from 'node:crypto';
import { bulkUsersMax, classMembersMax } from '@fulcrum/domain';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLockedAccount } from '../../src/features/accounts/index.ts';
import { type ClassFloor, type SavedClass, startClassFloor } from './class-floor.ts';

const positionsOfEach = 50;
/** Far above what it takes; a scan of each member's history would take longer. */

/** Payments and first snapshots of a database that has no others: PostgreSQL reads these few whole. */
const scannedMax = 5 * classMembersMax;

let school: ClassFloor;
let floor: ClassFloor['floor'];
let group: SavedClass;
let ids: readonly string[];
beforeAll(async () => {
  school = await startClassFloor();
  floor = school.floor;
  floor.feed.setPrice('BTCUSDT', '100');
  group = await school.save({ p_members_see_each_other: true });
  const { rows } = await floor.db.query<{ id: string }>(
    `insert into app.users (email, username, role)
     select 'pupil_' || n || '@example.test', 'pupil_' || n, 'trader' from generate_series(1, $1::int) n returning id`,
    [classMembersMax - 1],
  );
  ids = rows.map(({ id }) => id);
  const at = new Date(floor.clock.now());
  await floor.db.transaction(async (tx) => {
    for (const ownerId of ids)
      await openLockedAccount(
        tx,
        { tradingFeeRate: 0n },
        {
          ...{ ownerId, belonging: { kind: 'class', classId: group.id }, at },
          terms: { name: group.name, rules: 'standard', leverageMax: 10, startBalance: '5000' },
        },
      );
  });
  await floor.db.query(
    `insert into app.positions (id, user_id, symbol, side, leverage, entry_price, size, margin, liquidation_price, status, rules,
       close_price, close_reason, close_price_source, realized_pnl, account_version, created_at, updated_at, closed_at)
     select gen_random_uuid(), a.id, 'BTCUSDT', 'BUY', 10, 100, 1, 10, 90, 'closed', 'standard', 100, 'manual', 'live', 0, 1,
            now() - n * interval '1 hour', now(), now() - n * interval '1 hour' + interval '1 minute'
     from app.trading_accounts a cross join generate_series(1, $2::int) n where a.class_id = $1`,
    [group.id, positionsOfEach],
  );
  // As autovacuum does; only the owner may.
  const owner = new pg.Client({ connectionString: floor.databaseUrl });
  await owner.connect();
  await owner.query('analyze');
  await owner.end();
}, 240_000);
afterAll(async () => {
  // They have no executions.
  await floor.db.query('delete from app.positions');
  await floor.close();
});

/** Rows that were read without an index, once the sessions have reported what they did. */
async function scanned(work: () => Promise<unknown>): Promise<number> {
  const counts = async () => {
    const { rows } = await floor.db.query<{ scanned: number; probes: number }>(
      `select sum(seq_tup_read)::float8 as scanned, sum(idx_scan)::float8 as probes from pg_stat_user_tables
       where relname in ('positions', 'ledger_entries', 'equity_snapshots')`,
    );
    return rows[0] ?? { scanned: 0, probes: 0 };
  };
  const before = await counts();
  await work();
  await expect
    .poll(async () => (await counts()).probes - before.probes, { timeout: 30_000, interval: 500 })
    .toBeGreaterThan(classMembersMax / 2);
  return (await counts()).scanned - before.scanned;
}

test('the view of its tutor reads no history of a member, and has every member', async () => {
  const first = await floor.addUser('trader');
  await school.add(group.id, first);
  const rows = await scanned(async () => {
    const { data } = await school.tutor.client
      .rpc('list_class_members', { p_class_id: group.id })
      .throwOnError();
    expect(data).toHaveLength(classMembersMax);
    expect(data.find(({ username }: { username: string }) => username === 'pupil_7')).toMatchObject({
      ...{ open_positions: 0, last_trade_at: expect.any(String) },
    });
  });
  expect(rows).toBeLessThan(scannedMax);
  const { error } = await floor.admin.client
    .rpc('add_class_members', { p_class_id: group.id, p_user_ids: [(await floor.addUser('trader')).id] })
    .then(({ data }) => ({ error: data.rows[0] }));
  expect(error).toMatchObject({ outcome: 'refused', message: expect.stringContaining('2000') });
  const inClass = await school.inClass(group.id, first);
  const classmates = await scanned(async () => {
    const { data } = await inClass.rpc('list_classmates').throwOnError();
    expect(data).toMatchObject({ total: classMembersMax, own: { username: first.username, is_self: true } });
    expect(data.members).toHaveLength(100);
  });
  expect(classmates).toBeLessThan(scannedMax);
});

test('a preview has as many users as one action, and reads no history', async () => {
  const preview = (users: readonly string[]) =>
    floor.admin.client.rpc('preview_bulk_action', {
      ...{ p_user_ids: users, p_class_id: group.id, p_action: { kind: 'reset' } },
    });
  const most = ids.slice(0, bulkUsersMax);
  const rows = await scanned(async () => {
    expect((await preview(most).throwOnError()).data.rows).toHaveLength(bulkUsersMax);
    for (let more = 0; more < 3; more += 1) await preview(most).throwOnError();
  });
  expect(rows).toBeLessThan(scannedMax);
  expect((await preview([...most, randomUUID()])).status).toBe(400);
});
