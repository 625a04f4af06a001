/**
 * `npm run bench -- staff`: every list of the staff area on the ledger of a firm with 100,000 users, a million positions and
 * five million ledger entries, each beside the limit of a list and beside the read of one row through the same API; then the
 * file of all closed positions with its cost in the server's memory. Bounded: about ten minutes, loopback only.
 *
 * `--users`, `--positions`, `--audits`: a smaller dataset. `--keep DIR`: the dataset stays in DIR, and the next run with the
 * same sizes reuses it. `--only TEXT`: the lists with this text in their name; `--only files`: the files alone.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { verifyLedger } from '../apps/server/src/features/wallet/index.ts';
import { startEmbedded } from '../apps/server/src/platform/database/embedded/index.ts';
import { openDatabase, prepare } from '../apps/server/src/platform/database/index.ts';
import { ask, start, stop } from './children.ts';
import { benchLog, withClient } from './cluster.ts';
import { loadAverage, machine, quantile } from './figures.ts';
import { fillDataset, type Sizes } from './staff-dataset.ts';
import { baseline, type StaffRead, staffReads } from './staff-reads.ts';
import type { StaffServerJob, StaffServerMemory, StaffServerReady } from './staff-server.ts';

/** The 95th percentile of the answer time of a list stays below it. */
const limitMs = 150;
/** What the file of all closed positions may add to the server's memory, however many there are. */
const exportMemoryMb = 100;
const warmUps = 3;
const samples = 20;
const answerWithinMs = 60_000;
const fileWithinMs = 15 * 60_000;

interface Options {
  readonly sizes: Sizes;
  readonly keep: string | null;
  readonly only: string;
}

function optionsOf(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      users: { type: 'string', default: '100000' },
      positions: { type: 'string', default: '1000000' },
      audits: { type: 'string', default: '1000000' },
      keep: { type: 'string' },
      only: { type: 'string', default: '' },
    },
  });
  const numberOf = (name: 'users' | 'positions' | 'audits', least: number): number => {
    const value = Number(values[name]);
    if (!Number.isSafeInteger(value) || value < least)
      throw new RangeError(`--${name} is a number from ${least}`);
    return value;
  };
  return {
    sizes: {
      users: numberOf('users', 1000),
      positions: numberOf('positions', 1000),
      audits: numberOf('audits', 1000),
    },
    keep: values.keep === undefined ? null : resolve(values.keep),
    only: values.only,
  };
}

/** As the comment of their database: a full pass of an earlier run has found the ledger whole. */
const wholeMark = 'found whole';

