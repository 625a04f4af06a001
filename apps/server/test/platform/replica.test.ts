/** Reads on a standby, and a primary that moves: two real PostgreSQL servers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type ServingDatabase } from '../../src/platform/database/index.ts';
import { splitHosts } from '../../src/platform/database/primary.ts';
import { eventually } from '../harness/eventually.ts';
import { testLog } from '../harness/index.ts';
import { type PostgresPair, startPostgresPair } from '../harness/postgres-pair.ts';

let pair: PostgresPair;
let db: ServingDatabase;
beforeAll(async () => {
  pair = await startPostgresPair();
  db = await openDatabase({ databaseUrl: pair.url, dataDir: '', replicaUrl: pair.standby.url }, testLog);
});
afterAll(async () => {
  await db.close();
  await pair.dispose();
});

const write = (n: number) =>
  db.query(
    "insert into app.audit_log (action, detail) values ('acknowledged', jsonb_build_object('n', $1::int))",
    [n],
  );
/** What a read finds, and where. */
async function readLast(): Promise<{ readonly last: number | null; readonly onStandby: boolean }> {
  const { rows } = await db.reader.query<{ last: number | null; onStandby: boolean }>(
    `select max((detail->>'n')::int) as last, pg_is_in_recovery() as "onStandby"
     from app.audit_log where action = 'acknowledged'`,
  );
  if (!rows[0]) throw new Error('no row');
  return rows[0];
}

/** On a busy machine it may be behind for a while; the primary serves the reads meanwhile. */
const caughtUp = () => eventually(async () => expect((await readLast()).onStandby).toBe(true));

test('a read on the standby sees every write that was acknowledged before it', async () => {
  await caughtUp();
  for (let n = 1; n <= 200; n += 1) {
    await write(n);
    const read = await readLast();
    expect(read.last).toBe(n);
    if (!read.onStandby)
      await eventually(async () => expect(await readLast()).toEqual({ last: n, onStandby: true }));
  }
  await eventually(async () => {
    const isStandby = await db.reader.transaction(async (tx) => {
      const { rows } = await tx.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
      return rows[0]?.standby;
    });
    expect(isStandby).toBe(true);
    expect(db.replicaState()).toBe('in use');
  });
});

test('reads of many callers at once wait together', async () => {
  await eventually(async () => {
    await caughtUp();
    const reads = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        await write(1_000 + index);
        const { last, onStandby } = await readLast();
        return { isNew: (last ?? 0) >= 1_000 + index, onStandby };
      }),
    );
    expect(reads.filter(({ isNew }) => !isNew)).toEqual([]);
    expect(reads.filter(({ onStandby }) => onStandby).length).toBeGreaterThan(0);
  });
});

test('a standby that is behind serves no read until it has caught up', async () => {
  await caughtUp();
  await pair.standby.query('select pg_wal_replay_pause()');
  try {
    await write(2_001);
    expect(await readLast()).toEqual({ last: 2_001, onStandby: false });
    expect(db.replicaState()).toBe('behind');
  } finally {
    await pair.standby.query('select pg_wal_replay_resume()');
  }
  await eventually(async () => expect(await readLast()).toEqual({ last: 2_001, onStandby: true }));
});

test('a standby that is frozen, and one that is dead, hold up no read for long', async () => {
  pair.standby.freeze();
  await write(3_001);
  expect(await readLast()).toEqual({ last: 3_001, onStandby: false });
  expect(db.replicaState()).toBe('not reachable');
  pair.standby.thaw();
  await eventually(async () => expect(await readLast()).toEqual({ last: 3_001, onStandby: true }));

  await pair.standby.kill();
  await write(3_002);
  expect(await readLast()).toEqual({ last: 3_002, onStandby: false });
  await pair.standby.start();
  await eventually(async () => expect(await readLast()).toEqual({ last: 3_002, onStandby: true }));
});

test('the standby accepts no write', async () => {
  await caughtUp();
  await expect(
    db.reader.transaction((tx) => tx.query("insert into app.audit_log (action) values ('never')")),
  ).rejects.toThrow();
});

test('a server that is no standby of the primary is refused at the start', async () => {
  const open = (replicaUrl: string) =>
    openDatabase({ databaseUrl: pair.primary.url, dataDir: '', replicaUrl }, testLog);
  await expect(open(pair.standby.url.replace(/[^/]*$/, 'postgres'))).rejects.toThrow(
    'DATABASE_REPLICA_URL leads to another database than DATABASE_URL',
  );
});

test('several hosts: the one that is the primary is found, and followed when another one becomes it', async () => {
  expect(splitHosts('postgresql://me:p%40ss@one:5432,[2001:db8::1]:5433/db?ssl=true')).toEqual([
    'postgresql://me:p%40ss@one:5432/db?ssl=true',
    'postgresql://me:p%40ss@[2001:db8::1]:5433/db?ssl=true',
  ]);
  expect(splitHosts('postgresql://me@/db?host=/tmp/x')).toEqual(['postgresql://me@/db?host=/tmp/x']);

  const [, standbyUrl = ''] = splitHosts(pair.url);
  const reversed = await openDatabase(
    { databaseUrl: pair.url.replace(/@(.*),(.*)\//, '@$2,$1/'), dataDir: '' },
    testLog,
  );
  await reversed.query("insert into app.audit_log (action) values ('reversed')");
  await reversed.close();
  await expect(
    openDatabase(
      { databaseUrl: `${standbyUrl.replace('/fulcrum', `,${pair.standby.address}/fulcrum`)}`, dataDir: '' },
      testLog,
    ),
  ).rejects.toThrow(
    'none of the 2 hosts of DATABASE_URL is a primary: 1. it is a standby; 2. it is a standby',
  );

  // The host answers nothing any more, and closes no connection.
  pair.primary.freeze();
  await pair.standby.query('select pg_promote()');
  await eventually(() => write(4_001));
  expect((await readLast()).last).toBe(4_001);
  expect(db.replicaState(), 'it is no standby any more').not.toBe('in use');

  // The former one is back and accepts writes, too: the later timeline is meant, at a start as well.
  pair.primary.thaw();
  await pair.primary.query('select 1');
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  await write(4_002);
  const again = await openDatabase({ databaseUrl: pair.url, dataDir: '' }, testLog);
  const { rows } = await again.query<{ port: number; last: number }>(
    `select inet_server_port() as port, max((detail->>'n')::int) as last from app.audit_log where action = 'acknowledged'`,
  );
  await again.close();
  expect(rows).toEqual([{ port: Number(pair.standby.address.split(':')[1]), last: 4_002 }]);
});
