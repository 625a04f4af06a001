/** Every committed change of a trader checks the assignment for each subscribed manager, without a query for each. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAssignmentCache } from '../../src/features/identity/assignment-cache.ts';
import { createManualClock } from '../../src/platform/clock/index.ts';
import type { Database } from '../../src/platform/database/index.ts';
import { createTestDatabase, type TestDatabase } from '../harness/index.ts';

let db: TestDatabase;
let queries = 0;
const clock = createManualClock(Date.UTC(2026, 10, 21));
const [mona, max, alice] = [randomUUID(), randomUUID(), randomUUID()];
beforeAll(async () => {
  db = await createTestDatabase();
  for (const [id, role] of [
    [mona, 'manager'],
    [max, 'manager'],
    [alice, 'trader'],
  ] as const) {
    await db.query(`insert into app.users (id, email, username, role) values ($1, $2, $3, $4)`, [
      id,
      `${id}@example.test`,
      id,
      role,
    ]);
  }
});
afterAll(() => db.close());
const assignTo = (manager: string) =>
  db.query(`update app.users set manager_id = $2 where id = $1`, [alice, manager]);
beforeEach(async () => {
  await assignTo(mona);
  queries = 0;
});

const counted = (): Database => ({
  ...db,
  query: (...args) => {
    queries += 1;
    return db.query(...args);
  },
});

test('a thousand questions at once are one query, and the answer is right', async () => {
  const assignments = createAssignmentCache({ db: counted(), clock });
  const ask = (manager: string) =>
    Promise.all(Array.from({ length: 1_000 }, () => assignments.isAssigned(manager, alice)));
  expect(new Set(await ask(mona))).toEqual(new Set([true]));
  expect(new Set(await ask(max))).toEqual(new Set([false]));
  expect(queries).toBe(2);
});

test('an answer counts for a second, and none outlives a change of this process', async () => {
  const assignments = createAssignmentCache({ db: counted(), clock });
  const both = async () => [
    await assignments.isAssigned(mona, alice),
    await assignments.isAssigned(max, alice),
  ];
  expect(await both()).toEqual([true, false]);
  await assignTo(max);
  assignments.invalidate();
  expect(await both()).toEqual([false, true]);

  await assignTo(mona);
  clock.advance(999);
  expect(await both()).toEqual([false, true]);
  clock.advance(1);
  expect(await both()).toEqual([true, false]);
});

test('a failed query is repeated', async () => {
  let requests = 0;
  const failing: Database = {
    ...db,
    query: (...args) => {
      requests += 1;
      return requests === 1 ? Promise.reject(new Error('away')) : db.query(...args);
    },
  };
  const assignments = createAssignmentCache({ db: failing, clock });
  await expect(assignments.isAssigned(mona, alice)).rejects.toThrow('away');
  expect(await assignments.isAssigned(mona, alice)).toBe(true);
});