/** @throws Error when the ledger are not whole */
async function assertLedgerHolds(databaseUrl: string): Promise<void> {
  const startedAt = performance.now();
  const db = await openDatabase({ databaseUrl, dataDir: '' }, benchLog);
  try {
    const report = await verifyLedger(db, 'full');
    const found = report?.violations.map(({ invariant, detail }) => `${invariant}: ${detail}`) ?? [
      'no report',
    ];
    if (found.length > 0) throw new Error(`the ledger is not intact: ${found.join('; ')}`);
  } finally {
    await db.close();
  }
  console.log(`every invariant holds, judged in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}

/** The dataset of these sizes, generated and verified unless it exists; resolves with the owner's DATABASE_URL. */
async function openDataset(socketDir: string, sizes: Sizes): Promise<string> {
  const database = `staff_${sizes.users}_${sizes.positions}_${sizes.audits}`;
  const as = <T>(name: string, work: (client: pg.Client) => Promise<T>): Promise<T> =>
    withClient({ host: socketDir, user: 'postgres', database: name }, work);
  const isThere = await as('postgres', async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
    return rowCount === 1;
  });
  if (!isThere) {
    // Under its name only when it is whole: what an interrupted run left is made again.
    await as('postgres', async (client) => {
      await client.query('drop database if exists staff_unfinished with (force)');
      await client.query('create database staff_unfinished');
    });
    await as('staff_unfinished', async (client) => {
      await prepare(client, 'is switched to', benchLog);
      await fillDataset(client, sizes, (step) => console.log(`  made: ${step}`));
    });
    await as('postgres', (client) => client.query(`alter database staff_unfinished rename to ${database}`));
  }
  await as(database, (client) => prepare(client, 'is switched to', benchLog));
  const { rows } = await as(database, (client) =>
    client.query<{ counted: string; mark: string | null }>(
      `select shobj_description((select oid from pg_database where datname = current_database()), 'pg_database') as mark,
              string_agg(relname || ' ' || reltuples::bigint, ', ' order by reltuples desc) as counted from pg_class
       where relnamespace = 'app'::regnamespace and relkind = 'r' and reltuples > 1000`,
    ),
  );
  console.log(`rows: ${rows[0]?.counted ?? 'unknown'}`);
  const databaseUrl = `postgresql://postgres@/${database}?host=${encodeURIComponent(socketDir)}`;
  if (rows[0]?.mark !== wholeMark) {
    await assertLedgerHolds(databaseUrl);
    await as(database, (client) => client.query(`comment on database ${database} is '${wholeMark}'`));
  }
  return databaseUrl;
}

/**
 * Ends the server's pass over the ledger and lets the next ones wait: the ledger were just found whole, and judging five million
 * entries is no part of a measurement of lists.
 */
async function blockLedgerChecks(databaseUrl: string): Promise<pg.Client> {
  const [holder, ender] = [1, 2].map(() => new pg.Client({ connectionString: databaseUrl })) as [
    pg.Client,
    pg.Client,
  ];
  await Promise.all([holder.connect(), ender.connect()]);
  await holder.query('begin');
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
  let isHeld = false;
  const lock = holder.query('lock table app.checkpoints in access exclusive mode').then(() => {
    isHeld = true;
  });
  while (!isHeld) {
    await sleep(200);
    await ender.query('select pg_terminate_backend(b) from unnest(pg_blocking_pids($1)) b', [rows[0]?.pid]);
  }
  await lock;
  await ender.end();
  return holder;
}

interface StaffClient {
  readonly ready: StaffServerReady;
  ask(read: StaffRead, withinMs?: number): Promise<Response>;
}

const clientOf = (ready: StaffServerReady): StaffClient => ({
  ready,
  ask: (read, withinMs = answerWithinMs) =>
    fetch(ready.url + read.path, {
      method: read.body === null ? 'GET' : 'POST',
      headers: {
        apikey: ready.anonKey,
        authorization: `Bearer ${read.as === 'admin' ? ready.admin : ready.manager}`,
        ...(read.body !== null && { 'content-type': 'application/json' }),
        ...(read.prefer !== undefined && { prefer: read.prefer }),
      },
      signal: AbortSignal.timeout(withinMs),
      ...(read.body !== null && { body: JSON.stringify(read.body) }),
    }),
});

interface Timing {
  readonly p50: number;
  readonly p95: number;
  readonly bytes: number;
}

/** Null with a reason, when the server does not return the expected answer. */
async function measureTiming(client: StaffClient, read: StaffRead): Promise<Timing | string> {
  const times: number[] = [];
  let bytes = 0;
  for (let i = 0; i < warmUps + samples; i += 1) {
    const sentAt = performance.now();
    const answer = await client.ask(read);
    const text = await answer.text();
    if (!answer.ok) return `${answer.status} ${text.slice(0, 120)}`;
    bytes = text.length;
    if (i >= warmUps) times.push(performance.now() - sentAt);
    // A read that takes seconds is not repeated two dozen times.
    if (performance.now() - sentAt > 5000 && times.length > 0) break;
  }
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), bytes };
}

/** Resolves with whether every list stayed within its limit. */
async function measureLists(client: StaffClient, only: string): Promise<boolean> {
  const { traderId } = client.ready;
  const key = await measureTiming(client, baseline(traderId));
  if (typeof key === 'string') throw new Error(`a row by its key: ${key}`);
  console.log(
    `\n${'list'.padEnd(36)} ${'p50 ms'.padStart(8)} ${'p95 ms'.padStart(8)} ${'/ a row'.padStart(8)} ${'kB'.padStart(7)}`,
  );
  const line = (name: string, { p50, p95, bytes }: Timing, verdict: string) =>
    console.log(
      `${name.padEnd(36)} ${p50.toFixed(1).padStart(8)} ${p95.toFixed(1).padStart(8)} ${(p50 / key.p50).toFixed(1).padStart(8)} ${(bytes / 1000).toFixed(1).padStart(7)}  ${verdict}`,
    );
  line('a row by its key', key, '');
  let isWithinTarget = true;
  for (const read of staffReads(traderId)) {
    if (!read.name.includes(only)) continue;
    const timing = await measureTiming(client, read);
    if (typeof timing === 'string') {
      isWithinTarget = false;
      console.log(`${read.name.padEnd(36)} no answer: ${timing}`);
      continue;
    }
    const isWithin = timing.p95 <= limitMs;
    isWithinTarget &&= isWithin || !read.isList;
    line(read.name, timing, read.isList ? `${isWithin ? 'within' : 'ABOVE'} ${limitMs} ms` : '');
  }
  return isWithinTarget;
}

