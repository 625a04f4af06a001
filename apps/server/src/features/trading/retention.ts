/**
 * Deletes expired data of trading: rows of batches (read only after a lost connection, seconds later), of engines that
 * ended, stored answers of client ids, notifications. It deletes bounded chunks, so that no statement locks many rows and a large backlog
 * takes many runs.
 *
 * Known limitation: a client id is free again once its answer is deleted.
 */
import { dayMs, hourMs } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';

const retentionRules = [
  { table: 'engine_batches', column: 'committed_at', forMs: hourMs },
  { table: 'engines', column: 'ended_at', forMs: 30 * dayMs },
  { table: 'commands', column: 'created_at', forMs: 30 * dayMs },
  { table: 'notifications', column: 'created_at', forMs: 180 * dayMs },
] as const;

/** Rows of one statement. */
const chunkSize = 2000;
/** Per call and table; the rest is for the next call. */
const chunksMax = 25;

type DeletedRows = Readonly<Record<(typeof retentionRules)[number]['table'], number>>;

/** Deletes expired rows at `now` (ms since the epoch) and returns the number of rows per table. */
export async function deleteExpired(db: Queryable, now: number, signal?: AbortSignal): Promise<DeletedRows> {
  const deleted = { engine_batches: 0, engines: 0, commands: 0, notifications: 0 };
  for (const { table, column, forMs } of retentionRules) {
    for (let chunk = 0; chunk < chunksMax && !signal?.aborted; chunk += 1) {
      const { rowCount } = await db.query(
        `delete from app.${table} where ctid = any (array(
           select ctid from app.${table} where ${column} < $1 limit ${chunkSize}))`,
        [new Date(now - forMs)],
      );
      deleted[table] += rowCount;
      if (rowCount < chunkSize) break;
    }
  }
  return deleted;
}
