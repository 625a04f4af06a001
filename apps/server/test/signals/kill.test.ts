/** A process that is killed between storing a signal and executing it, and what its log shows of the address (A119). */
import { randomUUID } from 'node:crypto';
import { signalBodyMax } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClonedDatabase, cloneDatabase } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import { freePort } from '../harness/free-port.ts';
import {
  type Installation,
  makeInstallation,
  type ServerProcess,
  signUpAt,
} from '../harness/server-process.ts';
import { type Hooked, makeHook, outcomeOf, positionsOf, send, signalsOf } from './signal-server.ts';

let installation: Installation;
let database: ClonedDatabase;
/** As the owner of the tables, outside of the server. */
let owner: pg.Client;
/** Holds the locks: what it would read of other sessions would stay as it was at the first look. */
let locker: pg.Client;
let server: ServerProcess;
let port: number;

const start = (): Promise<string> => {
  server = installation.run({
    env: {
      ...{ PORT: String(port), DATABASE_URL: database.url, PRICE_FEED: 'simulated', LOG_LEVEL: 'trace' },
    },
  });
  return server.ready();
};

beforeAll(async () => {
  installation = makeInstallation();
  database = await cloneDatabase();
  port = await freePort();
  owner = new pg.Client({ connectionString: database.url });
  locker = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await locker.connect();
}, 120_000);
afterAll(async () => {
  await installation.dispose();
  await locker.end();
  await owner.end();
  await database.drop();
}, 60_000);

const buy = (note: string) => ({ ticker: 'BTCUSDT', action: 'buy', quantity: '0.01', note });

async function hookedAt(url: string): Promise<Hooked> {
  const client: SupabaseClient = await signUpAt(url, `bot-${randomUUID().slice(0, 8)}`);
  const { data } = await client.auth.getUser();
  return makeHook(client, data.user?.id ?? '');
}

/** Resolves when a statement of the server waits for a lock. */
const waitsForLock = () =>
  eventually(async () => {
    const { rows } = await owner.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rows.length === 0) throw new Error('nothing waits');
  }, 20);

/** Stores a signal whose execution waits for `table`, and kills the server meanwhile. */
async function killBefore(url: string, hooked: Hooked, table: string, mode: string): Promise<string> {
  await locker.query(`begin; lock table app.${table} in ${mode} mode`);
  const { status, body } = await send(url, hooked.path, buy(randomUUID()));
  expect(status).toBe(200);
  await waitsForLock();
  await server.end('SIGKILL');
  await locker.query('rollback');
  const { rows } = await owner.query('select outcome from app.signals where id = $1', [body.id]);
  expect(rows).toEqual([{ outcome: 'pending' }]);
  return body.id ?? '';
}

test('A119: what was stored and not executed is executed once after a kill -9, or is too late', async () => {
  let url = await start();
  const hooked = await hookedAt(url);

  // Before it is known what the signal means.
  const unplanned = await killBefore(url, hooked, 'positions', 'access exclusive');
  url = await start();
  expect(await outcomeOf(hooked, unplanned)).toMatchObject({ outcome: 'done', detail: null });
  expect(await positionsOf(hooked)).toHaveLength(1);

  // While the engine's batch is on its way: whether it was written or not, there is one position afterwards.
  const unanswered = await killBefore(url, hooked, 'ledger_entries', 'share');
  url = await start();
  const done = await outcomeOf(hooked, unanswered);
  const positions = await positionsOf(hooked);
  expect(positions).toHaveLength(2);
  expect(done).toMatchObject({ outcome: 'done', position_ids: [positions[1]?.id] });

  // The same body is still the same signal.
  const [last] = await signalsOf(hooked);
  expect((await send(url, hooked.path, last?.body)).body).toEqual({ id: unanswered, repeated: true });

  const late = await killBefore(url, hooked, 'positions', 'access exclusive');
  await owner.query(
    `update app.signals set received_at = received_at - interval '61 seconds' where id = $1`,
    [late],
  );
  url = await start();
  expect(await outcomeOf(hooked, late)).toMatchObject({
    ...{ outcome: 'too_late', position_ids: [] },
    detail: 'It could not be executed within 60 seconds.',
  });
  expect(await positionsOf(hooked)).toHaveLength(2);

  // Executed, and its outcome was not written: the engine's answer tells, however late it is.
  await owner.query(
    `update app.signals set outcome = 'pending', finished_at = null, position_ids = '{}',
       received_at = received_at - interval '1 hour' where id = $1`,
    [unanswered],
  );
  expect(await outcomeOf(hooked, unanswered)).toMatchObject({
    ...{ outcome: 'done', position_ids: [positions[1]?.id] },
  });
  expect(await positionsOf(hooked)).toHaveLength(2);
}, 240_000);

test('A119: no line of the log has the secret of an address', async () => {
  if (server.isRunning()) await server.end('SIGTERM');
  const url = await start();
  const hooked = await hookedAt(url);
  const secret = hooked.path.split('/').at(-1) ?? '';
  const unknown = 'B'.repeat(43);
  await outcomeOf(hooked, (await send(url, hooked.path, buy('logged'))).body.id ?? '');
  for (const path of [hooked.path, `/hooks/${unknown}`]) {
    await send(url, path, 'no signal');
    await send(url, path, 'x'.repeat(signalBodyMax + 1));
    await send(url, `${path}/more`, buy('path'));
    await send(url, `${path}?query=1`, buy('query'));
    await send(url, `${path}%zz`, buy('escape'));
    await send(url, path.repeat(5), buy('long'));
    await fetch(`${url}${path}`);
    await fetch(`${url}${path}`, { method: 'PUT', body: '{}' });
  }
  await owner.query('alter table app.signals rename to signals_away');
  const failed = await send(url, hooked.path, buy('failed'));
  await owner.query('alter table app.signals_away rename to signals');
  expect(failed.status).toBe(500);
  expect((await signalsOf(hooked)).length).toBeGreaterThan(0);
  await server.end('SIGTERM');
  const printed = server.printed.out + server.printed.err;
  expect(printed).toContain('"path":"/hooks/…"');
  for (const text of [secret, unknown]) expect(printed).not.toContain(text);
}, 120_000);