async function memoryOf(server: ReturnType<typeof start>): Promise<StaffServerMemory> {
  return ask<StaffServerMemory>(server, 'memory');
}

/** Resolves with whether the memory stayed. The file is read and thrown away as it comes. */
async function measureExport(
  client: StaffClient,
  server: ReturnType<typeof start>,
  as: 'admin' | 'manager',
): Promise<boolean> {
  const before = await memoryOf(server);
  const startedAt = performance.now();
  const ordered = await client.ask({
    name: 'export',
    as,
    path: '/rest/v1/rpc/export_positions',
    body: { p_status: 'closed', p_time_zone: 'Europe/Berlin' },
    isList: false,
  });
  if (!ordered.ok) {
    console.log(
      `file of closed positions: no answer, ${ordered.status} ${(await ordered.text()).slice(0, 120)}`,
    );
    return false;
  }
  const { url } = (await ordered.json()) as { url: string };
  const file = await client.ask({ name: 'file', as, path: url, body: null, isList: false }, fileWithinMs);
  if (!file.ok || !file.body) {
    console.log(`file of closed positions: ${file.status} ${(await file.text()).slice(0, 120)}`);
    return false;
  }
  let bytes = 0;
  let lines = 0;
  let firstMs = Number.NaN;
  for await (const chunk of file.body) {
    if (bytes === 0) firstMs = performance.now() - startedAt;
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await memoryOf(server);
  const grown = after.peakMb - before.rssMb;
  const isConstant = grown <= exportMemoryMb;
  console.log(
    `file of closed positions, ${as}: ${lines} lines, ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s ` +
      `(first bytes after ${firstMs.toFixed(0)} ms), server's memory ${before.rssMb.toFixed(0)} MB, peak ${after.peakMb.toFixed(0)} MB, then ${after.rssMb.toFixed(0)} MB: ` +
      `${grown.toFixed(0)} MB more, ${isConstant ? 'within' : 'ABOVE'} ${exportMemoryMb} MB\n  ` +
      [before, after]
        .map(
          ({ heapUsedMb, heapMb, outsideMb }) =>
            `heap ${heapUsedMb.toFixed(0)} of ${heapMb.toFixed(0)} MB, outside ${outsideMb.toFixed(0)} MB`,
        )
        .join('; then '),
  );
  return isConstant;
}

async function measureReconcile(client: StaffClient): Promise<void> {
  const startedAt = performance.now();
  const answer = await client.ask({
    name: 'reconcile',
    as: 'admin',
    path: '/rest/v1/rpc/reconcile_wallets',
    body: {},
    isList: false,
  });
  const text = await answer.text();
  console.log(
    `all wallets against the whole ledger: ${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${answer.status} ${text.slice(0, 160)}`,
  );
}

export async function benchStaff(): Promise<void> {
  const { sizes, keep, only } = optionsOf(process.argv.slice(3));
  const dir = keep ?? mkdtempSync(join(tmpdir(), 'fulcrum-bench-'));
  mkdirSync(dir, { recursive: true });
  const postgres = await startEmbedded({ dir, log: benchLog });
  const dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-bench-server-'));
  let held: pg.Client | undefined;
  try {
    console.log(`${machine}, ${loadAverage()}`);
    const databaseUrl = await openDataset(postgres.socketDir, sizes);
    const server = start('./staff-server.ts');
    try {
      const ready = await ask<StaffServerReady>(server, { databaseUrl, dataDir } satisfies StaffServerJob);
      held = await blockLedgerChecks(databaseUrl);
      const client = clientOf(ready);
      const isFast = only === 'files' || (await measureLists(client, only));
      let isConstant = true;
      if (only === '' || only === 'files') {
        console.log('');
        // The small one first: memory that the process claims for its first file does not depend on the size.
        isConstant = await measureExport(client, server, 'manager');
        isConstant = (await measureExport(client, server, 'admin')) && isConstant;
        // Once more: what every file left behind would be seen here.
        isConstant = (await measureExport(client, server, 'admin')) && isConstant;
        await measureReconcile(client);
      }
      console.log(
        `\n${only === 'files' ? 'no list measured' : isFast ? 'every list within its limit' : 'NOT every list within its limit'}; files ${isConstant ? 'in constant memory' : 'NOT in constant memory'}; ${loadAverage()}`,
      );
      if (!isFast || !isConstant) process.exitCode = 1;
      await stop(server);
    } finally {
      server.kill();
    }
  } finally {
    await held?.end();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
    if (keep === null) rmSync(dir, { recursive: true, force: true });
  }
}
