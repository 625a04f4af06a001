import { dayMs, hourMs } from '@fulcrum/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteExpired } from '../../src/features/trading/retention.ts';
import { createTestDatabase, type TestDatabase } from '../harness/index.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await db.query(
    `insert into app.users (id, email, username, role)
     values ('00000000-0000-4000-8000-000000000001', 'trader@example.test', 'trader', 'trader')`,
  );
});
afterAll(() => db.close());

const now = Date.parse('2026-11-21T10:00:00Z');

test('stored answers and ended engines last 30 days, notifications 180, batches an hour, for any number of rows', async () => {
  const rows = async (age: number, count: number) => {
    const at = new Date(now - age);
    await db.query(
      `insert into app.commands (user_id, client_id, procedure, body_hash, answer, created_at)
       select '00000000-0000-4000-8000-000000000001', gen_random_uuid(), 'open_position', sha256('x'), '{}', $1
       from generate_series(1, $2)`,
      [at, count],
    );
    await db.query(
      `insert into app.notifications (id, user_id, kind, message, created_at)
       select gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'funds_changed', 'x', $1
       from generate_series(1, $2)`,
      [at, count],
    );
    await db.query(
      `insert into app.engine_batches (id, epoch, commands, committed_at)
       select gen_random_uuid(), 1, 1, $1 from generate_series(1, $2)`,
      [at, count],
    );
    await db.query(
      'insert into app.engines (started_at, ended_at) select $1, $1 from generate_series(1, $2)',
      [at, count],
    );
  };
  await rows(0, 1);
  await rows(hourMs + 1, 2);
  await rows(30 * dayMs + 1, 3);
  await rows(180 * dayMs + 1, 4500);
  await db.query(`insert into app.engines (started_at) values ('2020-01-01')`);
  expect(await deleteExpired(db, now)).toEqual({
    engine_batches: 4505,
    engines: 4503,
    commands: 4503,
    notifications: 4500,
  });
  expect(await deleteExpired(db, now)).toEqual({
    engine_batches: 0,
    engines: 0,
    commands: 0,
    notifications: 0,
  });
  const { rows: left } = await db.query(
    `select (select count(*)::integer from app.commands) as commands,
            (select count(*)::integer from app.notifications) as notifications,
            (select count(*)::integer from app.engine_batches) as batches,
            (select count(*)::integer from app.engines) as engines`,
  );
  expect(left).toEqual([{ commands: 3, notifications: 6, batches: 1, engines: 4 }]);
});

test('nothing is removed once the server stops', async () => {
  const stopped = AbortSignal.abort();
  await db.query(
    `insert into app.engine_batches (id, epoch, commands, committed_at) values (gen_random_uuid(), 1, 1, $1)`,
    [new Date(now - dayMs)],
  );
  expect(await deleteExpired(db, now, stopped)).toMatchObject({ engine_batches: 0 });
});
