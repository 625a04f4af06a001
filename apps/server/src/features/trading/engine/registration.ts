/**
 * Begins the engines of this process, one per lane, each with a row of its own. Invariants: every lock of the lanes is held before
 * anything is ended, so a second server is refused and leaves the first one alone; with the locks held, whatever row is found is
 * over and is ended here.
 */
import type pg from 'pg';
import type { EngineSession } from './session.ts';

/** Waits for batches under way; `app.engine_epoch` is the fence of the release before. */
const endOthers = `
  select from app.engines where ended_at is null order by id for update;
  update app.engine_slots set engine = null where engine is not null;
  update app.engines set ended_at = clock_timestamp() where ended_at is null;
  update app.engine_epoch set epoch = epoch + 1`;

async function register(client: pg.PoolClient, count: number): Promise<number[]> {
  await client.query('begin');
  await client.query(endOthers);
  const { rows } = await client.query<{ id: string }>(
    'insert into app.engines (started_at) select now() from generate_series(1, $1) returning id',
    [count],
  );
  await client.query('commit');
  return rows.map(({ id }) => Number(id));
}

/** @throws StartError when another server runs on this database. */
export async function beginEngines(sessions: readonly EngineSession[]): Promise<void> {
  try {
    const clients: pg.PoolClient[] = [];
    for (const session of sessions) clients.push(await session.connect());
    const [client] = clients;
    if (!client) throw new RangeError('an engine has at least one lane');
    const epochs = await register(client, sessions.length);
    for (const [lane, session] of sessions.entries()) await session.begin(epochs[lane] ?? 0);
  } catch (error) {
    for (const session of sessions) session.release();
    throw error;
  }
}
