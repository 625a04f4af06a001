/**
 * Stores the finished trading days of simulated paths between two starts. Invariant: it is a cache that may lose
 * any row; a chart waits a quarter of a second for it at most, and none for a write. One row per symbol and day: a
 * day of another path replaces the one before, so the table never outgrows the past of the listed symbols.
 */
import { dayMs } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import type { Services } from '../../platform/services.ts';
import type { CachedDay, DayCache } from './feeds/simulated/index.ts';

/** Computing takes no longer. */
const readMsMax = 250;

type DayCacheOptions = Pick<Services, 'db' | 'timers' | 'log'>;

export function createDayCache({ db, timers, log }: DayCacheOptions): DayCache {
  let isBroken = false;

  /** An outage is one line in the log. */
  function failed(error: unknown): void {
    if (!isBroken)
      log.warn({ err: error }, 'simulated days can be neither read nor stored; they are computed');
    isBroken = true;
  }

  return {
    async read(symbol, first, last) {
      let cancel = (): void => {};
      const timeout = new Promise<readonly CachedDay[]>((resolve) => {
        cancel = timers.after(readMsMax, () => resolve([]));
      });
      const reading = readDays(db, symbol, first, last).catch((error: unknown): readonly CachedDay[] => {
        failed(error);
        return [];
      });
      const days = await Promise.race([reading, timeout]);
      cancel();
      return days;
    },
    async store(symbol, days) {
      try {
        await writeDays(db, symbol, days);
        isBroken = false;
        return true;
      } catch (error) {
        failed(error);
        return false;
      }
    },
  };
}

/** A day as PostgreSQL's `send` functions write it: its number (int4), its path (int8) and six doubles, high byte first. */
const dayBytes = 4 + 8 + 6 * 8;

async function readDays(db: Queryable, symbol: string, first: number, last: number): Promise<CachedDay[]> {
  // As one binary value: the whole past as rows would take the driver longer than a chart has.
  const { rows } = await db.query<{ days: Buffer | null }>(
    `select string_agg(
       int4send(day - date '1970-01-01') || int8send(path) || float8send(open) || float8send(high) || float8send(low)
         || float8send(close) || float8send(volume) || float8send(quote_volume), '') as days
     from app.simulated_days
     where symbol = $1 and day between date '1970-01-01' + $2::int and date '1970-01-01' + $3::int`,
    [symbol, first / dayMs, last / dayMs],
    'simulated-days-read',
  );
  const bytes = rows[0]?.days ?? Buffer.alloc(0);
  return Array.from({ length: bytes.length / dayBytes }, (_, index) => dayAt(bytes, index * dayBytes));
}

const dayAt = (bytes: Buffer, at: number): CachedDay => ({
  day: bytes.readInt32BE(at) * dayMs,
  path: bytes.readBigInt64BE(at + 4).toString(),
  open: bytes.readDoubleBE(at + 12),
  high: bytes.readDoubleBE(at + 20),
  low: bytes.readDoubleBE(at + 28),
  close: bytes.readDoubleBE(at + 36),
  volume: bytes.readDoubleBE(at + 44),
  quote_volume: bytes.readDoubleBE(at + 52),
});

async function writeDays(db: Queryable, symbol: string, days: readonly CachedDay[]): Promise<void> {
  const column = <T>(of: (day: CachedDay) => T): T[] => days.map(of);
  await db.query(
    `with relaxed as (select set_config('synchronous_commit', 'off', true))
     insert into app.simulated_days (symbol, day, path, open, high, low, close, volume, quote_volume)
     select p.symbol, date '1970-01-01' + given.day, given.path, open, high, low, close, volume, quote_volume
     from relaxed, app.trading_pairs p, unnest($2::int[], $3::bigint[], $4::float8[], $5::float8[], $6::float8[],
       $7::float8[], $8::float8[], $9::float8[]) as given (day, path, open, high, low, close, volume, quote_volume)
     where p.symbol = $1
     on conflict (symbol, day) do update set
       path = excluded.path, open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
       volume = excluded.volume, quote_volume = excluded.quote_volume`,
    [
      symbol,
      column((day) => day.day / dayMs),
      column((day) => day.path),
      column((day) => day.open),
      column((day) => day.high),
      column((day) => day.low),
      column((day) => day.close),
      column((day) => day.volume),
      column((day) => day.quote_volume),
    ],
    'simulated-days-write',
  );
}
