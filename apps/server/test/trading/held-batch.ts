/** Stops a batch between its fence and its commit, so that a test decides what happens beside it. */
import pg from 'pg';
import { expect } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import type { EngineSetup, Trader } from './database-engine.ts';

const sessions: pg.Client[] = [];

/** A second session on the database, as the owner, until `closeSessions`. */
export async function openSession(desk: EngineSetup): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: desk.db.url });
  await session.connect();
  sessions.push(session);
  return session;
}

export async function closeSessions(): Promise<void> {
  for (const session of sessions.splice(0)) await session.end();
}

/** Resolves when one statement that contains `query` waits for a lock. */
export const waiting = (desk: EngineSetup, query: string): Promise<void> =>
  eventually(async () => {
    const rows = await desk.db.asOwner(
      `select from pg_stat_activity where wait_event_type = 'Lock' and query like $1 and datname = current_database()`,
      [`%${query}%`],
    );
    expect(rows).toHaveLength(1);
  });

/** Holds the trader's next batch between its fence and its commit, until the returned function is called. */
export async function holdBatch(desk: EngineSetup, trader: Trader): Promise<() => Promise<unknown>> {
  const holder = await openSession(desk);
  await holder.query('begin');
  await holder.query('select from app.wallets where user_id = $1 for update', [trader.userId]);
  return () => holder.query('rollback');
}
