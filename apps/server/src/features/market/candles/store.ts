/**
 * Bars of live sources in PostgreSQL. Invariants: one statement per write, whatever the number of bars; a bar that the
 * provider has settled (`sampled` false) is never changed by a sampled one. All of it can be fetched again, so no write
 * waits for the disk. Writes must not overlap, because two of them may meet the same bars in different orders.
 */
import { type BarPrices, barStart, type Timeframe, timeframes } from '@fulcrum/domain';
import type { Queryable } from '../../../platform/database/index.ts';
import type { CandleQuery } from '../feed.ts';
import type { LiveSource, Minute } from './sampler.ts';

/** One bar; `name` is the contract's `open_time` in ms since the epoch, prices in the quote. */
export interface StoredBar extends BarPrices {
  readonly name: number;
  /** In units of the base, and of the quote. */
  readonly volume: number;
  readonly quoteVolume: number;
  /** Not final: sampled from ticks, or unfinished at the time of the request. */
  readonly sampled: boolean;
}

/** Which bars: those of one chart. */
export interface Series {
  readonly symbol: string;
  readonly source: LiveSource;
  readonly timeframe: Timeframe;
}

/** The newest bars of a series, oldest first. */
export async function readBars(
  db: Queryable,
  { symbol, source, timeframe }: Series,
  { limit, before }: CandleQuery,
): Promise<StoredBar[]> {
  const { rows } = await db.query<StoredBar>(
    `select (extract(epoch from open_time) * 1000)::float8 as name, open::float8, high::float8, low::float8, close::float8,
       volume::float8, quote_volume::float8 as "quoteVolume", sampled
     from app.candles
     where symbol = $1 and source = $2 and timeframe = $3 and open_time < $4::timestamptz
     order by open_time desc limit $5`,
    [symbol, source, timeframe, before === null ? 'infinity' : new Date(before).toISOString(), limit],
    'candles-read-bars',
  );
  return rows.reverse();
}

/** Replaces sampled bars by a provider's answer; bars that are settled already do not change. */
export async function writeBars(
  db: Queryable,
  { symbol, source, timeframe }: Series,
  bars: readonly StoredBar[],
): Promise<void> {
  if (bars.length === 0) return;
  const column = <T>(of: (bar: StoredBar) => T): T[] => bars.map(of);
  await db.query(
    `with relaxed as (select set_config('synchronous_commit', 'off', true))
     insert into app.candles as c (symbol, source, timeframe, open_time, open, high, low, close, volume, quote_volume, sampled)
     select p.symbol, $2, $3, b.*
     from relaxed, app.trading_pairs p, unnest($4::timestamptz[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[],
       $9::numeric[], $10::numeric[], $11::bool[]) as b
     where p.symbol = $1
     on conflict (symbol, source, timeframe, open_time) do update set
       open = excluded.open,
       -- A running bar has our ticks since the request to the provider.
       high = case when excluded.sampled then greatest(c.high, excluded.open, excluded.high) else excluded.high end,
       low = case when excluded.sampled then least(c.low, excluded.open, excluded.low) else excluded.low end,
       close = excluded.close, volume = excluded.volume, quote_volume = excluded.quote_volume, sampled = excluded.sampled
     where c.sampled`,
    [
      symbol,
      source,
      timeframe,
      column((bar) => new Date(bar.name).toISOString()),
      column((bar) => bar.open),
      column((bar) => bar.high),
      column((bar) => bar.low),
      column((bar) => bar.close),
      column((bar) => bar.volume),
      column((bar) => bar.quoteVolume),
      column((bar) => bar.sampled),
    ],
    'candles-write-bars',
  );
}

interface SampledBar extends Series {
  readonly name: number;
  readonly open: number;
  high: number;
  low: number;
  close: number;
}

/** Trading hours of a symbol; undefined when it is listed no more. */
type TradingHoursOf = (symbol: string) => string | undefined;

/** What minutes mean to the bars of every timeframe that they lie in; `minutes` oldest first. */
function rollUp(minutes: readonly Minute[], tradingHoursOf: TradingHoursOf): SampledBar[] {
  const bars = new Map<string, SampledBar>();
  for (const { symbol, source, openTime, open, high, low, close } of minutes) {
    const tradingHours = tradingHoursOf(symbol);
    if (tradingHours === undefined) continue;
    for (const timeframe of timeframes) {
      const name = barStart(timeframe, openTime, tradingHours);
      const key = `${symbol} ${timeframe} ${name}`;
      const bar = bars.get(key);
      if (!bar) {
        bars.set(key, { symbol, source, timeframe, name, open, high, low, close });
        continue;
      }
      bar.high = Math.max(bar.high, high);
      bar.low = Math.min(bar.low, low);
      bar.close = close;
    }
  }
  return [...bars.values()];
}

/**
 * Stores sampled minutes together with their share in all longer bars: the open stays, high and low widen, the close is
 * replaced. Written twice is written once. `minutes` oldest first, not older than those of the writes before.
 */
export async function writeMinutes(
  db: Queryable,
  minutes: readonly Minute[],
  tradingHoursOf: TradingHoursOf,
): Promise<void> {
  const bars = rollUp(minutes, tradingHoursOf);
  if (bars.length === 0) return;
  const column = <T>(of: (bar: SampledBar) => T): T[] => bars.map(of);
  await db.query(
    `with relaxed as (select set_config('synchronous_commit', 'off', true))
     insert into app.candles as c (symbol, source, timeframe, open_time, open, high, low, close, volume, quote_volume, sampled)
     select b.*, 0, 0, true
     from relaxed, unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::numeric[], $6::numeric[], $7::numeric[],
       $8::numeric[]) as b (symbol, source, timeframe, open_time, open, high, low, close)
     where b.symbol in (select symbol from app.trading_pairs)
     on conflict (symbol, source, timeframe, open_time) do update set
       high = greatest(c.high, excluded.high), low = least(c.low, excluded.low), close = excluded.close,
       -- Sampled minutes have none; the provider's volume of a running bar stays.
       volume = c.volume + excluded.volume, quote_volume = c.quote_volume + excluded.quote_volume
     where c.sampled`,
    [
      column((bar) => bar.symbol),
      column((bar) => bar.source),
      column((bar) => bar.timeframe),
      column((bar) => new Date(bar.name).toISOString()),
      column((bar) => bar.open),
      column((bar) => bar.high),
      column((bar) => bar.low),
      column((bar) => bar.close),
    ],
    'candles-write-minutes',
  );
}

/** Deletes all bars that are stored of a symbol and source, whatever their timeframe. */
export async function deleteBars(
  db: Queryable,
  { symbol, source }: Pick<Series, 'symbol' | 'source'>,
): Promise<void> {
  await db.query('delete from app.candles where symbol = $1 and source = $2', [symbol, source]);
}

/** Deletes at most `limit` minutes from before an instant (ms since the epoch); resolves with how many there were. */
export async function deleteMinutes(db: Queryable, before: number, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from app.candles where ctid = any (array(
       select ctid from app.candles where timeframe = '1m' and open_time < $1 limit $2))`,
    [new Date(before).toISOString(), limit],
  );
  return rowCount;
}
