/** Duties on a real PostgreSQL: who holds one, when it changes hands, and that a term that is over changes nothing. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { realTimers, systemClock } from '../../src/platform/clock/index.ts';
import type { Database } from '../../src/platform/database/index.ts';
import { createDuty, type Duty, type DutyWork, readMark, withTerm } from '../../src/platform/duties/index.ts';
import { eventually } from '../harness/eventually.ts';
import { createTestDatabase, type TestDatabase, testLog } from '../harness/index.ts';

let db: TestDatabase;
const running: Duty[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  await db.asOwner('update app.duties set holder = null, heard_at = null');
});
afterEach(async () => {
  for (const duty of running.splice(0)) await duty.stop();
});
afterAll(() => db.close());

const timers = realTimers(systemClock);

function compete(work: Partial<DutyWork> = {}, database: Database = db) {
  const events: string[] = [];
  const duty = createDuty({
    ...{ db: database, timers, log: testLog, name: 'chores', processId: randomUUID() },
    work: {
      ...work,
      begin: async (held) => {
        events.push(`begin ${held.term}`);
        await work.begin?.(held);
      },
      end: async () => {
        events.push('end');
        await work.end?.();
      },
    },
  });
  running.push(duty);
  duty.start();
  return { ...duty, events };
}

const row = async () => (await db.asOwner(`select * from app.duties where name = 'chores'`))[0]!;
const held = (duty: Pick<Duty, 'term'>) => eventually(() => expect(duty.term()).not.toBeNull());
/** As the death of the holder's process: its sessions with an advisory lock end. */
const killHolder = () =>
  db.asOwner(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database =
       (select oid from pg_database where datname = current_database()) and classid = $1`,
    [0x44555403],
  );

test('one of two processes holds a duty, and its beat states the mark', async () => {
  let mark = 7;
  const first = compete({ mark: () => mark });
  await held(first);
  const second = compete();
  await eventually(async () => expect((await row()).mark).toBe('7'));
  mark = 8;
  await eventually(async () => expect(await readMark(db, 'chores')).toMatchObject({ mark: 8 }));
  expect(second.term()).toBeNull();
  expect(first.events).toEqual([`begin ${first.term()}`]);
});

test('a duty that is given back is taken with the next term', async () => {
  const first = compete();
  await held(first);
  const term = first.term()!;
  const second = compete();
  await first.stop();
  expect(first.events).toEqual([`begin ${term}`, 'end']);
  await held(second);
  expect(second.term()).toBe(term + 1);
});

test('a process that is not willing takes nothing, and gives back what it has', async () => {
  let isWilling = false;
  const first = compete({ isWilling: () => isWilling });
  const second = compete();
  await held(second);
  isWilling = true;
  await second.stop();
  await held(first);
  isWilling = false;
  await eventually(() => expect(first.term()).toBeNull());
  await eventually(async () => expect((await row()).holder).toBeNull());
});

test('work that cannot begin gives the duty back, and is tried again later', async () => {
  let begun = 0;
  const first = compete({
    begin: async () => {
      begun += 1;
      if (begun === 1) throw new Error('no feed');
    },
  });
  await eventually(() => expect(begun).toBe(2));
  const term = first.term()!;
  expect(first.events).toEqual([`begin ${term - 1}`, 'end', `begin ${term}`]);
});

test('the duty of a process that died is taken when its lock is free', async () => {
  // A holder whose connection comes back is not over: this one never gets another.
  const dead = new Set<string>();
  const dying: Database = {
    ...db,
    pool: {
      connect: async () => (dead.has('first') ? Promise.reject(new Error('dead')) : db.pool.connect()),
    } as never,
  };
  const first = compete({}, dying);
  await held(first);
  const term = first.term()!;
  const second = compete();
  dead.add('first');
  await killHolder();
  await held(second);
  expect(second.term()).toBe(term + 1);
});

test('a holder that only lost its connection goes on with its term', async () => {
  const first = compete();
  await held(first);
  const term = first.term()!;
  await killHolder();
  const { heard_at: before } = await row();
  await eventually(async () => expect((await row()).heard_at).not.toEqual(before));
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(first.term()).toBe(term);
  expect(first.events).toEqual([`begin ${term}`]);
});

test('without a beat for 3 s another process takes it, and the former one has ended its work by then', async () => {
  const hung = new Set<string>();
  const hanging: Database = {
    ...db,
    pool: {
      connect: async () => {
        const client = await db.pool.connect();
        const query = client.query.bind(client);
        // Sent into nothing, as to a machine that is gone.
        client.query = ((...args: Parameters<typeof query>) =>
          hung.has('first') ? new Promise(() => undefined) : query(...args)) as never;
        return client;
      },
    } as never,
  };
  const first = compete({}, hanging);
  await held(first);
  const term = first.term()!;
  const second = compete();
  await eventually(async () =>
    expect((await row()).heard_at).toSatisfy((at: Date) => at.getTime() <= Date.now()),
  );
  hung.add('first');
  await eventually(() => expect(second.term()).toBe(term + 1));
  expect(first.events).toEqual([`begin ${term}`, 'end']);
  expect(first.term()).toBeNull();
});

test('what proves a term that is over changes nothing', async () => {
  const first = compete();
  await held(first);
  const former = withTerm(db, { name: 'chores', term: first.term()! });
  const write = () =>
    former.query('update app.checkpoints set checked_at = checked_at where false returning 1 as one');
  await write();
  await first.stop();
  const second = compete();
  await held(second);
  await expect(write()).rejects.toMatchObject({ code: 'busy' });
  await expect(former.transaction(async () => 'done')).rejects.toMatchObject({ code: 'busy' });
  // Reads prove nothing.
  expect((await former.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('a term does not end under a transaction that has proven it', async () => {
  const first = compete();
  await held(first);
  const term = first.term()!;
  const former = withTerm(db, { name: 'chores', term });
  let letCommit = (): void => {};
  const waits = new Promise<void>((resolve) => {
    letCommit = resolve;
  });
  const writing = former.transaction(() => waits);
  await db.asOwner(`select pg_sleep(0.1)`);
  // As a process that finds the beat too old.
  const taking = db.asOwner(
    `with free as (select name from app.duties where name = 'chores' for update)
     update app.duties d set term = term + 1 from free where d.name = free.name returning term`,
  );
  const isFirst = await Promise.race([
    taking.then(() => 'taken'),
    new Promise((resolve) => setTimeout(() => resolve('waits'), 300)),
  ]);
  expect(isFirst).toBe('waits');
  letCommit();
  await writing;
  await taking;
  await expect(former.transaction(async () => 'done')).rejects.toMatchObject({ code: 'busy' });
});
