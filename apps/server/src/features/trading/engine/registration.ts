/**
 * Begins engines, each with a row of its own. Invariants: a server alone holds every lock of its lanes before it ends anything, so a
 * second server is refused and leaves the first one alone; with the locks held, whatever row is found is over and is ended
 * there. A member of a cluster ends nothing at its start, and its row becomes visible with its lock held.
 */
import type pg from 'pg';
import { memberLocks } from './locks.ts';
import type { EngineSession } from './session.ts';
import { StoreUnreachable } from './store.ts';

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

/** What a member of a cluster says of itself in its row. */
export interface MemberIdentity {
  /** A uuid of the process, a new one each start. */
  readonly processId: string;
  /** The name of the machine, for the operator. */
  readonly name: string;
  readonly version: string;
}

/** @throws StartError when a server alone runs on this database; StoreUnreachable. */
export async function beginMember(session: EngineSession, identity: MemberIdentity): Promise<void> {
  try {
    const client = await session.connect();
    await client.query('begin');
    const { rows } = await client.query<{ id: string; locked: boolean }>(
      `with inserted as (
         insert into app.engines (process, name, version, heard_at) values ($1, $2, $3, clock_timestamp()) returning id)
       select id, pg_try_advisory_lock($4, id::int) as locked from inserted`,
      [identity.processId, identity.name, identity.version, memberLocks],
    );
    await client.query('commit');
    const [row] = rows;
    if (!row?.locked) throw new StoreUnreachable('a new engine does not get its lock');
    await session.begin(Number(row.id));
  } catch (error) {
    session.release();
    throw error;
  }
}
