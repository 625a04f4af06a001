/**
 * What trading keeps for a while only: rows of batches (read only after a lost connection, seconds later), stored answers
 * of client ids, notifications. Removed in bounded chunks, so that no statement holds many rows and a backlog of years
 * goes over many beats.
 *
 * Known limitation: a client id is free again once its answer is forgotten.
 */
import type { Queryable } from '../../platform/database/index.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const kept = [
  { table: 'engine_batches', column: 'committed_at', forMs: hourMs },
  { table: 'commands', column: 'created_at', forMs: 30 * dayMs },
  { table: 'notifications', column: 'created_at', forMs: 180 * dayMs },
] as const;

/** Rows of one statement. */
const chunkSize = 2000;
/** Of one call and table; the rest is for the next one. */
const chunksMax = 25;

export type Forgotten = Readonly<Record<(typeof kept)[number]['table'], number>>;

/** Removes what is too old at `now` (ms since the epoch) and says how many rows of each table. */
export async function forgetOld(db: Queryable, now: number, signal?: AbortSignal): Promise<Forgotten> {
  const forgotten = { engine_batches: 0, commands: 0, notifications: 0 };
  for (const { table, column, forMs } of kept) {
    for (let chunk = 0; chunk < chunksMax && !signal?.aborted; chunk += 1) {
      const { rowCount } = await db.query(
        `delete from app.${table} where ctid = any (array(
           select ctid from app.${table} where ${column} < $1 limit ${chunkSize}))`,
        [new Date(now - forMs)],
      );
      forgotten[table] += rowCount;
      if (rowCount < chunkSize) break;
    }
  }
  return forgotten;
}
