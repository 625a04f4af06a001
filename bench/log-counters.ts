/** Bytes that a phase of a measurement wrote to PostgreSQL's log (WAL), and the segments that had to be created for it. */
import type pg from 'pg';

export interface LogCounters {
  readonly bytes: number;
  /** Segments that were begun: used ones that are used again, and new ones. */
  readonly begun: number;
  /** New ones, created inside a commit. */
  readonly made: number;
}

/** Of the whole cluster since its start. Sessions report their counters within about a second. */
export async function readLog(client: pg.Client): Promise<LogCounters> {
  const { rows } = await client.query<{ bytes: string; segment_bytes: string; made: string | null }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes,
            (select setting from pg_settings where name = 'wal_segment_size') as segment_bytes,
            (select sum(writes) from pg_stat_io where object = 'wal' and context = 'init') as made`,
  );
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL has no counters');
  const bytes = Number(row.bytes);
  return { bytes, begun: Math.floor(bytes / Number(row.segment_bytes)), made: Number(row.made ?? 0) };
}

export const since = (before: LogCounters, after: LogCounters): LogCounters => ({
  bytes: after.bytes - before.bytes,
  begun: after.begun - before.begun,
  made: after.made - before.made,
});
