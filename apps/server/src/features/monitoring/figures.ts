/**
 * Figures of the database for monitoring. Invariants: at most one query at a time, and none more often than every 15 seconds,
 * however many scrapes there are; a figure that cannot be read is left out instead of shown as zero.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { memoizeWithTtl } from '../../platform/cache/memoize-with-ttl.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Services } from '../../platform/services.ts';

export interface StoredFigures {
  readonly mailsWaiting: number;
  readonly pushesWaiting: number;
  readonly databaseBytes: number;
  /** Null where it may not be read. */
  readonly walSegments: number | null;
}

const readEveryMs = 15_000;
/** A segment has a name of 24 hexadecimal digits. */
const segmentName = /^[0-9A-F]{24}$/;

/** $1: now. An outside PostgreSQL lists its segments for members of pg_monitor only. */
const statement = `
  select (select count(*)::int from app.mails where sent_at is null and expires_at > $1) as "mailsWaiting",
         (select count(*)::int from app.push_deliveries) as "pushesWaiting",
         pg_database_size(current_database())::float8 as "databaseBytes",
         has_function_privilege('pg_ls_waldir()', 'execute') as "listsWal"`;

export function createStoredFigures({
  db,
  clock,
  log,
  config,
}: Pick<Services, 'db' | 'clock' | 'log'> & { readonly config: Pick<Config, 'dataDir' | 'databaseUrl'> }) {
  async function countSegments(listsWal: boolean): Promise<number | null> {
    if (config.databaseUrl === null) {
      const names = await readdir(join(config.dataDir, 'postgres', 'pg_wal'));
      return names.filter((name) => segmentName.test(name)).length;
    }
    if (!listsWal) return null;
    const { rows } = await db.query<{ segments: number }>(
      'select count(*)::int as segments from pg_ls_waldir()',
      [],
      'wal_segments',
    );
    return rows[0]?.segments ?? null;
  }

  /** Null where the database does not answer. */
  async function read(): Promise<StoredFigures | null> {
    try {
      const { rows } = await db.query<StoredFigures & { readonly listsWal: boolean }>(
        statement,
        [new Date(clock.now())],
        'stored_figures',
      );
      const [row] = rows;
      return row === undefined ? null : { ...row, walSegments: await countSegments(row.listsWal) };
    } catch (error) {
      log.warn({ err: error }, 'the figures of the database could not be read');
      return null;
    }
  }

  return memoizeWithTtl(clock, async () => ({ answer: await read(), ttlMs: readEveryMs }));
}
